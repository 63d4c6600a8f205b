//! An OpenSearch index of letters, for full-text search and for restoring letters after the loss of a store.
//!
//! A [`Projection`] keeps the index in sync with the letters of a store, from the store's feed of changes. It is not a
//! store: the store is authoritative, a capture does not wait for the index unless strict mode is enabled, and a lost
//! index is rebuilt.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
//! use redrive_search::{Projection, ProjectionState, Query, SearchSettings};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let store = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
//! let projection = Projection::start(store, SearchSettings::new("http://localhost:9200")).unwrap();
//! projection.until(|numbers| numbers.state == ProjectionState::Ok).await;
//!
//! let query = Query { text: "connection reset".to_owned(), limit: 20, ..Query::default() };
//! for (queue, letter) in projection.search().find(&query).await.unwrap().letters {
//!     println!("{queue} {letter}");
//! }
//! projection.stop().await;
//! # });
//! ```
//!
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `client` | one request and the meaning of its response; the results of each document in a bulk request | `client/bulk.rs` |
//! | `document` | a letter as a document: searchable fields, and the complete letter | [`Document`] |
//! | `index` | mapping, template, alias, and the mark of an index: a random token that the index and its store share | `index/mark.rs` |
//! | `projection` | from the feed to the index, continuously; its numbers; waiting for an acknowledgement | `projection/task.rs` |
//! | `copy`, `catch_up`, `compare`, `rebuild` | copies every letter once, checks that none is missing, and does both for a new index | `rebuild.rs` |
//! | `search`, `restore`, `scan` | reads from an index | [`Search`] |
//! | `stored` | reads letters from the store | `stored.rs` |
//!
//! # Invariants
//!
//! - The feed is the outbox. The projection keeps no pending changes itself; a batch that was not acknowledged is read
//!   again.
//! - An index that contains letters and has not the store's mark is never written to: it may be their last copy.

mod catch_up;
mod client;
mod compare;
mod copy;
mod document;
mod error;
mod index;
mod projection;
mod rebuild;
mod restore;
mod scan;
mod search;
mod settings;
mod stored;

pub use client::SearchTrouble;
pub use document::Document;
pub use error::SearchError;
pub use index::{mapping, template};
pub use projection::{Projection, ProjectionNumbers, ProjectionState, RefillProgress};
pub use rebuild::Rebuilt;
pub use restore::{IndexRestore, RestorePage, Restored};
pub use search::{Order, Page, Query, Search};
pub use settings::{Credentials, SearchSettings};

//! The embedded store: a single writer thread over the in-memory state machine and a journal on disk.
//!
//! Requests are sent through a bounded channel. The writer thread takes the waiting ones, reserves disk space for
//! them, applies each to the state, writes all facts as one batch, syncs once, and only then sends the replies.
//! Payloads that are not cached are read by reader threads.
//!
//! It is not a server: it has no network code and no authorisation. A caller that holds the store may do anything.
//!
//! ```
//! use redrive_core::{QueueName, Span};
//! use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
//! use redrive_model::{CreateQueue, Lease, LeaseSpec, NewItem, Produce, QueueSettings};
//! use redrive_store::Store;
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let store = EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap();
//! let orders = QueueName::new("orders").unwrap();
//! store.create_queue(CreateQueue { settings: QueueSettings::new(orders.clone()) }).await.unwrap();
//! store.produce(Produce::new(orders.clone(), vec![NewItem::of_payload("one")])).await.unwrap();
//!
//! let spec = LeaseSpec { batch: 10, lease: None };
//! let lease = Lease { queue: orders.clone(), client_id: None, spec, wait: Span::from_secs(1) };
//! let leased = store.lease(lease).await.unwrap();
//! assert_eq!(leased.items[0].content.payload, "one");
//! store.complete(orders, leased.partition, vec![leased.items[0].info.id]).await.unwrap();
//! store.close().await.unwrap();
//! # });
//! ```

mod answer;
mod cache;
mod compactor;
mod disk_space;
pub mod doctor;
mod documents;
mod embedded_store;
mod executor;
mod feed_waiters;
mod files;
mod frozen_queues;
mod lease_budget;
mod lease_waiters;
mod log;
mod message;
mod operations;
mod options;
mod persistence;
mod readers;
mod reply;
mod retention_notices;
mod sync_meter;
mod writer;

pub use embedded_store::{EmbeddedStore, StoreOpenError};
pub use options::EmbeddedOptions;
pub use redrive_queue::AnswerLimits;

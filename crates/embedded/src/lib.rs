//! The embedded store: queues and letters in one directory, in the process that uses them.
//!
//! It is a [`Store`](redrive_store::Store) with a single writer thread over the in-memory state machine and a journal
//! on disk. Requests are sent through a bounded channel. The writer thread takes the waiting ones, reserves disk space
//! for them, applies each to the state, writes all facts as one batch, syncs once, and only then sends the replies.
//! Payloads that are not cached are read by reader threads.
//!
//! It is not a server: it has no network code and no authorization. A caller that holds the store may do anything.
//!
//! # Example
//!
//! ```
//! use redrive_core::{QueueName, Span};
//! use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
//! use redrive_model::{CreateQueue, Lease, LeaseSpec, NewItem, Produce, QueueSettings};
//! use redrive_store::Store;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = std::env::temp_dir().join(format!("redrive-embedded-doc-{}", std::process::id()));
//! let orders = QueueName::new("orders")?;
//! let store = EmbeddedStore::open(&directory, &EmbeddedOptions::default())?;
//! store.create_queue(CreateQueue { settings: QueueSettings::new(orders.clone()) }).await?;
//! store.produce(Produce::new(orders.clone(), vec![NewItem::of_payload("one book")])).await?;
//! store.close().await?;
//!
//! // After a restart, or a crash.
//! let store = EmbeddedStore::open(&directory, &EmbeddedOptions::default())?;
//! let spec = LeaseSpec { batch: 10, lease: None, notes_receipt: false };
//! let lease = Lease { queue: orders.clone(), client_id: None, spec, wait: Span::from_secs(1) };
//! let leased = store.lease(lease).await?;
//! assert_eq!(leased.items[0].content.payload, "one book");
//! store.complete(orders, leased.partition, vec![leased.items[0].info.id]).await?;
//! store.close().await?;
//! # std::fs::remove_dir_all(directory)?;
//! # Ok(())
//! # }
//! ```
//!
//! [`EmbeddedStore::in_memory`] has the same operations without a disk, for tests.
//!
//! # Limits
//!
//! - One process at a time opens a directory; a second one gets an error.
//! - The state of every item is in memory, about 150 bytes for a plain item and more for a letter. Payloads are on
//!   disk, with a cache (`cache_bytes`, 64 MiB by default).
//! - A new store takes one segment of disk space (`segment_bytes`, 64 MiB by default). No request may be larger than a
//!   segment.
//! - At most `requests_max` requests wait (4096 by default). Further ones fail with
//!   [`Overloaded`](redrive_store::StoreError::Overloaded).
//! - On a full disk, operations that add data are rejected. After a failed write or sync, only reads are answered until
//!   the store is opened again.
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `writer` | the single writer thread: gathers, admits, applies, commits, releases. Start reading at `writer/writer.rs` |
//! | `operations` | how each operation is executed on the state machine, and how much disk space it needs at most |
//! | `disk_space`, `lease_budget` | the size of records; the reserve for a full disk, and which requests may use it |
//! | `lease_waiters`, `feed_waiters` | waiting leases, claims and reads of the feed, with their deadlines |
//! | `log`, `persistence`, `documents`, `files` | facts into the journal, or into memory; recovery points, dropped and compacted segments |
//! | `answer`, `reply`, `readers`, `cache` | payloads: cached, or read by reader threads from pinned segments; replies that are never read |
//! | `compactor` | rewrites the live records of a sparse segment, a little at a time |
//! | [`doctor`] | diagnoses a store, and salvages it into a new store: `Salvage` of `redrive-queue` builds a state from a history with gaps |
//!
//! # Invariants
//!
//! - Nothing is visible outside before it is durable. A reply, including that of a read, is sent after the sync of the
//!   batch to which it belongs. If a batch cannot be written, the state in memory is discarded and the acknowledged
//!   state is read from disk again.
//! - Disk space is reserved before anything is applied. On a full disk only operations that free space are executed; a
//!   lease is one of them, because a complete follows it. The space for a running checkpoint is reserved, because no
//!   segment can be dropped before it ends: requests that need that space wait for its end instead of being rejected.
//!   Leases leave space for a checkpoint, for rewriting the sparsest segment, and for completing the leased items; if
//!   that is short they wait, or get one item each. The last of the space is for completes and deletions.
//! - Every list of waiting requests is bounded: requests in the channel, waiting leases, replies that wait for the
//!   disk.

mod answer;
mod cache;
mod compactor;
mod disk_space;
pub mod doctor;
mod documents;
mod embedded_store;
mod feed_waiters;
mod files;
#[cfg(feature = "test-mode")]
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

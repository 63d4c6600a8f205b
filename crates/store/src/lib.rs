//! The contract of a store, which holds Redrive's items and letters.
//!
//! [`Store`] is the contract, with one method per operation; it is generated from the list [`operations!`]. Requests
//! and replies are the types of [`redrive_model`]. The [`conformance`] module (feature `conformance`) is the test suite
//! that every implementation must pass. [`Clock`] and its implementations are here because every store reads one.
//!
//! It is not a store: it contains no disk and no network code. The embedded store is `redrive-embedded`; the client of
//! a server, `redrive-client`, offers the operations that a source needs.
//!
//! # Example
//!
//! A function that works with any store, and a test of it whose clock stands still until it is moved:
//!
//! ```
//! use std::sync::Arc;
//!
//! use redrive_core::{QueueName, Span, Time};
//! use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
//! use redrive_model::{CreateQueue, Lease, LeaseSpec, Leased, NewItem, Produce, QueueSettings};
//! use redrive_store::{ManualClock, Store, StoreError};
//!
//! /// Leases the next order for a minute; `None` if there is none.
//! async fn next(store: &dyn Store, orders: &QueueName) -> Result<Option<Leased>, StoreError> {
//!     let spec = LeaseSpec { batch: 1, lease: Some(Span::from_mins(1)), notes_receipt: false };
//!     match store.lease(Lease { queue: orders.clone(), client_id: None, spec, wait: Span::ZERO }).await {
//!         Err(StoreError::TimedOut) => Ok(None),
//!         leased => leased.map(Some),
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let clock = ManualClock::new(Time::from_secs(1_800_000_000));
//! let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
//! let store = EmbeddedStore::in_memory(&options)?;
//! let orders = QueueName::new("orders")?;
//! store.create_queue(CreateQueue { settings: QueueSettings::new(orders.clone()) }).await?;
//! store.produce(Produce::new(orders.clone(), vec![NewItem::of_payload("one book")])).await?;
//!
//! assert!(next(&store, &orders).await?.is_some());
//! assert!(next(&store, &orders).await?.is_none(), "the order is leased");
//!
//! clock.advance(Span::from_mins(2));
//! let leased = next(&store, &orders).await?.ok_or("the lease has not expired")?;
//! assert_eq!(leased.items[0].info.attempts, 2);
//! store.complete(orders, leased.partition, vec![leased.items[0].info.id]).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Limits
//!
//! - A request has at most 65 536 items. It is applied completely or not at all, except for operations with a result
//!   per item.
//! - On a full disk, operations that add data ([`OpKind::Write`]) fail with [`StoreError::Full`].
//! - A list returns one page: continue after the last id of the page before.

mod clock;
pub mod conformance;
mod contract;
mod error;
mod freeze_queues;
mod random_seed;
mod status;

pub use clock::{Clock, ManualClock, SystemClock, Wake};
pub use contract::{Op, OpKind, Perform, Reply, Request, Store, Transactional, dispatch};
pub use error::StoreError;
pub use freeze_queues::FreezeQueues;
pub use random_seed::random_seed;
pub use status::{StoreStatus, SyncTimes};

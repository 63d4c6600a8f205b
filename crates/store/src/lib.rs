//! The contract of a store, which holds Redrive's items and letters.
//!
//! [`Store`] is the contract, with one method per operation; it is generated from the list in `contract.rs`. Requests
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
//!
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `contract` | every operation once, with its reply, its kind and its guarantee; the list generates [`Request`], [`Reply`], the methods of [`Store`] and [`dispatch`] | [`Store`] |
//! | `error`, `status` | why a request failed; the condition of a store | [`StoreError`] |
//! | `clock`, `random_seed` | the time of day for due times, the monotonic time for waits: the system clock, and one that tests control; seeds | [`Clock`] |
//! | `freeze_queues` | what a store offers to the test mode of a server | |
//! | [`conformance`] | the suite that every implementation must pass | `conformance/mod.rs` |
//!
//! The suite has three parts; the embedded store runs all of them, in memory and on a simulated disk:
//!
//! - *Cases* name one rule each.
//! - *Rule comparisons* (`cases/twins`) create letters, and items in every phase: plain, spent, expired, and delivered
//!   for their hand-over only (the work failed permanently, and storing its letter failed). They execute an operation
//!   and compare each item, its documents and the counters with the rule of `model::transition`, because a store may
//!   implement in one statement what the rule says about one item.
//! - *Histories* (`history`) drive a store with random operations beside `conformance::model`, which searches vectors
//!   linearly and was written from the documented rules, not from a store. Replies and all readable state are compared,
//!   also across restarts. The model takes from a store only its ids and, where the contract leaves the order open, its
//!   `TieOrder`. The tests of `redrive-queue` use the same model and add what only a state machine has: facts,
//!   recovery, checkpoints, relocation.
//!
//! # Invariants
//!
//! - An operation names its reply. `settle`, `extend`, `reinstate` and `change_if_unchanged` answer item by item: one
//!   stale id does not affect the others. `OnRejected::Stop` is for the queue API, whose `complete` and `retry` stop at
//!   the first bad id.
//! - A request that waits cannot be combined with writes of keys: [`Transactional`] is not implemented for it, so that
//!   it does not compile.

mod clock;
pub mod conformance;
mod contract;
mod error;
#[cfg(feature = "test-mode")]
mod freeze_queues;
mod random_seed;
mod status;

pub use clock::{Clock, ManualClock, SystemClock, Wake};
pub use contract::{Op, OpKind, Perform, Reply, Request, Store, Transactional, dispatch};
pub use error::StoreError;
#[cfg(feature = "test-mode")]
pub use freeze_queues::FreezeQueues;
pub use random_seed::random_seed;
pub use status::{StoreStatus, SyncTimes};

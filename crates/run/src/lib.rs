//! Runs work from any source through one failure path.
//!
//! A [`Source`] yields deliveries that are due, a [`Handler`] does the user's work, and the [`Runner`] between them
//! limits concurrency and time, and retries, defers or dead-letters failures by the policy of [`redrive_core`]. Work is
//! retried by this loop alone; a second retry loop is a mistake.
//!
//! | to do this | use |
//! |---|---|
//! | consume a queue | a [`Runner`] over a [`StoreQueue`] |
//! | retry the letters of dead queues | a [`Processor`], which runs a [`Runner`] over the [`DueLetters`] of each |
//! | run a function once and keep its failure as a letter | a [`Guard`] |
//! | send the work to another process | `HttpTarget` and `GrpcTarget` (features `http` and `grpc`), [`WorkerPool`] |
//! | answer the health checks of an orchestrator | `HealthServer` (feature `health`) |
//! | consume anything else | a [`Source`] that passes the suite in [`conformance`] |
//!
//! This crate is neither a scheduler nor a store: the source decides when work is due and what is kept.
//!
//! # Example
//!
//! Consume a queue. The first order is placed; no retry can fix the second one, so it becomes a letter of the dead
//! queue.
//!
//! ```
//! use std::sync::Arc;
//!
//! use redrive_core::{Failure, Policy, QueueName, Span};
//! use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
//! use redrive_model::{CreateQueue, FindLetters, NewItem, Produce, QueueSettings};
//! use redrive_run::{Call, Runner, RunnerSettings, StoreQueue};
//! use redrive_store::Store;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default())?);
//! let (orders, dead) = (QueueName::new("orders")?, QueueName::new("orders-dead")?);
//! store.create_queue(CreateQueue { settings: QueueSettings::new(dead.clone()) }).await?;
//! let settings = QueueSettings { dead_queue: Some(dead.clone()), ..QueueSettings::new(orders.clone()) };
//! store.create_queue(CreateQueue { settings }).await?;
//! let items = ["one book", ""].map(NewItem::of_payload);
//! store.produce(Produce::new(orders.clone(), items.into())).await?;
//!
//! let (tx, mut rx) = tokio::sync::mpsc::channel(2);
//! let place = move |call: Call| {
//!     let order = call.content.payload.clone();
//!     let _has_space = tx.try_send(());
//!     async move {
//!         if order.is_empty() { Err(Failure::new("validation failed: the order is empty")) } else { Ok(()) }
//!     }
//! };
//! let source = StoreQueue::new(Arc::clone(&store), orders, Span::from_secs(30));
//! let running = Runner::new(source, place, Policy::default(), RunnerSettings::default())?.start().await?;
//! for _attempt in 0..2 {
//!     rx.recv().await;
//! }
//!
//! let report = running.stop(Span::from_secs(10)).await;
//! assert_eq!((report.done, report.dead_lettered), (1, 1));
//! assert_eq!(store.find_letters(FindLetters::all(dead, 10)).await?.letters.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Limits
//!
//! - Work is delivered at least once: after a crash or a lost claim it is delivered again, with the same
//!   [`idempotency_key`](Work::idempotency_key).
//! - A runner has 16 concurrent handlers by default and at most 65 536. An attempt takes at most 5 minutes by default
//!   ([`RunnerSettings`]).
//! - A runner does not start if its policy allows more attempts than its source.
//! - A blocking handler blocks the runtime: run blocking work with `tokio::task::spawn_blocking`.

pub mod conformance;
mod guard;
mod handler;
#[cfg(feature = "health")]
mod health;
mod letter_box;
mod processor;
mod runner;
mod source;
mod work;

pub use guard::{Disposition, Guard, GuardStats, Guarded, Returned, Task};
#[cfg(feature = "http")]
pub use handler::{BatchResult, ExpectedStatus, HttpSettings, HttpTarget};
pub use handler::{Call, Handled, Handler, IntoHandled};
#[cfg(any(feature = "grpc", feature = "http"))]
pub use handler::{ClientCertificate, Secret, TargetTls};
#[cfg(feature = "grpc")]
pub use handler::{GrpcSettings, GrpcTarget};
pub use handler::{WorkerCommand, WorkerError, WorkerPool};
#[cfg(feature = "health")]
pub use health::{HealthCheck, HealthFormat, HealthPage, HealthReport, HealthServer, HealthState};
pub use letter_box::{DeadQueue, LetterBox, NotCaptured, Posted, StoreLetterBox};
pub use processor::{
    HandBack, ManualRetry, OriginTarget, Processor, ProcessorError, ProcessorSettings, Retried, end_lost_claims,
};
pub use redrive_model::DestinationFilter;
pub use runner::{
    DestinationHealth, DurationCounts, Liveness, RunReport, Runner, RunnerHealth, RunnerMonitor, RunnerNumbers,
    RunnerSettings, RunnerStartError, RunnerTrouble, Running,
};
pub use source::{
    Cancel, ClaimSpec, DeadWork, Delivery, DueLetters, Durability, FinishedDelivery, Resolution, SettleError, Source,
    SourceError, StoreQueue,
};
pub use work::{LetterRetry, Work, WorkId};

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
//!
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `source` | the contract of a source of work, method by method; claims that a source takes back ([`Cancel`]); the queues and the due letters of a store | [`Source`] |
//! | `handler` | the contract of a handler: closures, HTTP and gRPC targets, worker processes | [`Handler`] |
//! | `runner/engine` | the loop: one task that owns everything except the handlers; `intake` and `outcome` are its two halves | `Engine::run` |
//! | `runner/judge` | the failure path: from a handler's result to the settlement of the delivery | `Judge::judge` |
//! | `runner/task` | attempts: started in batches, first polled together | `start_all` |
//! | `runner/claims`, `destination_breakers` | how much is claimed, and for which destinations: the circuit breakers | |
//! | `runner/outages`, `refunds` | which failures an outage explains, and the attempts that it gives back | `Outages::blame` |
//! | `runner/entry`, `outbox` | deliveries that are held, and results on their way to the source, letters in a separate lane | |
//! | `runner/timer`, `health`, `meters`, `numbers`, `report` | timers, health, metrics and reports | |
//! | `health` | health checks over HTTP: the pages of groups of loops and of the server, and a server of them | `HealthCheck` |
//! | `processor` | retries the due letters of queues: a runner over [`DueLetters`] for each queue, started and stopped by an operator; manual retries (`manual.rs`); back to the origin by transport (`origin.rs`); claims of a killed server ([`end_lost_claims`]) | [`Processor`] |
//! | `guard` | work that the caller runs itself: captures a failure as a letter, and changes nothing else | [`Guard::run`] |
//! | `letter_box` | captures failed work of guards, of sources without their own letters and of `letters.capture`: assessed with the queue's settings, on condition of their revision. Dead items of a queue do not pass here: the store moves them (`SettleAction::Dead`, `die`) | [`StoreLetterBox`] |
//! | [`conformance`] | the suite that every source must pass | |
//!
//! # Invariants
//!
//! - There is one loop, and one place in it that calls the policy. Sources do not know policies, handlers do not know
//!   attempt limits, and neither knows the other.
//! - The loop waits for signals only: a finished handler, an answer, a claim, a timer. An idle runner does not wake up.
//! - A claimed delivery is settled exactly once, or its claim is left to expire and that is counted. A result without
//!   an answer is settled again; the fence, the id that the item had when it was claimed, determines whether the first
//!   one was accepted.
//! - Results do not occupy a slot. While the source accepts none, they are kept and their claims are extended, and
//!   nothing new is claimed once there are as many results as handlers.
//! - A letter delays no other result. Letters are settled in a separate lane, with up to 16 calls at a time, and a
//!   hand-over that fails ([`SettleError::HandOver`]) is not repeated in the lane: its work is settled with
//!   [`Resolution::RedeliverForHandOver`], and the source delivers it again at the given time, for its hand-over only.
//!   The time grows from 100 ms to 5 s, is common to all letters of the runner, and is reset by the first one that is
//!   stored.
//! - Work that a source has withdrawn ([`Cancel::withdraw`]) does not begin; it is released without a charge. Work that
//!   has begun may be settled until the source ends the claim ([`Cancel::cancel`]), which stops the handler.
//! - The holder of a worker process owns its one current call; dropping it kills the process.
//! - An outage decides about attempts, not about letters: `runner/outages` keeps the result of a failure that may pass
//!   until it is clear whether the work or its destination is to blame, and the policy decides.

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
    HandBack, ManualRetry, OriginTarget, Processor, ProcessorError, ProcessorSettings, Retried, WhileDown,
    end_lost_claims,
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

//! Dead letter queues as a library.
//!
//! Redrive classifies the failures of your code, retries them within limits, and keeps what failed permanently as
//! letters: durable, with payload, error and every attempt. This crate is the one to depend on. It contains no code:
//! its modules are the crates of Redrive, and its features select them.
//!
//! It is not the program `redrive`, which is the crate `redrive-cli`. It is not a runtime either: its async functions
//! run on the caller's [tokio](https://docs.rs/tokio) runtime.
//!
//! # Example
//!
//! Guard a function: its failure becomes a letter, and the caller still gets its own error.
//!
//! ```
//! use std::io;
//! use std::sync::Arc;
//!
//! use redrive::core::{Policy, QueueName};
//! use redrive::embedded::{EmbeddedOptions, EmbeddedStore};
//! use redrive::model::{Content, CreateQueue, QueueSettings};
//! use redrive::run::{Guard, StoreLetterBox, Task};
//! use redrive::store::Store;
//!
//! async fn charge(_order: u32) -> Result<(), io::Error> {
//!     Err(io::Error::new(io::ErrorKind::TimedOut, "the payment service did not answer"))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default())?);
//! let failed = QueueName::new("charges-failed")?;
//! store.create_queue(CreateQueue { settings: QueueSettings::new(failed.clone()) }).await?;
//!
//! let guard = Guard::new(StoreLetterBox::new(store), failed, Policy::default());
//! let task = Task::new("charge", Content::of_payload("18")).with_id("order-18");
//! let guarded = guard.run(task, || charge(18)).await;
//!
//! assert!(guarded.result.is_err());
//! let Some(disposition) = guarded.disposition else { return Err("a failure has a disposition".into()) };
//! assert!(disposition.dlq_enqueued);
//! assert_eq!((disposition.error_category.as_str(), &*disposition.matched_rule), ("network", "io:TimedOut"));
//! # Ok(())
//! # }
//! ```
//!
//! # Modules and features
//!
//! | module | feature | content |
//! |---|---|---|
//! | [`core`] | | failures, classification and rules, policies, backoff, circuit breakers |
//! | [`model`] | | items, letters, queues, and every request and reply about them |
//! | [`store`] | | the contract of a store, and clocks |
//! | [`run`] | | runner, handlers, guard, and the retry processor of letters |
//! | `run` | `http`, `grpc` | handlers that send the work to an HTTP or gRPC target |
//! | `embedded` | `embedded` (default) | the store in the caller's process, on disk or in memory |
//! | `client` | `client` | the client of a Redrive server, and its queues as a source |
//! | `server` | `server` | the HTTP API over a store |
//! | `search` | `search` | the OpenSearch index of letters |
//! | `kafka` | `kafka` | the parallel Kafka consumer, with retries and dead letters |
//! | `mailbox` | `mailbox` | typed mailboxes in memory, with leases, replies and dead letters; loops over mailboxes |
//! | `redis` | `redis` | the same mailboxes on Redis |
//! | `run`, `store` | `conformance` | the test suites that every source and every store must pass |
//!
//! Without `http`, `grpc`, `client`, `server`, `search` and `redis`, no HTTP client and no TLS is compiled; `mailbox`
//! has a small HTTP server for health checks. `kafka` compiles librdkafka with OpenSSL, and needs gcc, g++, make and
//! perl.
//!
//! # Examples
//!
//! The folder `examples/` of the repository has a program for each of these uses. The first lines of each have the command
//! that runs it, with the features that it needs: `cargo run -p redrive --example loops --features mailbox`.
//!
//! | program | shows how to |
//! |---|---|
//! | `guard.rs` | guard a function: its failures become letters |
//! | `consume.rs` | consume a queue, with retries and a dead queue |
//! | `drain.rs` | drain letters to an HTTP endpoint |
//! | `rules.rs` | define classification rules |
//! | `embedded.rs` | keep queues and letters on disk |
//! | `remote.rs` | run a server, and use it with the client |
//! | `loops.rs`, `loops_include.rs`, `loops_exclude.rs`, `loops_policy.rs` | process requests with a loop and dead letters |
//! | `loops_alert.rs`, `loops_replay.rs` | report dead letters; replay chosen ones |
//! | `kafka.rs` | consume a Kafka topic in parallel, with retries and a DLQ topic |
//!
//! # Invariants
//!
//! - A module is a crate of the workspace under a shorter name (`redrive::core` is `redrive-core`); none of them depends
//!   on this one.
//! - No adapter is compiled by default: each is a feature.

/// Runs the examples of the guide.
#[cfg(all(doctest, feature = "embedded"))]
#[doc = include_str!("../../../docs/embed.md")]
struct Guide;

/// Compiles the examples of the page about handlers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/runner.md")]
struct RunnerPage;

/// Compiles the examples of the page about Kafka.
#[cfg(all(doctest, feature = "kafka"))]
#[doc = include_str!("../../../docs/kafka.md")]
struct KafkaPage;

/// Compiles the examples of the pages about mailboxes: with every backend.
#[cfg(all(doctest, feature = "client", feature = "embedded", feature = "redis"))]
mod mailbox_pages {
    #[doc = include_str!("../../../docs/mailbox.md")]
    struct Mailboxes;

    #[doc = include_str!("../../../docs/loops.md")]
    struct Loops;
}

pub use redrive_core as core;
pub use redrive_model as model;
pub use redrive_run as run;
pub use redrive_store as store;

#[cfg(feature = "client")]
pub use redrive_client as client;
#[cfg(feature = "embedded")]
pub use redrive_embedded as embedded;
#[cfg(feature = "kafka")]
pub use redrive_kafka as kafka;
#[cfg(feature = "mailbox")]
pub use redrive_mailbox as mailbox;
#[cfg(feature = "redis")]
pub use redrive_redis as redis;
#[cfg(feature = "search")]
pub use redrive_search as search;
#[cfg(feature = "server")]
pub use redrive_server as server;

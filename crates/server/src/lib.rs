//! The HTTP API of Redrive.
//!
//! Calls are `POST /v1/<noun>.<verb>` with a body in protobuf or in protobuf's JSON: the calls of the queue API, which
//! clients of Querator already use, and Redrive's own. The server also answers health checks and serves Prometheus
//! metrics and the `OpenAPI` description.
//!
//! It makes no decisions about items or letters: a call checks its request and the caller's permission, passes it to
//! the [`Store`](redrive_store::Store) and returns the result.
//!
//! ```no_run
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
//! use redrive_server::{Server, Settings};
//! use redrive_store::SystemClock;
//! use tokio_util::sync::CancellationToken;
//!
//! let store = EmbeddedStore::open("redrive-data".as_ref(), &EmbeddedOptions::default())?;
//! let server = Server::bind(Settings::default(), Arc::new(store), Arc::new(SystemClock)).await?;
//! println!("ready api={}", server.address());
//! server.serve(CancellationToken::new()).await;
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `http` | the path of a request, in the order that the API guarantees: method, key, path, size, encoding, call | `http/router.rs` |
//! | `request_context`, `app`, `error` | one call, its caller, and the checks shared by several calls; what all calls share; error replies | `RequestContext` |
//! | `queue`, `queues`, `storage` | the calls about queues, one per file | `queue/produce.rs` |
//! | `letters` | the calls about letters, one per file; `bulk` has the bulk operations | `letters/capture.rs` |
//! | `routes` | the calls about routes, and their definitions in the key space | `routes/server_routes.rs` |
//! | `tenancy` | namespaces, users, keys, roles, bindings: of each its record, and its calls in `calls.rs` | |
//! | `auth` | authentication and authorization | `Auth` |
//! | `records` | tenancy as records of the store's key space: `docs/key-space.md` | |
//! | `audit` | audit records of administrative acts: `docs/audit.md` | `audit/change.rs` |
//! | `search`, `letter_index` | the calls about the index of letters, and the index beside the store, if there is one | |
//! | `status` | the overview: numbers of queues, and the rules about what needs attention | `status/attention.rs` |
//! | `metrics`, `pages` | pages that need no key | |
//! | `traffic`, `deadlines`, `connections` | running requests, their deadlines, and the limits of connections | |
//! | `test_mode` | a stopped clock and frozen queues, behind a separate listener; only with the feature `test-mode` | |
//!
//! # Invariants
//!
//! - What happens to an item is decided by the store. A call that changes items or letters does it by one request to
//!   the store, with two exceptions: a retry on request claims first and settles afterwards (`letters/retry.rs`), and
//!   `search.restore` creates missing queues and reinstates letters one by one.
//! - A run over many letters changes each part of them by one request (retries as above) and stores its progress after it.
//!   Its start and its end are administrative acts (`letters/bulk/worker.rs`).
//! - Reads may precede that request. The queue is read for a permission; the settings for a capture (cached, and the
//!   capture carries their revision); the state before an administrative act (a condition of its write); for a reported
//!   failure the templates and the items (`queue/reported_fault.rs`: a change in between is not noticed). For an
//!   invalid request the queue is looked up, so that the error which the API guarantees first is returned first.
//! - Everything a caller waits for is one future inside its connection: a disconnected client cancels its request, and
//!   items of a lease that was not read are released. Administrative acts are the exception: they run to their end,
//!   because an act that has begun must get its audit record.
//! - An administrative act that changes the store by one request and its audit record are one unit, written on
//!   condition that the state on which it was decided is unchanged. Several servers on one store need no lock. Other
//!   acts (retries on request, recorded reads, `search.restore` and rebuilds) have a separate record.
//! - Answers of calls that other servers know never get new fields; Redrive adds separate calls.
//! - An error has a stable reason, in `details.reason` and in the header `X-Redrive-Reason-Code`; no program has to
//!   read a message.
//! - No client library is named here: adapters are crates below, behind the features `kafka`, `redis`, `grpc` and
//!   `search`.

mod api_error;
mod app;
mod audit;
mod auth;
mod configured;
mod connections;
mod deadlines;
mod disk_space;
mod http;
mod index_summary;
mod letter_index;
mod letters;
mod metrics;
mod pages;
mod paging;
mod problems;
mod queue;
mod queues;
mod records;
mod request_context;
mod request_id;
mod routes;
#[cfg(feature = "search")]
mod search;
mod server;
mod settings;
mod status;
mod storage;
mod tenancy;
#[cfg(feature = "test-mode")]
mod test_mode;
mod tls;
mod traffic;
mod wire;
mod wrong_fields;

pub use audit::{
    AuditActor, AuditBreak, AuditChain, AuditError, AuditOrigin, AuditRecord, AuditRecordId, AuditResult, AuditTarget,
    AuditVerifier, NotAnAuditRecordId, VerifiedChain, read_audit,
};
pub use auth::{AuthMode, Bootstrap, KeyScope};
pub use configured::{ConfigSource, ConfiguredSetting};
pub use routes::ServerRoutes;
#[cfg(feature = "search")]
pub use search::{CaptureMode, LetterIndex};
pub use server::{Server, StartError};
pub use settings::{Settings, TlsFiles};
pub use tenancy::{AdminKey, AdminKeyError};
#[cfg(feature = "test-mode")]
pub use test_mode::{TestClock, TestMode};
pub use tls::TlsError;

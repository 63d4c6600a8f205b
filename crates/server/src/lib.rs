//! The HTTP API of Redrive.
//!
//! Calls are `POST /v1/<noun>.<verb>` with a body in protobuf or in protobuf's JSON: the calls of the queue API, which
//! clients of Querator already use, and Redrive's own. The server also answers health checks and serves Prometheus
//! metrics and the `OpenAPI` description.
//!
//! It makes no decisions about items or letters: a call checks its request, passes it to the
//! [`Store`](redrive_store::Store) and returns the result.
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

mod app;
mod audit;
mod auth;
mod configured;
mod connections;
mod deadlines;
mod fault;
mod http;
mod letter_index;
mod letters;
mod metrics;
mod pages;
mod paging;
mod queue;
mod queues;
mod records;
mod request_context;
mod request_id;
mod routes;
mod search;
mod server;
mod settings;
mod status;
mod storage;
mod tenancy;
mod test_mode;
mod tls;
mod traffic;
mod wire;

pub use audit::{
    AuditActor, AuditBreak, AuditChain, AuditError, AuditOrigin, AuditRecord, AuditRecordId, AuditResult, AuditTarget,
    AuditVerifier, NotAnAuditRecordId, VerifiedChain, read_audit,
};
pub use auth::{AuthMode, Bootstrap, KeyScope};
pub use configured::{ConfigSource, ConfiguredSetting};
pub use letter_index::{CaptureMode, LetterIndex};
pub use routes::ServerRoutes;
pub use server::{Server, StartError};
pub use settings::{Settings, TlsFiles};
pub use tenancy::{AdminKey, AdminKeyError};
pub use test_mode::{TestClock, TestMode};
pub use tls::TlsError;

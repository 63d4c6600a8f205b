//! Redrive over HTTP.
//!
//! `POST /v1/<noun>.<verb>`, in protobuf or in protobuf's JSON: the calls of the queue API, which clients of other
//! servers know, and Redrive's own. Besides them health, metrics and the description of the API.
//!
//! It is not where anything is decided: a call checks what it was sent, asks the [`Store`](redrive_store::Store), and
//! says what came of it.
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
mod desk;
mod door;
mod fault;
mod letter_index;
mod letters;
mod metrics;
mod pages;
mod paging;
mod queue;
mod queues;
mod records;
mod request_id;
mod search;
mod server;
mod settings;
mod storage;
mod tenancy;
mod test_mode;
mod tls;
mod traffic;
mod wire;

pub use audit::{AuditActor, AuditChain, AuditError, AuditOrigin, AuditRecord, AuditResult, AuditTarget, read_audit};
pub use auth::{AuthMode, Bootstrap, KeyScope};
pub use configured::{ConfigSource, Configured};
pub use letter_index::{CaptureMode, LetterIndex};
pub use server::{Server, StartError};
pub use settings::{Settings, TlsFiles};
pub use tenancy::{AdminKey, AdminKeyError};
pub use test_mode::{TestClock, TestMode};
pub use tls::TlsError;

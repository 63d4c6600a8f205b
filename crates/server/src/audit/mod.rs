//! The audit log: every administrative act is recorded in the transaction of the act itself.
//!
//! The records of one run of a server form a chain in which each record contains the hash of the previous one.
//! `docs/audit.md` describes their fields and how a chain is verified. `audit.list` reads them.

mod act;
mod act_namespace;
mod chain;
mod change;
mod change_error;
mod filter;
mod hash;
mod list;
mod pages;
mod read;
mod record;
mod record_key;
mod rejection_limiter;
mod retention;
mod target;
mod verifier;
mod view;

pub(crate) use act_namespace::ActNamespace;
pub(crate) use chain::{ATTEMPTS_MAX, Chain};
pub(crate) use change::Change;
pub(crate) use change_error::ChangeError;
pub(crate) use hash::{AuditHash, hex};
pub(crate) use list::List;
pub use read::{AuditChain, AuditError, read_audit};
pub use record::{AuditActor, AuditOrigin, AuditRecord, AuditResult};
pub use record_key::{AuditRecordId, NotAnAuditRecordId};
pub(crate) use retention::retention_key;
pub use target::AuditTarget;
pub use verifier::{AuditBreak, AuditVerifier, VerifiedChain};

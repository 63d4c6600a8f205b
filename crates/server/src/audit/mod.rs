//! The audit log: every administrative act is recorded in the transaction of the act itself.
//!
//! The records of one run of a server form a chain in which each record contains the hash of the previous one.
//! `docs/audit.md` describes their fields and how a chain is verified.

mod act;
mod audit;
mod chain;
mod change;
mod hash;
mod read;
mod record;
mod rejection_limiter;
mod retention;
mod target;

pub(crate) use audit::{Audit, ChangeError};
pub(crate) use chain::{ATTEMPTS_MAX, Entry};
pub(crate) use change::Change;
pub(crate) use hash::{AuditHash, hex};
pub use read::{AuditChain, AuditError, read_audit};
pub use record::{AuditActor, AuditOrigin, AuditRecord, AuditResult};
pub(crate) use retention::retention_key;
pub use target::AuditTarget;

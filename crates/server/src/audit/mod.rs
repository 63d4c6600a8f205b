//! Who did what, when: every administrative act leaves a record, in the same unit as the act itself.
//!
//! The records of a server, from its start to its end, are a chain in which each names the hash of the one before.
//! `docs/audit.md` says what is in them and how a chain is verified.

mod act;
mod audit;
mod chain;
mod change;
mod forgotten;
mod hash;
mod read;
mod record;
mod refusals;
mod target;

pub(crate) use audit::{Audit, Undone};
pub(crate) use chain::{ATTEMPTS_MAX, Entry};
pub(crate) use change::Change;
pub(crate) use forgotten::forgotten_key;
pub(crate) use hash::{AuditHash, hex};
pub use read::{AuditChain, AuditError, read_audit};
pub use record::{AuditActor, AuditOrigin, AuditRecord, AuditResult};
pub use target::AuditTarget;

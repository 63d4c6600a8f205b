//! The audit log: which caller changed what, and when.

mod actions;
mod audit_log;
mod chain;
mod list;
mod namespaces;
mod rejections;
mod removals;

use audit_log::LastRecord;
pub(crate) use audit_log::records;

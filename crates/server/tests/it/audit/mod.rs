//! Who did what, when.

mod acts;
mod chain;
mod forgotten;
mod refusals;
mod words;

use words::AuditedBed;
pub(crate) use words::records;

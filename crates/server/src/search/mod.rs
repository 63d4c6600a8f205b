//! The index of letters: how it fares, making it anew, and letters back from it.

mod fault;
mod rebuild;
mod restore;
mod status;

pub(crate) use fault::{index, unsearched};
pub(crate) use rebuild::Rebuild;
pub(crate) use restore::Restore;
pub(crate) use status::Status;

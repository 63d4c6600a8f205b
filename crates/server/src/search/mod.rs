//! `search.*`: the state of the search index, its rebuild, and restoring letters from it.

mod fault;
mod rebuild;
mod restore;
mod status;

pub(crate) use fault::{index, search_fault};
pub(crate) use rebuild::Rebuild;
pub(crate) use restore::Restore;
pub(crate) use status::Status;

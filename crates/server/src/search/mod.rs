//! `search.*`: the state of the search index, its rebuild, and restoring letters from it.

mod error;
mod letter_index;
mod rebuild;
mod restore;
mod status;

pub(crate) use error::{index, search_error};
pub use letter_index::{CaptureMode, LetterIndex};
pub(crate) use rebuild::Rebuild;
pub(crate) use restore::Restore;
pub(crate) use status::Status;

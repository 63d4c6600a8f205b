//! The index behind the alias: mapping, creation and ownership.

mod index;
mod mapping;
mod mark;

pub(crate) use index::{ExistingIndex, Index};
pub use mapping::{mapping, template};
pub(crate) use mark::Mark;

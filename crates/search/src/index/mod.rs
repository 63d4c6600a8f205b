//! The index behind the alias: its mapping, its making, and whose letters it holds.

mod index;
mod mapping;
mod mark;

pub(crate) use index::{Index, Standing};
pub use mapping::{mapping, template};
pub(crate) use mark::Mark;

//! A letter as a document: searchable fields with the names of the seed, and the complete letter to restore it.

mod document;
mod kept;
mod micros;
mod write;

pub use document::Document;
pub use kept::{KeptLetter, Unreadable};
pub(crate) use write::{Extent, delete_lines, index_lines};

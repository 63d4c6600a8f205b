//! A letter as a document: the seed's fields to search by, and the whole letter to restore it from.

mod document;
mod kept;
mod micros;
mod write;

pub use document::Document;
pub use kept::{KeptLetter, Unreadable};
pub(crate) use write::{Extent, delete_lines, index_lines};

//! A letter as a document: searchable fields with the names of the seed, and the complete letter to restore it.

mod document;
mod write;

pub use document::Document;
pub(crate) use write::{Extent, delete_lines, index_lines};

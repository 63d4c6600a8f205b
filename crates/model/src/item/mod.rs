//! Items, their contents and documents.

mod content;
mod document_kind;
mod document_list;
mod document_ref;
mod item;

pub use content::{Content, Header};
pub use document_kind::DocumentKind;
pub use document_list::{DocumentEntry, DocumentList};
pub use document_ref::DocumentRef;
pub use item::{FailureSummary, FormerLetter, Item, ItemExtension, Phase, RareFields};

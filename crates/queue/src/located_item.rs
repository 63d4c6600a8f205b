//! An item with the places of its documents.

use redrive_model::{DocumentEntry, DocumentRef, Item, ItemInfo};

/// An item in the reply of a store, before its documents are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedItem {
    pub info: ItemInfo,
    pub content: DocumentRef,
    /// The other documents, oldest first.
    pub documents: Vec<DocumentEntry>,
}

impl LocatedItem {
    pub(crate) fn of(slot: u32, item: &Item) -> Self {
        Self { info: ItemInfo::of(slot, item), content: item.place, documents: item.docs().collect() }
    }
}

//! An item with the addresses of its documents.

use redrive_model::{DocumentEntry, DocumentRef, Item, ItemInfo};

/// An item as a store answers with it, once its documents are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedItem {
    pub info: ItemInfo,
    pub content: DocumentRef,
    /// What else is kept about it, oldest first.
    pub documents: Vec<DocumentEntry>,
}

impl LocatedItem {
    pub(crate) fn of(slot: u32, item: &Item) -> Self {
        Self { info: ItemInfo::of(slot, item), content: item.place, documents: item.docs().collect() }
    }
}

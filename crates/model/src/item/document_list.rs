//! A compact list of the documents of an item.

use super::{DocumentKind, DocumentRef};

/// A document that belongs to an item, besides its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentEntry {
    pub kind: DocumentKind,
    pub place: DocumentRef,
}

/// The documents of one item, oldest first. Memory matters more than speed: a list changes only once per attempt, and
/// there may be millions of lists. So it has no spare capacity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentList(Option<Box<Entries>>);

/// A separate allocation keeps the empty list at one pointer: most letters have no documents except those in the record
/// of their content.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entries(Box<[DocumentEntry]>);

impl DocumentList {
    pub fn push(&mut self, doc: DocumentEntry) {
        let mut docs = self.take();
        docs.reserve_exact(1);
        docs.push(doc);
        *self = docs.into();
    }

    pub fn remove(&mut self, at: usize) -> DocumentEntry {
        let mut docs = self.take();
        let removed = docs.remove(at);
        *self = docs.into();
        removed
    }

    fn take(&mut self) -> Vec<DocumentEntry> {
        self.0.take().map(|entries| entries.0.into_vec()).unwrap_or_default()
    }

    pub fn as_slice(&self) -> &[DocumentEntry] {
        self.0.as_ref().map_or(&[], |entries| &entries.0)
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, DocumentEntry> {
        self.as_slice().iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, DocumentEntry> {
        self.0.as_mut().map_or(&mut [][..], |entries| &mut entries.0).iter_mut()
    }
}

impl From<Vec<DocumentEntry>> for DocumentList {
    fn from(docs: Vec<DocumentEntry>) -> Self {
        Self((!docs.is_empty()).then(|| Box::new(Entries(docs.into_boxed_slice()))))
    }
}

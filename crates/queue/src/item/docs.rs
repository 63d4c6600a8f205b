//! The documents of an item, in no more room than they need.

use super::{DocKind, Place};

/// A document that belongs to an item, besides its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Doc {
    pub(crate) kind: DocKind,
    pub(crate) place: Place,
}

/// The documents of one item, oldest first. They change as often as it is tried, and there may be millions of them: so
/// there is no room to grow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Docs(Box<[Doc]>);

impl Docs {
    pub(crate) fn push(&mut self, doc: Doc) {
        let mut docs = std::mem::take(&mut self.0).into_vec();
        docs.reserve_exact(1);
        docs.push(doc);
        self.0 = docs.into_boxed_slice();
    }

    pub(crate) fn remove(&mut self, at: usize) -> Doc {
        let mut docs = std::mem::take(&mut self.0).into_vec();
        let removed = docs.remove(at);
        self.0 = docs.into_boxed_slice();
        removed
    }

    pub(crate) fn as_slice(&self) -> &[Doc] {
        &self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Doc> {
        self.0.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Doc> {
        self.0.iter_mut()
    }
}

impl From<Vec<Doc>> for Docs {
    fn from(docs: Vec<Doc>) -> Self {
        Self(docs.into_boxed_slice())
    }
}

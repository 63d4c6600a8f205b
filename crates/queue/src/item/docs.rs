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
pub(crate) struct Docs(Option<Box<Pile>>);

/// Behind a pointer of its own: most letters have no documents but those that stand with their content.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pile(Box<[Doc]>);

impl Docs {
    pub(crate) fn push(&mut self, doc: Doc) {
        let mut docs = self.take();
        docs.reserve_exact(1);
        docs.push(doc);
        *self = docs.into();
    }

    pub(crate) fn remove(&mut self, at: usize) -> Doc {
        let mut docs = self.take();
        let removed = docs.remove(at);
        *self = docs.into();
        removed
    }

    fn take(&mut self) -> Vec<Doc> {
        self.0.take().map(|pile| pile.0.into_vec()).unwrap_or_default()
    }

    pub(crate) fn as_slice(&self) -> &[Doc] {
        self.0.as_ref().map_or(&[], |pile| &pile.0)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Doc> {
        self.as_slice().iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Doc> {
        self.0.as_mut().map_or(&mut [][..], |pile| &mut pile.0).iter_mut()
    }
}

impl From<Vec<Doc>> for Docs {
    fn from(docs: Vec<Doc>) -> Self {
        Self((!docs.is_empty()).then(|| Box::new(Pile(docs.into_boxed_slice()))))
    }
}

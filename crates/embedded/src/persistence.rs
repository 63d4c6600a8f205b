//! Who keeps facts and documents: a log, or nobody but memory.

use redrive_journal::{AppendError, Use};
use redrive_model::{DocumentEntry, DocumentKind, DocumentRef};
use redrive_queue::{Facts, LocatedItem, State};

use crate::answer::{Entry, Held};
use crate::documents::{Documents, HeldDocument};
use crate::log::Log;

#[derive(Debug)]
pub(crate) enum Persistence {
    Memory(Documents),
    Log(Box<Log>),
}

impl Persistence {
    /// Makes sure that facts of this size find room.
    pub(crate) fn reserve(&mut self, bytes: usize, purpose: Use) -> Result<(), AppendError> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Log(log) => log.reserve(bytes, purpose),
        }
    }

    /// Makes facts durable, and tells the state where their documents are.
    pub(crate) fn keep(&mut self, state: &mut State, facts: &Facts, purpose: Use) -> Result<(), AppendError> {
        let places = match self {
            Self::Memory(documents) => documents.keep(facts),
            Self::Log(log) => log.keep(state, facts, purpose)?,
        };
        state.kept(facts, places);
        for freed in state.take_freed() {
            match self {
                Self::Memory(documents) => documents.remove(freed),
                Self::Log(log) => log.cache.remove(freed),
            }
        }
        Ok(())
    }

    /// An item with its content, and with its other documents where they are selected.
    pub(crate) fn entry(&self, item: LocatedItem, facts: &Facts, selection: DocumentSelection) -> Entry {
        let LocatedItem { info, content, documents } = item;
        let documents = documents.into_iter().filter(|document| selection.covers(document.kind));
        let held = |document: DocumentEntry| {
            (document.kind, self.held(document.place, document.kind == DocumentKind::Original, facts))
        };
        Entry { content: self.held(content, true, facts), documents: documents.map(held).collect(), info }
    }

    /// What is at a place. Only contents are cached, without the papers that may stand with them.
    fn held(&self, place: DocumentRef, is_content: bool, facts: &Facts) -> Held {
        if let Some(pending) = place.pending_in().and_then(|record| facts.document(record)) {
            return Held::Here(pending.into());
        }
        let here = match self {
            Self::Memory(documents) => documents.get(place).cloned(),
            Self::Log(_) if !is_content => None,
            Self::Log(log) => log.cache.get(place).map(|content| HeldDocument::Content(content.clone())),
        };
        here.map_or(Held::At(place), Held::Here)
    }
}

/// Which documents of an item are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentSelection {
    Content,
    /// What the holder of an item should know.
    ForDelivery,
    All,
}

impl DocumentSelection {
    const fn covers(self, kind: DocumentKind) -> bool {
        match self {
            Self::Content => false,
            Self::ForDelivery => matches!(kind, DocumentKind::Context | DocumentKind::Parts),
            Self::All => true,
        }
    }
}

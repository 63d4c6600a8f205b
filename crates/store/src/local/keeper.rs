//! Who keeps facts and documents: a log, or nobody but memory.

use redrive_journal::{AppendError, Use};
use redrive_queue::{DocumentInfo, DocumentKind, Facts, ItemInfo, Place, State};

use super::answer::{Entry, Held};
use super::documents::{Document, Documents};
use super::log::Log;

#[derive(Debug)]
pub(crate) enum Keeper {
    Memory(Documents),
    Log(Box<Log>),
}

impl Keeper {
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

    /// An item with its content, and with its other documents where they are wanted.
    pub(crate) fn entry(&self, info: ItemInfo, facts: &Facts, wanted: Wanted) -> Entry {
        let is_wanted = |document: &&DocumentInfo| match wanted {
            Wanted::Content => false,
            Wanted::Story => matches!(document.kind, DocumentKind::Dossier | DocumentKind::Parts),
            Wanted::Everything => true,
        };
        let documents = info
            .documents
            .iter()
            .filter(is_wanted)
            .map(|document| (document.kind, self.held(document.place, document.kind == DocumentKind::Original, facts)))
            .collect();
        Entry { content: self.held(info.content, true, facts), documents, info }
    }

    /// What is at a place. Only contents are cached, without the papers that may stand with them.
    fn held(&self, place: Place, is_content: bool, facts: &Facts) -> Held {
        if let Some(pending) = place.pending_in().and_then(|record| facts.document(record)) {
            return Held::Here(pending.into());
        }
        let here = match self {
            Self::Memory(documents) => documents.get(place).cloned(),
            Self::Log(_) if !is_content => None,
            Self::Log(log) => log.cache.get(place).map(|content| Document::Content(content.clone())),
        };
        here.map_or(Held::At(place), Held::Here)
    }
}

/// What of an item's documents is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Content,
    /// What whoever works on it should know.
    Story,
    Everything,
}

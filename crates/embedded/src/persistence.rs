//! Where facts and documents are stored: in a log on disk, or only in memory.

use redrive_journal::{AppendError, Use};
use redrive_model::{DocumentEntry, DocumentKind, DocumentRef};
use redrive_queue::{Facts, LocatedItem, State};

use crate::answer::{DocumentSource, Entry};
use crate::documents::{Documents, LoadedDocument};
use crate::log::Log;

#[derive(Debug)]
pub(crate) enum Persistence {
    Memory(Documents),
    Log(Box<Log>),
}

impl Persistence {
    /// Reserves disk space for facts of this size.
    pub(crate) fn reserve(&mut self, bytes: usize, purpose: Use) -> Result<(), AppendError> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::Log(log) => log.reserve(bytes, purpose),
        }
    }

    /// Makes facts durable, and updates the places of their documents in the state.
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

    /// An item with its content and its selected other documents.
    pub(crate) fn entry(&self, item: LocatedItem, facts: &Facts, selection: DocumentSelection) -> Entry {
        let LocatedItem { info, content, documents } = item;
        let documents = documents.into_iter().filter(|document| selection.covers(document.kind));
        let source = |document: DocumentEntry| {
            (document.kind, self.source(document.place, document.kind == DocumentKind::Original, facts))
        };
        Entry { content: self.source(content, true, facts), documents: documents.map(source).collect(), info }
    }

    /// The document at a place. Only contents are cached, without the letter header that may be stored with them.
    fn source(&self, place: DocumentRef, is_content: bool, facts: &Facts) -> DocumentSource {
        if let Some(pending) = place.pending_in().and_then(|record| facts.document(record)) {
            return DocumentSource::Loaded(pending.into());
        }
        let loaded = match self {
            Self::Memory(documents) => documents.get(place).cloned(),
            Self::Log(_) if !is_content => None,
            Self::Log(log) => log.cache.get(place).map(|content| LoadedDocument::Content(content.clone())),
        };
        loaded.map_or(DocumentSource::OnDisk(place), DocumentSource::Loaded)
    }
}

/// Which documents of an item are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentSelection {
    Content,
    /// The content, and what the holder of the item needs: capture context, and the notes of earlier holders.
    ForDelivery,
    All,
}

impl DocumentSelection {
    const fn covers(self, kind: DocumentKind) -> bool {
        match self {
            Self::Content => false,
            Self::ForDelivery => kind.is_replaced() || matches!(kind, DocumentKind::Context),
            Self::All => true,
        }
    }
}

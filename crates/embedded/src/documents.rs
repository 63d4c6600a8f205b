//! Documents in memory, for a store without a log.

use std::sync::Arc;

use redrive_model::{Content, DocumentRef, LetterHeader};
use redrive_queue::{Facts, KeptDocuments, Pending};

/// A document that is at hand.
#[derive(Debug, Clone)]
pub(crate) enum HeldDocument {
    Content(Arc<Content>),
    /// A content with the papers of its letter.
    Filed(LetterHeader, Arc<Content>),
    Kept(KeptDocuments),
}

impl From<Pending<'_>> for HeldDocument {
    fn from(pending: Pending<'_>) -> Self {
        match pending {
            Pending::Content(content) => Self::Content(Arc::clone(content)),
            Pending::Filed(papers, content) => Self::Filed(papers, Arc::clone(content)),
            Pending::Kept(kept) => Self::Kept(kept),
        }
    }
}

/// Documents by number, in chunks that are never copied.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    chunks: Vec<Vec<Option<HeldDocument>>>,
    free: Vec<u32>,
}

const CHUNK: usize = 1024;
const SHELF: u32 = 0;

impl Documents {
    /// Keeps the documents of these facts; gives the place of each record's.
    pub(crate) fn keep(&mut self, facts: &Facts) -> Vec<DocumentRef> {
        let kept = (0..facts.len()).zip(facts.iter()).map(|(record, recorded)| {
            let document = recorded.slot.and_then(|_| facts.document(record));
            let len = u32::try_from(recorded.payload.len()).unwrap_or(u32::MAX);
            document.map_or(DocumentRef { shelf: SHELF, offset: u32::MAX, len: 0 }, |document| {
                self.put(document.into(), len)
            })
        });
        kept.collect()
    }

    fn put(&mut self, document: HeldDocument, len: u32) -> DocumentRef {
        let number = self.free.pop().unwrap_or_else(|| {
            if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
                self.chunks.push(Vec::with_capacity(CHUNK));
            }
            let full = (self.chunks.len() - 1) * CHUNK;
            let last = self.chunks.last_mut().map_or(0, |chunk| {
                chunk.push(None);
                chunk.len() - 1
            });
            u32::try_from(full + last).unwrap_or(u32::MAX)
        });
        if let Some(slot) = self.slot(number) {
            *slot = Some(document);
        }
        DocumentRef { shelf: SHELF, offset: number, len }
    }

    pub(crate) fn get(&self, place: DocumentRef) -> Option<&HeldDocument> {
        let number = place.offset as usize;
        self.chunks.get(number / CHUNK)?.get(number % CHUNK)?.as_ref()
    }

    pub(crate) fn remove(&mut self, place: DocumentRef) {
        if self.slot(place.offset).and_then(Option::take).is_some() {
            self.free.push(place.offset);
        }
    }

    fn slot(&mut self, number: u32) -> Option<&mut Option<HeldDocument>> {
        self.chunks.get_mut(number as usize / CHUNK)?.get_mut(number as usize % CHUNK)
    }
}

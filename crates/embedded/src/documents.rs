//! Documents in memory, for a store without a log.

use std::sync::Arc;

use redrive_model::{Content, DocumentRef, LetterHeader};
use redrive_queue::{Facts, KeptDocuments, Pending};

/// A document in memory.
#[derive(Debug, Clone)]
pub(crate) enum LoadedDocument {
    Content(Arc<Content>),
    /// A content with the header of its letter.
    Filed(LetterHeader, Arc<Content>),
    Kept(KeptDocuments),
}

impl From<Pending<'_>> for LoadedDocument {
    fn from(pending: Pending<'_>) -> Self {
        match pending {
            Pending::Content(content) => Self::Content(Arc::clone(content)),
            Pending::Filed(header, content) => Self::Filed(header, Arc::clone(content)),
            Pending::Kept(kept) => Self::Kept(kept),
        }
    }
}

/// Documents by number, in chunks that are never reallocated.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    chunks: Vec<Vec<Option<LoadedDocument>>>,
    free: Vec<u32>,
}

const CHUNK: usize = 1024;
const SHELF: u32 = 0;

impl Documents {
    /// Stores the documents of these facts and returns the place of each fact's document.
    pub(crate) fn keep(&mut self, facts: &Facts) -> Vec<DocumentRef> {
        let kept = (0..facts.len()).zip(facts.iter()).map(|(record, recorded)| {
            let document = recorded.slot.and_then(|_| facts.document(record));
            let len = u32::try_from(recorded.payload.len()).unwrap_or(u32::MAX);
            document.map_or(DocumentRef { segment: SHELF, offset: u32::MAX, len: 0 }, |document| {
                self.put(document.into(), len)
            })
        });
        kept.collect()
    }

    fn put(&mut self, document: LoadedDocument, len: u32) -> DocumentRef {
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
        DocumentRef { segment: SHELF, offset: number, len }
    }

    pub(crate) fn get(&self, place: DocumentRef) -> Option<&LoadedDocument> {
        let number = place.offset as usize;
        self.chunks.get(number / CHUNK)?.get(number % CHUNK)?.as_ref()
    }

    pub(crate) fn remove(&mut self, place: DocumentRef) {
        if self.slot(place.offset).and_then(Option::take).is_some() {
            self.free.push(place.offset);
        }
    }

    fn slot(&mut self, number: u32) -> Option<&mut Option<LoadedDocument>> {
        self.chunks.get_mut(number as usize / CHUNK)?.get_mut(number as usize % CHUNK)
    }
}

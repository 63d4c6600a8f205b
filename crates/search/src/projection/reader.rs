//! Reading the feed in batches that are neither too many nor too large.

use std::collections::BTreeSet;
use std::sync::Arc;

use redrive_core::{QueueName, Span, Time};
use redrive_model::{Cursor, FeedChange, FeedPage, ReadChanges};
use redrive_store::{Store, StoreError};

use super::Op;
use crate::{Document, SearchSettings};

/// A reader of the feed, known by its name.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    store: Arc<dyn Store>,
    cursor: String,
    documents_max: usize,
    bytes_max: usize,
}

/// Changes, of which no two are about the same letter.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) letters: Vec<Op>,
    /// Queues that are gone, each once: what is left of its letters is asked of the store, and not told by the feed.
    pub(crate) queues: BTreeSet<QueueName>,
    /// What to advance to once they are dealt with.
    pub(crate) position: u64,
    pub(crate) depth: usize,
    /// When the oldest of them came about, as far as it tells.
    pub(crate) oldest: Option<Time>,
    /// Nothing was behind them when they were read.
    pub(crate) is_last: bool,
}

/// What waits in the feed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outbox {
    /// How many changes wait for some reader.
    pub(crate) depth: usize,
    pub(crate) oldest: Option<Time>,
}

/// A page holds whole letters in memory, which may be large: few at a time.
const PAGE: usize = 64;

impl Reader {
    pub(crate) fn new(store: Arc<dyn Store>, cursor: String, settings: &SearchSettings) -> Self {
        let SearchSettings { batch_documents, batch_bytes, .. } = settings;
        Self { store, cursor, documents_max: *batch_documents, bytes_max: *batch_bytes }
    }

    /// Whether the store knows this reader; from then on it keeps changes for it.
    pub(crate) async fn register(&self) -> Result<bool, StoreError> {
        let is_known = match self.store.changes(self.changes(None, 0)).await {
            Ok(_) => true,
            Err(StoreError::Rejected(redrive_model::Rejection::NoSuchCursor(_))) => false,
            Err(error) => return Err(error),
        };
        self.store.cursor(Cursor::Register { name: self.cursor.clone() }).await?;
        Ok(is_known)
    }

    /// Has the store forget this reader, if it knows it.
    pub(crate) async fn remove(&self) -> Result<(), StoreError> {
        match self.store.cursor(Cursor::Remove { name: self.cursor.clone() }).await {
            Ok(_) | Err(StoreError::Rejected(redrive_model::Rejection::NoSuchCursor(_))) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn advance(&self, position: u64) -> Result<(), StoreError> {
        self.store.cursor(Cursor::Advance { name: self.cursor.clone(), position }).await.map(|_| ())
    }

    /// What waits, and since when, as far as the oldest change tells.
    pub(crate) async fn outbox(&self) -> Result<Outbox, StoreError> {
        let page = self.store.changes(self.changes(None, 1)).await?;
        Ok(Outbox { depth: page.depth, oldest: page.changes.first().and_then(changed_at) })
    }

    /// The next changes; waits so long for the first.
    pub(crate) async fn next(&self, wait: Span) -> Result<Batch, StoreError> {
        let mut batch = Batch::default();
        let mut filled = Filled::default();
        let mut limit = PAGE.min(self.documents_max);
        let first = ReadChanges { wait, ..self.changes(None, limit) };
        let mut page = self.store.changes(first).await?;
        loop {
            let is_last = page.changes.len() < limit;
            (batch.position, batch.depth, batch.is_last) = (page.position, page.depth, is_last);
            batch.add(page, &mut filled);
            if is_last || filled.documents >= self.documents_max || filled.bytes >= self.bytes_max {
                return Ok(batch);
            }
            limit = PAGE.min(self.documents_max - filled.documents);
            page = self.store.changes(self.changes(Some(batch.position), limit)).await?;
        }
    }

    fn changes(&self, after: Option<u64>, limit: usize) -> ReadChanges {
        ReadChanges { cursor: self.cursor.clone(), after, limit, wait: Span::ZERO }
    }
}

#[derive(Debug, Default)]
struct Filled {
    documents: usize,
    bytes: usize,
}

impl Batch {
    pub(crate) fn is_empty(&self) -> bool {
        self.letters.is_empty() && self.queues.is_empty()
    }

    fn add(&mut self, page: FeedPage, filled: &mut Filled) {
        for change in page.changes {
            filled.documents += 1;
            self.oldest = self.oldest.or_else(|| changed_at(&change));
            let op = match change {
                FeedChange::Now { queue, letter } => Op::index(queue, letter),
                FeedChange::Gone { letter, .. } => Some(Op::delete(letter)),
                FeedChange::QueueGone { queue } => {
                    self.queues.insert(queue);
                    None
                }
            };
            filled.bytes += op.as_ref().map_or(0, |op| op.lines.len());
            self.letters.extend(op);
        }
    }
}

/// When it came about; the end of a letter does not tell.
fn changed_at(change: &FeedChange) -> Option<Time> {
    match change {
        FeedChange::Now { queue, letter } => Document::of(queue, letter).map(|document| document.updated_at),
        FeedChange::Gone { .. } | FeedChange::QueueGone { .. } => None,
    }
}

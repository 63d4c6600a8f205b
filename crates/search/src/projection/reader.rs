//! Reads the feed in batches of limited number and size.

use std::collections::BTreeSet;
use std::sync::Arc;

use redrive_core::{QueueName, Span, Time};
use redrive_model::{Cursor, FeedChange, FeedPage, ReadChanges};
use redrive_store::{Store, StoreError};

use super::Op;
use crate::{Document, SearchSettings};

/// A named reader of the feed.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    store: Arc<dyn Store>,
    cursor: String,
    documents_max: usize,
    bytes_max: usize,
}

/// A batch of changes, at most one per letter.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) letters: Vec<Op>,
    /// Deleted queues. The feed does not list their letters; the index is searched for them.
    pub(crate) queues: BTreeSet<QueueName>,
    /// Position to advance to once the batch is processed.
    pub(crate) position: u64,
    pub(crate) depth: usize,
    /// Time of the oldest change, if known.
    pub(crate) oldest: Option<Time>,
    /// Whether the feed had no further changes when the batch was read.
    pub(crate) is_last: bool,
}

/// The waiting changes of the feed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outbox {
    /// Number of changes waiting for any reader.
    pub(crate) depth: usize,
    pub(crate) oldest: Option<Time>,
}

/// A page holds complete letters in memory, which may be large.
const PAGE: usize = 64;

impl Reader {
    pub(crate) fn new(store: Arc<dyn Store>, cursor: String, settings: &SearchSettings) -> Self {
        let SearchSettings { batch_documents, batch_bytes, .. } = settings;
        Self { store, cursor, documents_max: *batch_documents, bytes_max: *batch_bytes }
    }

    /// Registers the reader, so that the store keeps changes for it. Returns whether it was registered before.
    pub(crate) async fn register(&self) -> Result<bool, StoreError> {
        let is_known = match self.store.changes(self.changes(None, 0)).await {
            Ok(_) => true,
            Err(StoreError::Rejected(redrive_model::Rejection::NoSuchCursor(_))) => false,
            Err(error) => return Err(error),
        };
        self.store.cursor(Cursor::Register { name: self.cursor.clone() }).await?;
        Ok(is_known)
    }

    /// Removes the reader from the store, if it is registered.
    pub(crate) async fn remove(&self) -> Result<(), StoreError> {
        match self.store.cursor(Cursor::Remove { name: self.cursor.clone() }).await {
            Ok(_) | Err(StoreError::Rejected(redrive_model::Rejection::NoSuchCursor(_))) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn advance(&self, position: u64) -> Result<(), StoreError> {
        self.store.cursor(Cursor::Advance { name: self.cursor.clone(), position }).await.map(|_| ())
    }

    /// Returns the number of waiting changes, and the time of the oldest, if known.
    pub(crate) async fn outbox(&self) -> Result<Outbox, StoreError> {
        let page = self.store.changes(self.changes(None, 1)).await?;
        Ok(Outbox { depth: page.depth, oldest: page.changes.first().and_then(changed_at) })
    }

    /// Returns the next batch; waits for its first change at most `wait`.
    pub(crate) async fn next(&self, wait: Span) -> Result<Batch, StoreError> {
        let mut batch = Batch::default();
        let mut size = BatchSize::default();
        let mut limit = PAGE.min(self.documents_max);
        let first = ReadChanges { wait, ..self.changes(None, limit) };
        let mut page = self.store.changes(first).await?;
        loop {
            let is_last = page.changes.len() < limit;
            (batch.position, batch.depth, batch.is_last) = (page.position, page.depth, is_last);
            batch.add(page, &mut size);
            if is_last || size.documents >= self.documents_max || size.bytes >= self.bytes_max {
                return Ok(batch);
            }
            limit = PAGE.min(self.documents_max - size.documents);
            page = self.store.changes(self.changes(Some(batch.position), limit)).await?;
        }
    }

    fn changes(&self, after: Option<u64>, limit: usize) -> ReadChanges {
        ReadChanges { cursor: self.cursor.clone(), after, limit, wait: Span::ZERO }
    }
}

#[derive(Debug, Default)]
struct BatchSize {
    documents: usize,
    bytes: usize,
}

impl Batch {
    pub(crate) fn is_empty(&self) -> bool {
        self.letters.is_empty() && self.queues.is_empty()
    }

    fn add(&mut self, page: FeedPage, size: &mut BatchSize) {
        for change in page.changes {
            size.documents += 1;
            self.oldest = self.oldest.or_else(|| changed_at(&change));
            let op = match change {
                FeedChange::Now { queue, letter } => Op::index(queue, letter),
                FeedChange::Gone { letter, .. } => Some(Op::delete(letter)),
                FeedChange::QueueGone { queue } => {
                    self.queues.insert(queue);
                    None
                }
            };
            size.bytes += op.as_ref().map_or(0, |op| op.lines.len());
            self.letters.extend(op);
        }
    }
}

/// Returns the time of a change; a removal has none.
fn changed_at(change: &FeedChange) -> Option<Time> {
    match change {
        FeedChange::Now { queue, letter } => Document::of(queue, letter).map(|document| document.updated_at),
        FeedChange::Gone { .. } | FeedChange::QueueGone { .. } => None,
    }
}

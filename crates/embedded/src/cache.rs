//! The cache of contents: the newest ones, and those read ahead of the next leases.
//!
//! As long as consumers keep up, what was just produced is leased next. Places in the log grow over time, so the map is
//! ordered by age and its first entry is the oldest.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_model::{Content, DocumentRef};

#[derive(Debug)]
pub(crate) struct Cache {
    newest: CachePart,
    /// Contents that the next leases out of a backlog need, read ahead of them.
    read_ahead: CachePart,
}

#[derive(Debug)]
struct CachePart {
    contents: BTreeMap<DocumentRef, Arc<Content>>,
    bytes: usize,
    bytes_max: usize,
}

/// The memory overhead of an entry.
const ENTRY_BYTES: usize = 256;

/// The share of the cache for contents that are read ahead: one part in this many.
const READ_AHEAD_PART: usize = 8;

impl Cache {
    pub(crate) fn new(bytes_max: usize) -> Self {
        let part = |bytes_max| CachePart { contents: BTreeMap::new(), bytes: 0, bytes_max };
        Self { newest: part(bytes_max - bytes_max / READ_AHEAD_PART), read_ahead: part(bytes_max / READ_AHEAD_PART) }
    }

    pub(crate) fn get(&self, place: DocumentRef) -> Option<&Arc<Content>> {
        self.read_ahead.contents.get(&place).or_else(|| self.newest.contents.get(&place))
    }

    /// Caches a content that was just written, evicting the oldest. If `before` ready items precede it and their
    /// contents would not fit into the cache, it is not cached: it would be evicted again before it is leased.
    pub(crate) fn put(&mut self, place: DocumentRef, content: &Arc<Content>, before: u64) {
        if before.saturating_mul(cost(content) as u64) > self.newest.bytes_max as u64 {
            return;
        }
        self.newest.put(place, Arc::clone(content));
        while self.newest.is_over() && self.newest.pop(BTreeMap::pop_first) {}
    }

    /// Caches a content that was read ahead, evicting the one that is needed last.
    pub(crate) fn put_read_ahead(&mut self, place: DocumentRef, content: Arc<Content>) {
        self.read_ahead.put(place, content);
        while self.read_ahead.is_over() && self.read_ahead.pop(BTreeMap::pop_last) {}
    }

    pub(crate) fn remove(&mut self, place: DocumentRef) {
        // A content is in one part at most.
        if !self.read_ahead.remove(place) {
            self.newest.remove(place);
        }
    }
}

type Pop = fn(&mut BTreeMap<DocumentRef, Arc<Content>>) -> Option<(DocumentRef, Arc<Content>)>;

impl CachePart {
    fn put(&mut self, place: DocumentRef, content: Arc<Content>) {
        self.bytes += cost(&content);
        if let Some(before) = self.contents.insert(place, content) {
            self.bytes -= cost(&before);
        }
    }

    const fn is_over(&self) -> bool {
        self.bytes > self.bytes_max
    }

    fn pop(&mut self, pop: Pop) -> bool {
        let popped = pop(&mut self.contents);
        if let Some((_, content)) = &popped {
            self.bytes -= cost(content);
        }
        popped.is_some()
    }

    fn remove(&mut self, place: DocumentRef) -> bool {
        let removed = self.contents.remove(&place);
        if let Some(content) = &removed {
            self.bytes -= cost(content);
        }
        removed.is_some()
    }
}

fn cost(content: &Content) -> usize {
    content.bytes_max() + ENTRY_BYTES
}

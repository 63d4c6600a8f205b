//! The newest contents, at hand.
//!
//! What was just produced is what is leased next, as long as consumers keep up. Places in the log grow with age,
//! so the order of the places is the order of age, and the oldest is the first of the map.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_model::{Content, DocumentRef};

#[derive(Debug)]
pub(crate) struct Cache {
    newest: Shelf,
    /// What is leased next out of a backlog, read ahead of it.
    ahead: Shelf,
}

#[derive(Debug)]
struct Shelf {
    contents: BTreeMap<DocumentRef, Arc<Content>>,
    bytes: usize,
    bytes_max: usize,
}

/// What an entry costs besides its payload.
const ENTRY_BYTES: usize = 256;

/// Of the room, so much is for what is read ahead: one part of these.
const PARTS: usize = 8;

impl Cache {
    pub(crate) fn new(bytes_max: usize) -> Self {
        let shelf = |bytes_max| Shelf { contents: BTreeMap::new(), bytes: 0, bytes_max };
        Self { newest: shelf(bytes_max - bytes_max / PARTS), ahead: shelf(bytes_max / PARTS) }
    }

    pub(crate) fn get(&self, place: DocumentRef) -> Option<&Arc<Content>> {
        self.ahead.contents.get(&place).or_else(|| self.newest.contents.get(&place))
    }

    /// Keeps a content that was just written; the oldest makes room for it. Behind so many others that they would not
    /// fit, it would be gone again before it is wanted.
    pub(crate) fn put(&mut self, place: DocumentRef, content: &Arc<Content>, before: u64) {
        if before.saturating_mul(cost(content) as u64) > self.newest.bytes_max as u64 {
            return;
        }
        self.newest.put(place, Arc::clone(content));
        while self.newest.is_over() && self.newest.pop(BTreeMap::pop_first) {}
    }

    /// Keeps a content that was read ahead; what is wanted last makes room for it.
    pub(crate) fn put_ahead(&mut self, place: DocumentRef, content: Arc<Content>) {
        self.ahead.put(place, content);
        while self.ahead.is_over() && self.ahead.pop(BTreeMap::pop_last) {}
    }

    pub(crate) fn remove(&mut self, place: DocumentRef) {
        // It is in one of them at most.
        if !self.ahead.remove(place) {
            self.newest.remove(place);
        }
    }
}

type Pop = fn(&mut BTreeMap<DocumentRef, Arc<Content>>) -> Option<(DocumentRef, Arc<Content>)>;

impl Shelf {
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

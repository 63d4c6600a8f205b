//! The newest contents, at hand.
//!
//! What was just produced is what is leased next, as long as consumers keep up. Places in the log grow with age,
//! so the order of the places is the order of age, and the oldest is the first of the map.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_queue::{Content, Place};

#[derive(Debug)]
pub(crate) struct Cache {
    contents: BTreeMap<Place, Arc<Content>>,
    bytes: usize,
    bytes_max: usize,
}

/// What an entry costs besides its payload.
const ENTRY_BYTES: usize = 256;

impl Cache {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self { contents: BTreeMap::new(), bytes: 0, bytes_max }
    }

    pub(crate) fn get(&self, place: Place) -> Option<&Arc<Content>> {
        self.contents.get(&place)
    }

    pub(crate) fn put(&mut self, place: Place, content: Arc<Content>) {
        self.bytes += cost(&content);
        if let Some(before) = self.contents.insert(place, content) {
            self.bytes -= cost(&before);
        }
        while self.bytes > self.bytes_max
            && let Some((_, oldest)) = self.contents.pop_first()
        {
            self.bytes -= cost(&oldest);
        }
    }

    pub(crate) fn remove(&mut self, place: Place) {
        if let Some(content) = self.contents.remove(&place) {
            self.bytes -= cost(&content);
        }
    }
}

fn cost(content: &Content) -> usize {
    content.bytes_max() + ENTRY_BYTES
}

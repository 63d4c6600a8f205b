//! Write documents again, so that the segment they are in can be dropped.

use bytes::Bytes;
use redrive_model::{CorruptRecord, DocumentRef, OpContext};

use crate::fact::{Fact, Tail};
use crate::{Facts, State};

/// The documents of a record, with their old place.
#[derive(Debug, Clone)]
pub struct Relocate {
    slot: u32,
    old: DocumentRef,
    document: Bytes,
    is_filed: bool,
}

impl Relocate {
    /// The documents of the record at a place.
    pub fn new(slot: u32, old: DocumentRef, kind: u8, body: &Bytes) -> Result<Self, CorruptRecord> {
        let (document, is_filed) = Facts::whole_of(kind, body)?;
        Ok(Self { slot, old, document, is_filed })
    }

    /// The size of the documents in bytes.
    pub fn len(&self) -> usize {
        self.document.len()
    }

    pub fn is_empty(&self) -> bool {
        self.document.is_empty()
    }

    /// The slot of the item that a record's document belongs to, if the record has one.
    pub fn slot_of(kind: u8, body: &[u8]) -> Option<u32> {
        Facts::slot_of(kind, body)
    }

    /// Records the documents without applying the fact; images of the items must follow.
    pub fn record(self, facts: &mut Facts) {
        let fact = Fact::Relocated { slot: self.slot, old: self.old, is_filed: self.is_filed };
        facts.push(&fact, Tail::Bytes(self.document));
    }

    /// Records the documents if the item still holds them. Returns whether it does.
    pub fn apply(self, state: &mut State, _: OpContext, facts: &mut Facts) -> bool {
        // A recovery from a checkpoint does not know cleared items, so a fact about one would be an error.
        let is_held = state.holds(self.slot, self.old);
        if is_held {
            let fact = Fact::Relocated { slot: self.slot, old: self.old, is_filed: self.is_filed };
            state.record_with(fact, Tail::Bytes(self.document), facts);
        }
        is_held
    }
}

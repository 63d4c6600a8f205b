//! Write documents again, so that the shelf they are on can be given back.

use bytes::Bytes;
use redrive_model::{CorruptRecord, DocumentRef, OpContext};

use crate::fact::{Fact, Tail};
use crate::{Facts, State};

/// What a record keeps for an item, and where it was.
#[derive(Debug, Clone)]
pub struct Relocate {
    slot: u32,
    old: DocumentRef,
    document: Bytes,
    is_filed: bool,
}

impl Relocate {
    /// What the record at a place keeps for an item.
    pub fn new(slot: u32, old: DocumentRef, kind: u8, body: &Bytes) -> Result<Self, CorruptRecord> {
        let (document, is_filed) = Facts::whole_of(kind, body)?;
        Ok(Self { slot, old, document, is_filed })
    }

    /// How much it is.
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

    /// Records the document by itself, where a description of the items follows.
    pub fn record(self, facts: &mut Facts) {
        let fact = Fact::Relocated { slot: self.slot, old: self.old, is_filed: self.is_filed };
        facts.push(&fact, Tail::Bytes(self.document));
    }

    /// Whether the item still holds it; if not, nothing is recorded.
    pub fn apply(self, state: &mut State, _: OpContext, facts: &mut Facts) -> bool {
        // A fact about what was cleared away would be news to whoever reads along.
        let is_held = state.holds(self.slot, self.old);
        if is_held {
            let fact = Fact::Relocated { slot: self.slot, old: self.old, is_filed: self.is_filed };
            state.record_with(fact, Tail::Bytes(self.document), facts);
        }
        is_held
    }
}

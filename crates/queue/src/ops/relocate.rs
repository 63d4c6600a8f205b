//! Write documents again, so that the shelf they are on can be given back.

use bytes::Bytes;

use crate::fact::{Fact, Facts, Tail};
use crate::item::Place;
use crate::{Moment, State};

/// A document that is still needed, and where it was.
#[derive(Debug, Clone)]
pub struct Relocate {
    pub slot: u32,
    pub old: Place,
    pub document: Bytes,
}

impl Relocate {
    /// The slot of the item that a record's document belongs to, if the record has one.
    pub fn slot_of(kind: u8, body: &[u8]) -> Option<u32> {
        match Facts::fact_of(kind, body).ok()? {
            Fact::Item { slot, .. } | Fact::Relocated { slot, .. } => Some(slot),
            _ => None,
        }
    }

    /// Whether the item still holds it; if not, nothing is recorded.
    pub fn apply(self, state: &mut State, _moment: Moment, facts: &mut Facts) -> bool {
        // A fact about what was cleared away would be news to whoever reads along.
        let is_held = state.holds(self.slot, self.old);
        if is_held {
            let fact = Fact::Relocated { slot: self.slot, old: self.old };
            state.record_with(fact, Tail::Bytes(self.document), facts);
        }
        is_held
    }
}

//! Set an item aside whose record turned out damaged.

use redrive_core::{ItemId, QueueName};
use redrive_model::{DocumentRef, ItemInfo, OpContext, Phase, Stamp, transition};

use crate::{Facts, State};

/// A record that could not be read, and for whom.
#[derive(Debug, Clone, Copy)]
pub struct SetAside {
    pub id: ItemId,
    pub place: DocumentRef,
    /// The read was part of the lease under this id. An earlier holder has the content and settles the item itself.
    pub is_own_lease: bool,
}

impl SetAside {
    /// The queue and the item as it is now; `None` where it is no longer what it was: nothing is recorded then.
    pub fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Option<(QueueName, ItemInfo)> {
        let (stamp, slot) = Stamp::split(self.id.ksuid());
        let item = state.live(slot).filter(|item| item.places().any(|place| place == self.place))?;
        let is_in_hand = match item.phase {
            Phase::Finished | Phase::Damaged => return None,
            Phase::Leased => item.stamp == stamp && self.is_own_lease,
            Phase::Ready | Phase::Scheduled | Phase::Due | Phase::Stranded => true,
        };
        if !is_in_hand {
            return None;
        }
        state.transit(slot, op, facts, |item, _, _| transition::set_aside(item));
        let item = state.items.get(slot)?;
        Some((state.name_of(item.queue)?, ItemInfo::of(slot, item)))
    }
}

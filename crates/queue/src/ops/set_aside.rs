//! Set aside an item with a damaged record.

use redrive_core::{ItemId, QueueName};
use redrive_model::{DocumentRef, ItemInfo, OpContext, Phase, Stamp, transition};

use crate::{Facts, State};

/// A record that could not be read, and the item for which it was read.
#[derive(Debug, Clone, Copy)]
pub struct SetAside {
    pub id: ItemId,
    pub place: DocumentRef,
    /// Whether the read was part of the lease with this id. The holder of an earlier lease has the content and settles
    /// the item.
    pub is_own_lease: bool,
}

impl SetAside {
    /// Returns the queue and the changed item; `None`, without a change, if the item has changed meanwhile.
    pub fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Option<(QueueName, ItemInfo)> {
        let (stamp, slot) = Stamp::split(self.id.ksuid());
        let item = state.live(slot).filter(|item| item.places().any(|place| place == self.place))?;
        let can_set_aside = match item.phase {
            Phase::Finished | Phase::Damaged => return None,
            Phase::Leased => item.stamp == stamp && self.is_own_lease,
            Phase::Ready | Phase::Scheduled | Phase::Due | Phase::Stranded => true,
        };
        if !can_set_aside {
            return None;
        }
        state.transit(slot, op, facts, |item, _, _| transition::set_aside(item, op.now));
        let item = state.items.get(slot)?;
        Some((state.name_of(item.queue)?, ItemInfo::of(slot, item)))
    }
}

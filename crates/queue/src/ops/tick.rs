//! Apply the changes that are due by time.

use redrive_core::Time;
use redrive_model::{Item, OpContext, Phase, transition};

use crate::fact::Fact;
use crate::{Facts, State};

/// Applies everything that is due, up to `limit` transitions; the next tick applies the rest.
#[derive(Debug, Clone, Copy)]
pub struct Tick {
    pub limit: usize,
}

impl Tick {
    /// Returns whether nothing more is due.
    pub fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> bool {
        let due = state.moving_timers().take_while(|(at, _)| *at <= op.now);
        let due: Vec<(Time, u32)> = due.take(self.limit).collect();
        for (at, slot) in &due {
            match state.live(*slot).map(Item::timer) {
                Some(timer) if timer == Some(*at) => state.fire_timer(*slot, op, facts),
                // A letter that is open again, by the death of its item in this tick.
                Some(_) => {}
                // The item was cleared; only its slot remains to be reclaimed.
                None => state.timers.cancel(Some(*at), *slot),
            }
        }
        let mut left = self.limit - due.len();
        left -= state.settle_lost_dependents(left, op, facts);
        left -= state.admit(left, op, facts);
        let slots = state.reclaimable_slots(left);
        if !slots.is_empty() {
            state.record(Fact::Reclaimed { slots }, facts);
        }
        state.next_timer().is_none_or(|next| next > op.now)
    }
}

impl State {
    /// Applies the timer of an item.
    fn fire_timer(&mut self, slot: u32, op: OpContext, facts: &mut Facts) {
        let was_claimed = self.items.get(slot).is_some_and(|item| item.phase == Phase::Leased);
        self.transit(slot, op, facts, |item, rules, stamps| transition::due(item, rules, op, stamps));
        // A letter that expired while it was claimed is removed immediately, so that an item that dies into its queue
        // is not treated as a duplicate of it.
        let expired = |item: &Item| item.letter().is_some() && item.phase == Phase::Ready && item.expires_at < op.now;
        if was_claimed && self.items.get(slot).is_some_and(expired) {
            self.transit(slot, op, facts, |item, rules, stamps| transition::due(item, rules, op, stamps));
        }
    }
}

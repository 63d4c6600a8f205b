//! What happens when time passes.

use redrive_core::Time;
use redrive_model::{Item, OpContext, Phase, transition};

use crate::fact::Fact;
use crate::{Facts, State};

/// Lets everything happen that is due, up to `limit` transitions: the rest comes next time.
#[derive(Debug, Clone, Copy)]
pub struct Tick {
    pub limit: usize,
}

impl Tick {
    /// Whether everything that is due has happened.
    pub fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> bool {
        let due = state.moving_timers().take_while(|(at, _)| *at <= op.now);
        let due: Vec<(Time, u32)> = due.take(self.limit).collect();
        for (at, slot) in &due {
            if state.live(*slot).is_some() {
                state.happen(*slot, op, facts);
            } else {
                // It was cleared, and only its slot is left to be reclaimed.
                state.timers.cancel(Some(*at), *slot);
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
    /// The timer of an item has passed.
    fn happen(&mut self, slot: u32, op: OpContext, facts: &mut Facts) {
        let was_claimed = self.items.get(slot).is_some_and(|item| item.phase == Phase::Leased);
        self.transit(slot, op, facts, |item, rules, stamps| transition::due(item, rules, op, stamps));
        // A letter whose own time ran out while it was claimed goes at once: what dies into its queue meanwhile is no
        // duplicate of it.
        let is_over = |item: &Item| item.letter().is_some() && item.phase == Phase::Ready && item.expires_at < op.now;
        if was_claimed && self.items.get(slot).is_some_and(is_over) {
            self.transit(slot, op, facts, |item, rules, stamps| transition::due(item, rules, op, stamps));
        }
    }
}

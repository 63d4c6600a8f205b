//! Remove letters for good.

use redrive_core::{LetterId, QueueName};

use super::check_count;
use crate::fact::Facts;
use crate::{Moment, Refusal, State};

/// Removes letters in any state. Whoever is retrying one finds that it is gone.
#[derive(Debug, Clone)]
pub struct Purge {
    pub queue: QueueName,
    pub letters: Vec<LetterId>,
}

impl Purge {
    /// How many were removed; unknown ones are passed over, since removing twice is removing.
    pub fn apply(self, state: &mut State, _moment: Moment, facts: &mut Facts) -> Result<u64, Refusal> {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        let found = self.letters.iter().filter_map(|id| state.slot_of_letter(number, *id));
        let mut slots: Vec<u32> = found.map(|(slot, _)| slot).collect();
        slots.sort_unstable();
        slots.dedup();
        Ok(state.purge_slots(slots, facts))
    }
}

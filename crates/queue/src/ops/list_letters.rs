//! Look at letters.

use std::ops::Bound;

use redrive_core::{Fingerprint, LetterId, QueueName, Status, Time};

use super::find_letters::{Walk, info};
use crate::{ItemInfo, Refusal, State};

/// One letter by its own id.
#[derive(Debug, Clone)]
pub struct GetLetter {
    pub queue: QueueName,
    pub letter: LetterId,
}

impl GetLetter {
    pub fn view(&self, state: &State) -> Result<ItemInfo, Refusal> {
        let number = state.queue_number(&self.queue)?;
        let missing = Refusal::NoSuchLetter(self.letter);
        let (slot, _) = state.slot_of_letter(number, self.letter).ok_or(missing.clone())?;
        state.items.get(slot).map(|item| ItemInfo::of(slot, item)).ok_or(missing)
    }
}

/// Letters of some statuses in the order of their ids, behind `after`.
#[derive(Debug, Clone)]
pub struct ListLetters {
    pub queue: QueueName,
    /// None named: all of them.
    pub statuses: Vec<Status>,
    pub after: Option<LetterId>,
    pub limit: usize,
}

impl ListLetters {
    pub fn view(&self, state: &State) -> Result<Vec<ItemInfo>, Refusal> {
        let (_, queue) = state.named(&self.queue)?;
        let letters = Walk::new(queue, &self.statuses, self.after).take(self.limit);
        Ok(letters.filter_map(|(_, slot)| info(slot, state)).collect())
    }
}

/// The faults of a queue's live letters, by fingerprint.
#[derive(Debug, Clone)]
pub struct Groups {
    pub queue: QueueName,
    pub after: Option<Fingerprint>,
    pub limit: usize,
}

/// The live letters of one fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultGroup {
    pub fingerprint: Fingerprint,
    pub count: u64,
    pub first_seen: Time,
    pub last_seen: Time,
}

impl Groups {
    pub fn view(&self, state: &State) -> Result<Vec<FaultGroup>, Refusal> {
        let (_, queue) = state.named(&self.queue)?;
        let after = self.after.map_or(Bound::Unbounded, Bound::Excluded);
        let groups = queue.groups.range((after, Bound::Unbounded)).take(self.limit);
        let shown = groups.map(|(fingerprint, group)| FaultGroup {
            fingerprint: *fingerprint,
            count: group.count,
            first_seen: group.first_seen,
            last_seen: group.last_seen,
        });
        Ok(shown.collect())
    }
}

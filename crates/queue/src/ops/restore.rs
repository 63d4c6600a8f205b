//! Restore archived letters to their previous state.

use redrive_core::Status;
use redrive_model::{Item, OpContext, Rejection, Restore, check_count, transition};

use crate::{Apply, Facts, State};

impl Apply for Restore {
    type Reply = Result<u64, Rejection>;

    /// Restores all archived letters of the request, or none: a letter whose source id a live letter holds is a
    /// conflict. Returns the number of restored letters. Letters that are not archived are not counted and are not an
    /// error.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        let mut slots = state.slots_of_letters(number, &self.letters)?;
        let is_archived = |item: &Item| item.letter().is_some_and(|letter| letter.status == Status::Archived);
        slots.retain(|slot| state.items.get(*slot).is_some_and(is_archived));
        for slot in &slots {
            state.check_restorable(number, *slot, &slots)?;
        }
        let restored = slots.len() as u64;
        for slot in slots {
            state.transit(slot, op, facts, |item, rules, stamps| transition::restore(item, rules, op, stamps));
        }
        Ok(restored)
    }
}

impl State {
    pub(super) fn check_restorable(&self, queue: u32, slot: u32, together: &[u32]) -> Result<(), Rejection> {
        let letter_in = |slot: u32| self.items.get(slot).and_then(|item| Some((item, item.letter()?)));
        let (item, letter) = letter_in(slot).ok_or(Rejection::NoSlots)?;
        let Some(source_id) = item.source_id.as_deref().filter(|_| letter.is_live_once_restored()) else {
            return Ok(());
        };
        let of_message = letter.coordinates.get().and_then(|message| self.slot_of_coordinates(queue, &message));
        let is_conflict = |other: &u32| {
            let other = letter_in(*other).filter(|_| *other != slot);
            other.is_some_and(|other| !transition::restorable_beside((item, letter), other))
        };
        let holder = self.slot_of_source(queue, source_id).or(of_message);
        let holder = holder.or_else(|| together.iter().copied().find(is_conflict));
        match holder.and_then(|slot| self.items.get(slot).map(|item| item.stamp.id(slot))) {
            Some(by) => Err(Rejection::SourceHeld { source_id: source_id.into(), by }),
            None => Ok(()),
        }
    }
}

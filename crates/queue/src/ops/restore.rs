//! Bring archived letters back to where they were.

use redrive_core::{LetterId, QueueName, Status, Time};

use super::check_count;
use crate::fact::Facts;
use crate::item::{Item, Phase};
use crate::letter::{Letter, Settled};
use crate::queue::Why;
use crate::state::attempt_document;
use crate::{Attempt, Moment, Refusal, State};

/// Restores letters. One that was being retried when it was archived counts that attempt as failed.
#[derive(Debug, Clone)]
pub struct Restore {
    pub queue: QueueName,
    pub letters: Vec<LetterId>,
}

impl Restore {
    /// How many were restored; those that are not archived are not counted, and are no error. All that are, or none: one
    /// whose source id a live letter holds is a conflict.
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<u64, Refusal> {
        let (number, queue) = state.named(&self.queue)?;
        check_count("letters", self.letters.len())?;
        let retention = queue.settings.letters.over(&state.treatment).completed_retention;
        let mut slots = state.slots_of_letters(number, &self.letters)?;
        slots.retain(|slot| state.items.get(*slot).and_then(Item::letter).is_some_and(is_archived));
        let restored = slots.len() as u64;
        for slot in &slots {
            state.check_restorable(number, *slot, &slots)?;
        }
        for slot in slots {
            let Some(mut item) = state.items.get(slot).cloned() else { continue };
            let Some(letter) = item.letter_mut() else { continue };
            let before = letter.before.take().map(|before| *before);
            let was_retrying = before.is_some_and(|before| before.status == Status::Retrying);
            letter.retries = letter.retries.saturating_add(u32::from(was_retrying));
            letter.total_attempts = letter.total_attempts.saturating_add(u32::from(was_retrying));
            letter.is_outcome_unknown |= was_retrying;
            letter.is_overflow &= !was_retrying;
            let lost = was_retrying.then(|| Attempt::lost(letter.trigger, moment.now));
            let record = attempt_document(lost.as_ref());
            let is_overflow = letter.is_overflow;
            // What ended before the archive ended then, and not when it came back.
            letter.ended_at = before.and_then(|before| before.since).into();
            let mut item = match before.map(|before| before.status) {
                Some(Status::Completed) => completed(item, moment.now.saturating_add(retention)),
                Some(Status::Pending) if !is_overflow => {
                    let due = before.and_then(|before| before.due).map(|due| due.max(moment.now));
                    state.parked(item, Settled { status: Status::Pending, due }, moment)
                }
                Some(Status::Exhausted) => state.parked(item, Settled { status: Status::Exhausted, due: None }, moment),
                // One that waited for room waits on.
                Some(Status::Pending | Status::Retrying | Status::Archived) | None => {
                    let settled = state.settle(&item, moment);
                    state.parked(item, settled, moment)
                }
            };
            // What is archived the moment it is exhausted could not be brought back otherwise.
            if item.phase == Phase::Ready && item.at <= moment.now {
                item.at = Time::MAX;
            }
            state.revise(slot, Why::Restored, record, facts, |old| *old = item);
            state.unblock(slot, moment, facts);
        }
        Ok(restored)
    }
}

fn is_archived(letter: &Letter) -> bool {
    letter.status == Status::Archived
}

fn completed(mut item: Item, forgotten_at: Time) -> Item {
    item.phase = Phase::Finished;
    item.at = forgotten_at;
    if let Some(letter) = item.letter_mut() {
        letter.status = Status::Completed;
    }
    item
}

/// Whether a letter that is restored waits for an outcome again.
fn becomes_live(letter: &Letter) -> bool {
    letter.before.as_ref().is_none_or(|before| before.status.is_live())
}

impl State {
    fn check_restorable(&self, queue: u32, slot: u32, together: &[u32]) -> Result<(), Refusal> {
        let Some((item, letter)) = self.items.get(slot).and_then(|item| Some((item, item.letter()?))) else {
            return Err(Refusal::NoSlots);
        };
        let Some(source_id) = item.source_id.as_deref().filter(|_| becomes_live(letter)) else { return Ok(()) };
        // One that goes back to its completion holds nothing.
        let same = |other: &u32| {
            let Some(other) = self.items.get(*other).filter(|_| *other != slot) else { return false };
            let Some(twin) = other.letter() else { return false };
            let is_same_message = letter.coordinates.is_some() && twin.coordinates == letter.coordinates;
            becomes_live(twin) && (other.source_id.as_deref() == Some(source_id) || is_same_message)
        };
        let same_message =
            letter.coordinates.get().and_then(|coordinates| self.slot_of_coordinates(queue, &coordinates));
        let holder = self.slot_of_source(queue, source_id).or(same_message);
        let holder = holder.or_else(|| together.iter().copied().find(same));
        match holder.and_then(|slot| self.items.get(slot).map(|item| item.stamp.id(slot))) {
            Some(by) => Err(Refusal::SourceHeld { source_id: source_id.into(), by }),
            None => Ok(()),
        }
    }
}

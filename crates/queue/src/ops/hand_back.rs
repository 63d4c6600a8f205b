//! Hand letters back to a queue.

use std::slice;

use redrive_core::QueueName;
use redrive_model::{
    FormerLetter, HandBackLetter, HandBackLetters, HandBackResult, LetterRevision, LetterSelector, NewItem, OpContext,
    Rejection, transition,
};

use crate::{Apply, Facts, State};

impl Apply for HandBackLetters {
    type Reply = Result<Vec<HandBackResult>, Rejection>;

    /// Returns one result per letter, in order.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        self.check()?;
        if state.items.next_frees().nth(self.letters.len()).is_none() {
            return Err(Rejection::NoSlots);
        }
        let Self { letters, actor, .. } = self;
        let results = letters.into_iter().map(|letter| {
            let HandBackLetter { letter: LetterRevision { id, revision }, to, item } = letter;
            let selector = LetterSelector { id, revision: Some(revision) };
            let place = match state.place_for(number, selector, &to, &item, op) {
                Ok(place) => place,
                Err(result) => return result,
            };
            state.transit(place.letter, op, facts, |item, rules, stamps| {
                transition::hand_back(item, rules, &to, actor.as_ref(), op, stamps)
            });
            let handed_back = FormerLetter { queue: number, letter: id };
            let arrived =
                state.arrive_in((place.queue, place.partition, place.free), item, Some(handed_back), op, facts);
            arrived.map_or(HandBackResult::NoQueue, HandBackResult::Done)
        });
        Ok(results.collect())
    }
}

/// Where a letter is and where its item goes.
struct Place {
    letter: u32,
    queue: u32,
    partition: u32,
    /// A free slot.
    free: u32,
}

impl State {
    /// Checks that a letter can be handed back now.
    fn place_for(
        &self,
        dead_queue: u32,
        selector: LetterSelector,
        to: &QueueName,
        new: &NewItem,
        op: OpContext,
    ) -> Result<Place, HandBackResult> {
        let (slot, letter) = self.slot_of_letter(dead_queue, selector.id).ok_or(HandBackResult::Gone)?;
        let phase = self.items.get(slot).ok_or(HandBackResult::Gone)?.phase;
        transition::claimable(phase, letter, selector).map_err(|rejection| match rejection {
            Rejection::LetterDamaged(_) => HandBackResult::Damaged,
            Rejection::LetterHeld(_) => HandBackResult::Held,
            _ => HandBackResult::Changed,
        })?;
        let (number, queue) = self.named(to).map_err(|_| HandBackResult::NoQueue)?;
        if queue.settings.is_paused {
            return Err(HandBackResult::QueuePaused);
        }
        if let Some(existing) = self.existing(number, new, op) {
            return Err(HandBackResult::Duplicate(existing));
        }
        let is_full = self.check_capacity((number, queue), slice::from_ref(new), 0, op).is_err();
        let free = self.items.next_frees().next().filter(|_| !is_full).ok_or(HandBackResult::QueueFull)?;
        Ok(Place { letter: slot, queue: number, partition: queue.placement.first().unwrap_or(0), free })
    }
}

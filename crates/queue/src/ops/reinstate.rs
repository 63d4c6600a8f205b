//! Reinstate letters from copies, with all of their documents.

use redrive_core::{LetterId, Status};
use redrive_model::transition::{ExistingCopy, existing_copy, reinstated};
use redrive_model::{
    EndReason, Event, FullLetter, Item, OnOlderRevision, OpContext, Reinstate, Reinstated, Rejection, check_count,
    transition,
};

use crate::fact::Fact;
use crate::state::own_slot;
use crate::{Apply, Facts, State};

impl Apply for Reinstate {
    type Reply = Result<Vec<Result<Reinstated, Rejection>>, Rejection>;

    /// Returns one result per letter, in order: a rejected letter does not affect the others. A claimed letter is
    /// reinstated without its holder, and that attempt counts as lost. `max_size` does not apply.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        self.letters.iter().try_for_each(FullLetter::check)?;
        if state.items.next_frees().nth(self.letters.len()).is_none() {
            return Err(Rejection::NoSlots);
        }
        let older = self.older;
        Ok(self.letters.into_iter().map(|letter| state.reinstate(number, letter, older, op, facts)).collect())
    }
}

impl State {
    fn reinstate(
        &mut self,
        number: u32,
        full: FullLetter,
        older: OnOlderRevision,
        op: OpContext,
        facts: &mut Facts,
    ) -> Result<Reinstated, Rejection> {
        let no_failure = Rejection::NoFailure(full.info.id);
        let rules = self.rules(number).ok_or(Rejection::NoSlots)?;
        let item = reinstated(&full, &rules, number, op).ok_or(no_failure.clone())?;
        let (id, status) = item.letter().map(|letter| (letter.id, letter.status)).ok_or(no_failure)?;
        let held = self.letter_of_queue(number, id)?;
        let (replaced, result) = match existing_copy(held.map(|(_, item)| item), &item, older)? {
            ExistingCopy::Current => return Ok(Reinstated::There),
            ExistingCopy::Older => (held.map(|(slot, _)| slot), Reinstated::Newer),
            ExistingCopy::None => (None, Reinstated::New),
        };
        self.check_unheld(&item, replaced)?;
        self.check_dependencies(&item)?;
        if let Some(replaced) = replaced {
            // The feed does not report the removal: its next entry is the newer revision.
            self.record(Fact::Gone { ending: EndReason::Duplicate, slots: vec![replaced], change: 0 }, facts);
        }
        let own = own_slot(id);
        let free = if self.items.is_usable(own) { Some(own) } else { self.items.next_frees().next() };
        let slot = free.ok_or(Rejection::NoSlots)?;
        let rules = self.queues.get(&number).ok_or(Rejection::NoSlots)?.rules(&self.policy);
        let item = transition::reinstate(item, &rules, op, &mut self.stamps);
        self.arrive(slot, item, Event::Reinstated, full.documents(), facts);
        if status == Status::Retrying {
            self.transit(slot, op, facts, |item, rules, stamps| transition::lose_letter(item, rules, op, stamps));
        }
        self.release_from_completed(slot, op, facts);
        if status == Status::Completed {
            self.release_dependents(id, op, facts);
        }
        Ok(result)
    }

    /// The letter with this id in this queue. A letter in another queue is an error.
    fn letter_of_queue(&self, queue: u32, id: LetterId) -> Result<Option<(u32, &Item)>, Rejection> {
        let Some((slot, item)) = self.letter_anywhere(id) else { return Ok(None) };
        match self.name_of(item.queue).filter(|_| item.queue != queue) {
            Some(queue) => Err(Rejection::LetterElsewhere { letter: id, queue }),
            None => Ok(Some((slot, item))),
        }
    }

    /// Checks that no other item than the older revision holds the source id or the coordinates of a live letter.
    fn check_unheld(&self, item: &Item, replaced: Option<u32>) -> Result<(), Rejection> {
        let Some(letter) = item.letter().filter(|letter| letter.status.is_live()) else { return Ok(()) };
        let of_source = item.source_id.as_deref().and_then(|id| self.slot_of_source(item.queue, id));
        let of_message = letter.coordinates.get().and_then(|message| self.slot_of_coordinates(item.queue, &message));
        let holder = [of_source, of_message].into_iter().flatten().find(|slot| Some(*slot) != replaced);
        match holder.and_then(|slot| self.items.get(slot).map(|item| item.stamp.id(slot))) {
            Some(by) => Err(Rejection::SourceHeld { source_id: item.source_id.clone().unwrap_or_default(), by }),
            None => Ok(()),
        }
    }
}

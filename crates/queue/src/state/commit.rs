//! Calls rules and records their results.

use redrive_core::{QueueName, Time};
use redrive_model::capture::{FurtherFailure, failed_again};
use redrive_model::transition::{
    DeadQueueLookup, NewDocument, PendingDeath, Step, Transition, die, takes_further_failure,
};
use redrive_model::{EndReason, Event, FormerLetter, Item, Letter, OpContext, QueueRules, RateEvent, Stamps};

use super::{QueueItems, State};
use crate::Facts;
use crate::fact::{Attach, Fact, Tail};

impl State {
    /// The rules of a queue.
    pub(crate) fn rules(&self, queue: u32) -> Option<QueueRules<'_>> {
        self.queues.get(&queue).map(|queue| queue.rules(&self.policy))
    }

    /// Calls a rule for the item in a slot and records the result. Returns the reason if the item was removed.
    pub(crate) fn transit<S: Into<Step>>(
        &mut self,
        slot: u32,
        op: OpContext,
        facts: &mut Facts,
        rule: impl FnOnce(Item, &QueueRules<'_>, &mut Stamps) -> S,
    ) -> Option<EndReason> {
        let item = self.items.get(slot)?.clone();
        let queue = self.queues.get(&item.queue)?;
        let transition = match rule(item, &queue.rules(&self.policy), &mut self.stamps).into() {
            Step::Done(transition) => transition,
            Step::Dies(item, death) => self.death(slot, item, death, op, facts)?,
        };
        let ended = match transition {
            Transition::Gone(reason) => Some(reason),
            Transition::Changed { .. } => None,
        };
        self.commit(slot, transition, op, facts);
        ended
    }

    /// Looks up the dead queue of a dying item and calls the rule for its death. An item that was handed back ends with
    /// that: the failure belongs to its letter.
    fn death(
        &mut self,
        slot: u32,
        item: Item,
        death: PendingDeath,
        op: OpContext,
        facts: &mut Facts,
    ) -> Option<Transition> {
        if let Some((letter, failure)) = self
            .letter_of_handed_back(&item)
            .map(|(slot, letter)| (slot, FurtherFailure::death(letter, &item, &death, op)))
        {
            self.transit(letter, op, facts, |item, rules, stamps| failed_again(item, failure, rules, op, stamps));
            return Some(Transition::Gone(EndReason::Duplicate));
        }
        let from = self.queues.get(&item.queue)?.rules(&self.policy);
        let to = match &from.settings.dead_queue {
            None => DeadQueueLookup::None,
            Some(name) => self.names.get(name).map_or(DeadQueueLookup::Missing, |number| {
                self.queues.get(number).map_or(DeadQueueLookup::Missing, |queue| DeadQueueLookup::Found {
                    rules: queue.rules(&self.policy),
                    number: *number,
                    partition: queue.placement.first().unwrap_or(0),
                    items: QueueItems { state: self, queue: *number },
                })
            }),
        };
        // The rules borrow from `self.queues`, so the stamps are copied out while the rule draws one.
        let mut stamps = self.stamps;
        let transition = die(item, slot, death, &from, to, op, &mut stamps);
        self.stamps = stamps;
        Some(transition)
    }

    /// The letter that was handed back as this item, with its slot, if it can take the failure of the item.
    fn letter_of_handed_back(&self, item: &Item) -> Option<(u32, &Letter)> {
        let FormerLetter { queue, letter } = item.rare().handed_back?;
        let (slot, letter) = self.slot_of_letter(queue, letter)?;
        let held = self.items.get(slot)?;
        let source_id = held.source_id.as_deref();
        let is_free = source_id.is_none_or(|id| self.slot_of_source(queue, id).is_none())
            && letter.coordinates.get().is_none_or(|of| self.slot_of_coordinates(queue, &of).is_none());
        takes_further_failure(held.phase, letter, is_free).then_some((slot, letter))
    }

    /// The dead queue of the letter that would take the failure of this item.
    pub(crate) fn queue_of_handed_back(&self, item: &Item) -> Option<QueueName> {
        let (slot, _) = self.letter_of_handed_back(item)?;
        self.name_of(self.items.get(slot)?.queue)
    }

    /// Records a transition, and the release of the letters that waited for a completed letter.
    pub(crate) fn commit(&mut self, slot: u32, transition: Transition, op: OpContext, facts: &mut Facts) {
        let completed = transition.completed();
        match transition {
            Transition::Gone(reason) => self.end_one(slot, reason, op, facts),
            Transition::Changed { mut item, event, mut documents } => {
                let last = documents.pop();
                for document in documents {
                    self.record_document(slot, document, facts);
                }
                self.number_change(&mut item);
                let (attach, tail) = last.map_or((Attach::Nothing, Tail::None), attached);
                self.record_with(Fact::Item { event, slot, item, attach }, tail, facts);
            }
        }
        if let Some(letter) = completed {
            self.release_dependents(letter, op, facts);
        }
    }

    /// Records an item that arrives in a free slot, with its documents, the content first.
    pub(crate) fn arrive(
        &mut self,
        slot: u32,
        mut item: Item,
        event: Event,
        documents: impl IntoIterator<Item = NewDocument>,
        facts: &mut Facts,
    ) {
        let mut documents = documents.into_iter();
        self.number_change(&mut item);
        let (attach, tail) = documents.next().map_or((Attach::Nothing, Tail::None), attached);
        self.record_with(Fact::Item { event, slot, item, attach }, tail, facts);
        for document in documents {
            self.record_document(slot, document, facts);
        }
    }

    fn record_document(&mut self, slot: u32, document: NewDocument, facts: &mut Facts) {
        let (attach, tail) = attached(document);
        self.record_with(Fact::Document { slot, attach }, tail, facts);
    }

    /// Gives a changed letter its next position in the feed.
    pub(crate) fn number_change(&self, item: &mut Item) {
        if let Some(letter) = item.letter_mut() {
            letter.change = self.feed.numbers(1);
        }
    }

    /// Records the removal of the item in a slot.
    fn end_one(&mut self, slot: u32, ending: EndReason, op: OpContext, facts: &mut Facts) {
        let is_letter = self.items.get(slot).is_some_and(|item| item.letter().is_some());
        if !is_letter {
            self.count_left(&[slot], op.now);
        }
        let change = self.feed.numbers(u64::from(is_letter));
        self.record(Fact::Gone { ending, slots: vec![slot], change }, facts);
    }

    /// Counts plain items of one queue that are removed now. The record of a removal has no time, so that the rate does
    /// not include removals before the store was opened.
    pub(crate) fn count_left(&mut self, slots: &[u32], now: Time) {
        let item = slots.first().and_then(|slot| self.items.get(*slot));
        if let Some(queue) = item.map(|item| item.queue).and_then(|number| self.queues.get_mut(&number)) {
            queue.rates.count(RateEvent::Left, u32::try_from(slots.len()).unwrap_or(u32::MAX), now);
        }
    }
}

/// The role of a document in its item, and its bytes.
fn attached(document: NewDocument) -> (Attach, Tail) {
    match document {
        NewDocument::Content(content) => (Attach::Content, Tail::Content(content)),
        NewDocument::Edited(content) => (Attach::Edited, Tail::Content(content)),
        NewDocument::Other(kind, bytes) => (Attach::Other(kind), Tail::Bytes(bytes)),
    }
}

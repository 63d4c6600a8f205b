//! Produce items into a queue.
//!
//! If the request has an id, its answer is stored and returned for the repeated request.

use std::collections::HashSet;

use redrive_core::ItemId;
use redrive_model::{
    Event, FormerLetter, HeldItem, NewItem, OpContext, Produce, Produced, ProducedItem, Rejection, RequestKey,
    StampSource, transition::produced,
};

use crate::answers::{AnswerLimits, ProducedSlots, RememberedAnswer};
use crate::fact::{Attach, Fact, Tail};
use crate::queue::Queue;
use crate::remembered_ids::RememberedId;
use crate::{Apply, Facts, State};

impl Apply for Produce {
    type Reply = Result<Produced, Rejection>;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let (number, queue) = state.named(&self.queue)?;
        self.check()?;
        if let Some(request) = &self.request_id
            && let Some(produced) = state.answers.find(number, request, op.now)?
        {
            return Ok(produced);
        }
        let completes = self.completes.as_deref().map(|held| state.completable(held)).transpose()?;
        if state.items.next_frees().nth(self.items.len()).is_none() {
            return Err(Rejection::NoSlots);
        }
        let freed = u64::from(completes.is_some_and(|(queue, _)| queue == number));
        state.check_capacity((number, queue), &self.items, freed, op)?;
        if self.items.iter().any(|item| item.remember_for.is_some()) {
            let remembered = self.items.iter().filter(|item| item.remember_for.is_some());
            let remembered = remembered.filter_map(|item| item.message_id.as_deref());
            state.check_remembered(remembered.clone().count(), remembered.map(str::len).sum())?;
        }
        let partition = queue.placement.first().unwrap_or(0);
        let mut items = Vec::with_capacity(self.items.len());
        let mut ids = Vec::new();
        for new in self.items {
            if let Some(existing) = state.existing(number, &new, op) {
                items.push(ProducedItem::Duplicate(existing));
                continue;
            }
            let Some(slot) = state.items.next_frees().next() else { return Err(Rejection::NoSlots) };
            let remembered = new.remember_for.and_then(|kept| Some((new.message_id.clone()?, kept)));
            let arrived = state.arrive_in((number, partition, slot), new, None, op, facts);
            let Some(id) = arrived else { return Err(Rejection::NoSuchQueue(self.queue)) };
            items.push(ProducedItem::New(id));
            ids.extend(remembered.map(|(message_id, kept)| RememberedId {
                queue: number,
                message_id,
                until: op.now.saturating_add(kept),
                item: id,
            }));
        }
        state.remember_ids(ids, op, facts);
        if let Some(held) = completes {
            state.complete(held, op, facts);
        }
        let produced = Produced { partition, items };
        if let Some(request) = self.request_id {
            state.remember(number, &request, &produced, op, facts);
        }
        Ok(produced)
    }
}

impl State {
    /// Adds an item to a queue, in a free slot; `None` if the queue does not exist. `handed_back` is the letter that it
    /// was.
    pub(super) fn arrive_in(
        &mut self,
        (number, partition, slot): (u32, u32, u32),
        mut new: NewItem,
        handed_back: Option<FormerLetter>,
        op: OpContext,
        facts: &mut Facts,
    ) -> Option<ItemId> {
        let rules = self.queues.get(&number)?.rules(&self.policy);
        let mut item = produced(&mut new, &rules, (number, partition), op, &mut self.stamps);
        if handed_back.is_some() {
            item.rare_mut().handed_back = handed_back;
        }
        let id = item.stamp.id(slot);
        let fact = Fact::Item { event: Event::Produced, slot, item, attach: Attach::Content };
        self.record_with(fact, Tail::Content(new.content), facts);
        Some(id)
    }

    /// The item that this one would duplicate.
    pub(super) fn existing(&self, queue: u32, new: &NewItem, op: OpContext) -> Option<ItemId> {
        let message_id = new.message_id.as_deref()?;
        let live = self.slot_of_source(queue, message_id).and_then(|slot| Some((slot, self.items.get(slot)?)));
        let remembered = || new.remember_for.and_then(|_| self.remembered(queue, message_id, op.now));
        live.map(|(slot, item)| item.stamp.id(slot)).or_else(remembered)
    }

    /// Checks that a queue has space for the items that are new. `freed` items end in the same step.
    pub(super) fn check_capacity(
        &self,
        (number, queue): (u32, &Queue),
        items: &[NewItem],
        freed: u64,
        op: OpContext,
    ) -> Result<(), Rejection> {
        let max_items = queue.settings.max_items;
        if max_items == 0 {
            return Ok(());
        }
        let mut seen = HashSet::new();
        let absent = items.iter().filter(|new| self.existing(number, new, op).is_none());
        let new = absent.filter(|new| new.message_id.as_deref().is_none_or(|id| seen.insert(id))).count() as u64;
        match new > 0 && queue.items() + new > max_items.saturating_add(freed) {
            true => Err(Rejection::TooManyItems { max_items }),
            false => Ok(()),
        }
    }

    /// The queue and the slot of a leased item.
    fn completable(&self, held: &HeldItem) -> Result<(u32, u32), Rejection> {
        let queue = self.queue_number(&held.queue)?;
        self.leased(queue, None, held.id, "completed").map(|slot| (queue, slot))
    }

    /// Stores the answer to a request, in the same unit as its effects.
    fn remember(&mut self, queue: u32, request: &RequestKey, produced: &Produced, op: OpContext, facts: &mut Facts) {
        let AnswerLimits { kept, bytes_max } = self.answer_limits;
        if kept.is_zero() {
            return;
        }
        let answer = RememberedAnswer {
            queue,
            request_id: request.id().into(),
            digest: request.digest(),
            until: op.now.saturating_add(kept),
            produced: ProducedSlots::of(produced),
        };
        let number = self.stamps.next(op).serial;
        let oldest = self.answers.oldest_with(number, &answer, op.now, bytes_max);
        self.record(Fact::Answered { answers: vec![(number, answer)], oldest }, facts);
    }
}

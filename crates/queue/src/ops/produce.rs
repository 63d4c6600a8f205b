//! Produce items into a queue.
//!
//! A request is atomic: all of its items go to one partition, and one invalid item rejects the whole request. An item
//! whose message id is already in the queue is not added again; the reply contains the id of the existing item, so that
//! a caller that did not receive the first reply can repeat the request. If the request has an id, its answer is stored
//! and returned for the repeated request.

use redrive_model::{
    Event, OpContext, Produce, Produced, ProducedItem, Rejection, RequestKey, StampSource, transition::produced,
};

use crate::answers::{AnswerLimits, ProducedSlots, RememberedAnswer};
use crate::fact::{Attach, Fact, Tail};
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
        if state.items.next_frees().nth(self.items.len()).is_none() {
            return Err(Rejection::NoSlots);
        }
        let partition = queue.placement.first().unwrap_or(0);
        let mut items = Vec::with_capacity(self.items.len());
        for mut new in self.items {
            let existing = new.message_id.as_deref().and_then(|id| state.slot_of_source(number, id));
            if let Some(existing) = existing.and_then(|slot| state.items.get(slot).map(|item| item.stamp.id(slot))) {
                items.push(ProducedItem::Duplicate(existing));
                continue;
            }
            let Some(slot) = state.items.next_frees().next() else { return Err(Rejection::NoSlots) };
            let Some(queue) = state.queues.get(&number) else { return Err(Rejection::NoSuchQueue(self.queue)) };
            let rules = queue.rules(&state.policy);
            let item = produced(&mut new, &rules, (number, partition), op, &mut state.stamps);
            items.push(ProducedItem::New(item.stamp.id(slot)));
            let fact = Fact::Item { event: Event::Produced, slot, item, attach: Attach::Content };
            state.record_with(fact, Tail::Content(new.content), facts);
        }
        let produced = Produced { partition, items };
        if let Some(request) = self.request_id {
            state.remember(number, &request, &produced, op, facts);
        }
        Ok(produced)
    }
}

impl State {
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

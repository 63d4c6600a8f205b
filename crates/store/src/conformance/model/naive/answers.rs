//! Requests with a request id: a repeated request gets the same answer.

use redrive_core::{QueueName, Span, Time};
use redrive_model::{Produce, Produced, ProducedItem, Rejection, RequestKey};

use super::{Model, ProducedAs, RememberedRequest};

/// How long a store remembers an answer.
const KEPT: Span = Span::from_mins(10);

impl Model {
    /// The answer of an earlier request with the same id; `None` if the request is new.
    pub(super) fn answered(
        &mut self,
        queue: u32,
        request: &RequestKey,
        now: Time,
    ) -> Result<Option<Produced>, Rejection> {
        let Some(known) = self.newest_with(queue, request.id()).filter(|known| known.until > now) else {
            return Ok(None);
        };
        if known.request.request_id.as_deref() != Some(request) {
            return Err(Rejection::RequestIdUsed);
        }
        let answer = known.answer.clone();
        self.record_rule("sent again");
        Ok(answer)
    }

    pub(super) fn remember(
        &mut self,
        produce: &Produce,
        (queue, partition): (u32, u32),
        items: &[ProducedAs],
        now: Time,
    ) {
        let Some(request) = &produce.request_id else { return };
        if self.newest_with(queue, request.id()).is_some() {
            self.record_rule("sent again too late");
        }
        let (until, request, items) = (now.saturating_add(KEPT), produce.clone(), items.to_vec());
        self.answers.push(RememberedRequest { request, queue, until, partition, items, answer: None });
    }

    /// Records the last answer with the store's ids, before the next change.
    pub(in crate::conformance::model) fn note_answers(&mut self, now: Time) {
        self.latest = self.latest.max(Some(now));
        for at in 0..self.remembered.len() {
            if self.remembered[at].id.is_none() {
                self.remembered[at].id = Some(self.item(self.remembered[at].item).id());
            }
        }
        let Some(mut last) = self.answers.pop() else { return };
        if last.answer.is_none() {
            let produced = |item: &ProducedAs| match item {
                ProducedAs::New(number) => ProducedItem::New(self.item(*number).id()),
                ProducedAs::Twin(number) => ProducedItem::Duplicate(self.item(*number).id()),
                ProducedAs::Remembered(id) => ProducedItem::Duplicate(*id),
            };
            last.answer =
                Some(Produced { partition: last.partition, items: last.items.iter().map(produced).collect() });
        }
        self.answers.push(last);
    }

    /// Whether the contract defines the result of a request with this id. It does not if an answer had expired and the
    /// clock has stepped back since: the store may have forgotten the answer.
    pub fn is_answer_certain(&self, queue: &QueueName, id: &str, now: Time) -> bool {
        let Ok(queue) = self.named(queue) else { return true };
        let known = self.newest_with(queue.number, id);
        known.is_none_or(|known| known.until <= now || self.latest < Some(known.until))
    }

    fn newest_with(&self, queue: u32, id: &str) -> Option<&RememberedRequest> {
        let is_it = |known: &&RememberedRequest| {
            known.queue == queue && known.request.request_id.as_deref().is_some_and(|request| request.id() == id)
        };
        self.answers.iter().rev().find(is_it)
    }
}

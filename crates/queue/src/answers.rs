//! The answers to recent requests, by the request ids of their callers.
//!
//! A caller that did not receive an answer repeats its request and gets the first answer, as long as it is stored.
//! Answers are dropped after a retention time, and earlier if they exceed the memory limit: the oldest first. Rejecting
//! requests instead would limit the throughput of a store by this memory, although hardly any answer is ever requested
//! again and callers repeat requests within seconds.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use redrive_core::{ItemId, Span, Time};
use redrive_model::{Produced, ProducedItem, Rejection, RequestKey, Stamp};

/// The retention time and the memory limit of stored answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerLimits {
    /// The retention time. Zero disables the storage of answers.
    pub kept: Span,
    /// The memory limit. The newest answer is always stored, regardless of its size.
    pub bytes_max: usize,
}

impl Default for AnswerLimits {
    fn default() -> Self {
        Self { kept: Span::from_mins(10), bytes_max: 64 << 20 }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RememberedAnswers {
    /// By an increasing number.
    by_number: BTreeMap<u64, RememberedAnswer>,
    /// The newest answer of each request id. Queue numbers are never reused, so answers of a deleted queue are never
    /// found.
    by_request: BTreeMap<(u32, Arc<str>), u64>,
    bytes: usize,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RememberedAnswer {
    pub(crate) queue: u32,
    pub(crate) request_id: Arc<str>,
    pub(crate) digest: [u8; 16],
    pub(crate) until: Time,
    pub(crate) produced: ProducedSlots,
}

/// The contents of [`Produced`] in a fifth of the space: the new items of one request have consecutive stamps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ProducedSlots {
    pub(crate) partition: u32,
    /// The stamp of the first new item.
    pub(crate) first: Stamp,
    /// One entry per item, in order: the slot of a new item plus 1, or 0 for a duplicate.
    pub(crate) slots: Box<[u32]>,
    pub(crate) duplicates: Box<[ItemId]>,
}

/// The memory of a stored answer besides its id and its items.
const ANSWER_BYTES: usize = 256;
/// The maximum number of expired answers that are dropped when an answer is added. The memory limit may drop more.
const EXPIRED_DROPPED_MAX: usize = 64;

impl RememberedAnswers {
    /// The stored answer to the same request; `None` if the request is new.
    pub(crate) fn find(&self, queue: u32, request: &RequestKey, now: Time) -> Result<Option<Produced>, Rejection> {
        let number = self.by_request.get(&(queue, Arc::from(request.id())));
        let known = number.and_then(|number| self.by_number.get(number)).filter(|known| known.until > now);
        match known {
            None => Ok(None),
            Some(known) if known.digest == request.digest() => Ok(Some(known.produced.to_produced())),
            Some(_) => Err(Rejection::RequestIdUsed),
        }
    }

    /// The number of the oldest answer that is kept when `answer` is added under `number`.
    pub(crate) fn oldest_with(&self, number: u64, answer: &RememberedAnswer, now: Time, bytes_max: usize) -> u64 {
        let mut bytes = self.bytes + answer.bytes();
        let mut visited = 0;
        let mut is_dropped = |known: &RememberedAnswer| {
            let is_expired = known.until <= now && visited < EXPIRED_DROPPED_MAX;
            visited += 1;
            let is_dropped = is_expired || bytes > bytes_max;
            bytes -= if is_dropped { known.bytes() } else { 0 };
            is_dropped
        };
        self.by_number.iter().find(|(_, known)| !is_dropped(known)).map_or(number, |(number, _)| *number)
    }

    /// Stores an answer, unless it is already stored.
    pub(crate) fn put(&mut self, number: u64, answer: RememberedAnswer) {
        if self.by_number.contains_key(&number) {
            return;
        }
        let newest = self.by_request.entry((answer.queue, Arc::clone(&answer.request_id))).or_default();
        *newest = number.max(*newest);
        self.bytes += answer.bytes();
        self.by_number.insert(number, answer);
    }

    /// Drops all answers before this number.
    pub(crate) fn forget_before(&mut self, oldest: u64) {
        while let Some(first) = self.by_number.first_entry().filter(|first| *first.key() < oldest) {
            let (number, answer) = first.remove_entry();
            self.bytes -= answer.bytes();
            let request = (answer.queue, answer.request_id);
            if self.by_request.get(&request) == Some(&number) {
                self.by_request.remove(&request);
            }
        }
    }

    /// The answers after a number, in order.
    pub(crate) fn after(&self, number: u64) -> impl Iterator<Item = (u64, &RememberedAnswer)> {
        self.by_number.range((Bound::Excluded(number), Bound::Unbounded)).map(|(number, answer)| (*number, answer))
    }

    /// The number of the oldest answer; 0 if there is none.
    pub(crate) fn oldest(&self) -> u64 {
        self.by_number.first_key_value().map_or(0, |(number, _)| *number)
    }

    /// An upper bound of their size in a checkpoint.
    pub(crate) const fn checkpoint_bytes(&self) -> usize {
        self.bytes
    }
}

impl RememberedAnswer {
    /// The size in memory, which is an upper bound of the size on disk.
    pub(crate) fn bytes(&self) -> usize {
        ANSWER_BYTES + self.request_id.len() + self.produced.slots.len() * 5 + self.produced.duplicates.len() * 24
    }
}

impl ProducedSlots {
    pub(crate) fn of(produced: &Produced) -> Self {
        let mut first = None;
        let mut duplicates = Vec::new();
        let slot = |item: &ProducedItem| match item {
            ProducedItem::New(id) => {
                let (stamp, slot) = Stamp::split(id.ksuid());
                first.get_or_insert(stamp);
                // No slot has the number `u32::MAX`.
                slot.saturating_add(1)
            }
            ProducedItem::Duplicate(id) => {
                duplicates.push(*id);
                0
            }
        };
        let slots = produced.items.iter().map(slot).collect();
        Self { partition: produced.partition, first: first.unwrap_or_default(), slots, duplicates: duplicates.into() }
    }

    /// Restores the original answer.
    fn to_produced(&self) -> Produced {
        let mut stamps = (self.first.serial..).map(|serial| Stamp { serial, ..self.first });
        let mut duplicates = self.duplicates.iter();
        let item = |slot: &u32| match slot.checked_sub(1) {
            Some(slot) => stamps.next().map(|stamp| ProducedItem::New(stamp.id(slot))),
            None => duplicates.next().map(|id| ProducedItem::Duplicate(*id)),
        };
        Produced { partition: self.partition, items: self.slots.iter().filter_map(item).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redrive_core::Ksuid;

    const NOW: Time = Time::from_secs(1_800_000_000);

    fn answer(id: &str, until: Time) -> RememberedAnswer {
        let produced = ProducedSlots::default();
        RememberedAnswer { queue: 1, request_id: id.into(), digest: [0; 16], until, produced }
    }

    fn answers_until(untils: &[Time]) -> RememberedAnswers {
        let mut answers = RememberedAnswers::default();
        (1..).zip(untils).for_each(|(number, until)| answers.put(number, answer(&number.to_string(), *until)));
        answers
    }

    #[test]
    fn an_answer_survives_the_compact_form() {
        let stamp = |serial| Stamp { secs: 7, serial, random: 9 };
        let duplicate = ProducedItem::Duplicate(ItemId::new(Ksuid::MAX));
        let items =
            vec![duplicate, ProducedItem::New(stamp(4).id(0)), duplicate, ProducedItem::New(stamp(5).id(u32::MAX - 1))];
        let produced = Produced { partition: 3, items };
        assert_eq!(ProducedSlots::of(&produced).to_produced(), produced);
    }

    #[test]
    fn the_oldest_answers_are_dropped_when_they_expire_or_exceed_the_memory_limit() {
        let later = NOW.saturating_add(Span::from_secs(1));
        let answers = answers_until(&[NOW, NOW, later, NOW]);
        let new = answer("new", later);
        assert_eq!(answers.oldest_with(9, &new, NOW, usize::MAX), 3, "an expired answer after a valid one is kept");
        assert_eq!(answers.oldest_with(9, &new, later, usize::MAX), 9);
        let earlier = NOW.saturating_sub(Span::from_secs(1));
        assert_eq!(answers.oldest_with(9, &new, earlier, usize::MAX), 1);
        let three = answers.bytes / 4 * 3 + 10;
        assert_eq!(answers.oldest_with(9, &new, earlier, three), 3);
        assert_eq!(answers.oldest_with(9, &new, earlier, 0), 9, "the newest answer is always kept");
        let many = answers_until(&[NOW; 100]);
        assert_eq!(many.oldest_with(999, &new, NOW, usize::MAX), 65, "expired answers per call are limited");
        assert_eq!(many.oldest_with(999, &new, NOW, 0), 999);
    }

    #[test]
    fn dropped_answers_are_removed_from_all_indexes() {
        let mut answers = answers_until(&[NOW; 3]);
        answers.put(4, answer("2", NOW));
        answers.forget_before(3);
        assert_eq!(answers.by_request.keys().map(|(_, id)| &**id).collect::<Vec<_>>(), ["2", "3"]);
        answers.forget_before(u64::MAX);
        assert_eq!(answers, RememberedAnswers::default());
    }
}

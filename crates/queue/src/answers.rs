//! The answers of recent requests, by the ids that their callers gave.
//!
//! A caller that lost an answer sends its request again and gets the answer of the first, as long as that is remembered. Answers
//! are forgotten after a time, and earlier where they take too much memory: the oldest first. To refuse requests instead would
//! make the memory a limit of what a store takes in ten minutes, for answers of which hardly one is ever asked for again; and
//! a caller that tries again does so within seconds.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use redrive_core::{ItemId, Span, Time};
use redrive_model::{Produced, ProducedItem, Rejection, RequestKey, Stamp};

/// How long answers are remembered, and how much memory they may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerLimits {
    /// Nothing is remembered where it is zero.
    pub kept: Span,
    /// The newest answer is remembered however large it is.
    pub bytes_max: usize,
}

impl Default for AnswerLimits {
    fn default() -> Self {
        Self { kept: Span::from_mins(10), bytes_max: 64 << 20 }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RememberedAnswers {
    /// By a number that grows with each.
    by_number: BTreeMap<u64, RememberedAnswer>,
    /// The newest of each id. A queue's number is given once: those of a queue that is gone are never found again.
    by_request: BTreeMap<(u32, Arc<str>), u64>,
    bytes: usize,
}

/// What a request was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RememberedAnswer {
    pub(crate) queue: u32,
    pub(crate) request_id: Arc<str>,
    pub(crate) digest: [u8; 16],
    pub(crate) until: Time,
    pub(crate) produced: ProducedSlots,
}

/// The same as [`Produced`], in a fifth of the space: new items of one request have stamps one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ProducedSlots {
    pub(crate) partition: u32,
    /// The stamp of the first new item.
    pub(crate) first: Stamp,
    /// One for each item, in order: the slot of a new one plus 1, or 0 for a duplicate.
    pub(crate) slots: Box<[u32]>,
    pub(crate) duplicates: Box<[ItemId]>,
}

/// What a remembered answer takes in memory besides its id and its items.
const ANSWER_BYTES: usize = 256;
/// So many are forgotten at most when another one comes, unless memory asks for more.
const FORGOTTEN_AT_ONCE: usize = 64;

impl RememberedAnswers {
    /// What the same request was answered; `None` where it is new.
    pub(crate) fn find(&self, queue: u32, request: &RequestKey, now: Time) -> Result<Option<Produced>, Rejection> {
        let number = self.by_request.get(&(queue, Arc::from(request.id())));
        let known = number.and_then(|number| self.by_number.get(number)).filter(|known| known.until > now);
        match known {
            None => Ok(None),
            Some(known) if known.digest == request.digest() => Ok(Some(known.produced.told())),
            Some(_) => Err(Rejection::RequestIdUsed),
        }
    }

    /// The number of the oldest answer that is still remembered when one more comes, whose number this is.
    pub(crate) fn oldest_with(&self, number: u64, answer: &RememberedAnswer, now: Time, bytes_max: usize) -> u64 {
        let mut bytes = self.bytes + answer.bytes();
        let mut passed = 0;
        let mut goes = |known: &RememberedAnswer| {
            let is_over = known.until <= now && passed < FORGOTTEN_AT_ONCE;
            passed += 1;
            let goes = is_over || bytes > bytes_max;
            bytes -= if goes { known.bytes() } else { 0 };
            goes
        };
        self.by_number.iter().find(|(_, known)| !goes(known)).map_or(number, |(number, _)| *number)
    }

    /// Remembers an answer, unless it is known already.
    pub(crate) fn put(&mut self, number: u64, answer: RememberedAnswer) {
        if self.by_number.contains_key(&number) {
            return;
        }
        let newest = self.by_request.entry((answer.queue, Arc::clone(&answer.request_id))).or_default();
        *newest = number.max(*newest);
        self.bytes += answer.bytes();
        self.by_number.insert(number, answer);
    }

    /// Forgets all answers before this number.
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

    /// Those behind a number, in order.
    pub(crate) fn after(&self, number: u64) -> impl Iterator<Item = (u64, &RememberedAnswer)> {
        self.by_number.range((Bound::Excluded(number), Bound::Unbounded)).map(|(number, answer)| (*number, answer))
    }

    /// The number of the oldest; 0 where there is none.
    pub(crate) fn oldest(&self) -> u64 {
        self.by_number.first_key_value().map_or(0, |(number, _)| *number)
    }

    /// No less than a description of all of them takes.
    pub(crate) const fn bytes_described(&self) -> usize {
        self.bytes
    }
}

impl RememberedAnswer {
    /// What it takes in memory, and no less than it takes on disk.
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
                // No slot has the highest number of all.
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

    /// As it was told.
    fn told(&self) -> Produced {
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

    fn remembering(untils: &[Time]) -> RememberedAnswers {
        let mut answers = RememberedAnswers::default();
        (1..).zip(untils).for_each(|(number, until)| answers.put(number, answer(&number.to_string(), *until)));
        answers
    }

    #[test]
    fn an_answer_is_told_as_it_was() {
        let stamp = |serial| Stamp { secs: 7, serial, random: 9 };
        let duplicate = ProducedItem::Duplicate(ItemId::new(Ksuid::MAX));
        let items =
            vec![duplicate, ProducedItem::New(stamp(4).id(0)), duplicate, ProducedItem::New(stamp(5).id(u32::MAX - 1))];
        let produced = Produced { partition: 3, items };
        assert_eq!(ProducedSlots::of(&produced).told(), produced);
    }

    #[test]
    fn the_oldest_go_when_their_time_is_over_or_memory_is_short() {
        let later = NOW.saturating_add(Span::from_secs(1));
        let answers = remembering(&[NOW, NOW, later, NOW]);
        let new = answer("new", later);
        assert_eq!(answers.oldest_with(9, &new, NOW, usize::MAX), 3, "one that waits behind a later one stays");
        assert_eq!(answers.oldest_with(9, &new, later, usize::MAX), 9);
        let earlier = NOW.saturating_sub(Span::from_secs(1));
        assert_eq!(answers.oldest_with(9, &new, earlier, usize::MAX), 1);
        let three = answers.bytes / 4 * 3 + 10;
        assert_eq!(answers.oldest_with(9, &new, earlier, three), 3);
        assert_eq!(answers.oldest_with(9, &new, earlier, 0), 9, "the newest stays, however large it is");
        let many = remembering(&[NOW; 100]);
        assert_eq!(many.oldest_with(999, &new, NOW, usize::MAX), 65, "not too many at once");
        assert_eq!(many.oldest_with(999, &new, NOW, 0), 999);
    }

    #[test]
    fn what_is_forgotten_leaves_nothing_behind() {
        let mut answers = remembering(&[NOW; 3]);
        answers.put(4, answer("2", NOW));
        answers.forget_before(3);
        assert_eq!(answers.by_request.keys().map(|(_, id)| &**id).collect::<Vec<_>>(), ["2", "3"]);
        answers.forget_before(u64::MAX);
        assert_eq!(answers, RememberedAnswers::default());
    }
}

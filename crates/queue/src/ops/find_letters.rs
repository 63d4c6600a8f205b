//! Find letters by what the state machine knows of them.

use std::iter::Peekable;

use redrive_core::{Category, Fingerprint, LetterId, QueueName, Status};

use crate::letter::Letter;
use crate::queue::Queue;
use crate::sorted::{LetterKey, Run, Sorted};
use crate::{ItemInfo, Refusal, State};

/// Letters of which all of this is true, in the order of their ids, behind `after`. Nothing is read for it but memory.
#[derive(Debug, Clone)]
pub struct FindLetters {
    pub queue: QueueName,
    /// None named: all of them.
    pub statuses: Vec<Status>,
    pub category: Option<Category>,
    pub fingerprint: Option<Fingerprint>,
    pub source_id: Option<String>,
    pub after: Option<LetterId>,
    pub limit: usize,
}

/// A page of letters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundLetters {
    pub letters: Vec<ItemInfo>,
    /// Where to go on. There may be more even if the page is short: a question has only so much time.
    pub next: Option<LetterId>,
}

impl FindLetters {
    /// So many letters are looked at for one page: everybody else waits meanwhile.
    const LOOKS_MAX: usize = 20_000;

    /// All letters of a queue.
    pub const fn all(queue: QueueName, limit: usize) -> Self {
        Self { queue, statuses: Vec::new(), category: None, fingerprint: None, source_id: None, after: None, limit }
    }

    pub fn view(&self, state: &State) -> Result<FoundLetters, Refusal> {
        let number = state.queue_number(&self.queue)?;
        let (_, queue) = state.named(&self.queue)?;
        if let Some(source_id) = &self.source_id {
            let named = state.letters_of_source(number, source_id).map(|(slot, letter)| (letter.id, slot));
            return Ok(self.page_of(named.collect(), state));
        }
        if self.category.is_some() || self.fingerprint.is_some() {
            let alike: Vec<u32> =
                queue.faults.slots(self.category, &self.statuses, self.fingerprint).take(Self::LOOKS_MAX + 1).collect();
            // Where there are more, they are met soon enough on the way through all.
            if alike.len() <= Self::LOOKS_MAX {
                let alike = alike.into_iter().filter_map(|slot| Some((state.items.get(slot)?.letter()?.id, slot)));
                return Ok(self.page_of(alike.collect(), state));
            }
        }
        Ok(self.page_of_walk(queue, state))
    }

    /// All that may be meant are known.
    fn page_of(&self, mut candidates: Vec<(LetterId, u32)>, state: &State) -> FoundLetters {
        candidates.retain(|(id, slot)| self.after.is_none_or(|after| *id > after) && self.is_met(*slot, state));
        candidates.sort_unstable();
        let next = candidates
            .get(self.limit..)
            .filter(|rest| !rest.is_empty())
            .and(candidates.get(self.limit.wrapping_sub(1)));
        let next = next.map(|(id, _)| *id);
        candidates.truncate(self.limit);
        FoundLetters { letters: candidates.into_iter().filter_map(|(_, slot)| info(slot, state)).collect(), next }
    }

    /// Looks at one letter after the other.
    fn page_of_walk(&self, queue: &Queue, state: &State) -> FoundLetters {
        let mut found = FoundLetters::default();
        for (looks, (id, slot)) in Walk::new(queue, &self.statuses, self.after).enumerate() {
            if found.letters.len() == self.limit || looks == Self::LOOKS_MAX {
                found.next = found.next.or(self.after);
                return found;
            }
            found.next = Some(id);
            if self.is_met(slot, state) {
                found.letters.extend(info(slot, state));
            }
        }
        FoundLetters { next: None, ..found }
    }

    fn is_met(&self, slot: u32, state: &State) -> bool {
        let Some(letter) = state.items.get(slot).and_then(|item| item.letter()) else { return false };
        let Letter { status, category, fingerprint, .. } = letter;
        (self.statuses.is_empty() || self.statuses.contains(status))
            && self.category.is_none_or(|wanted| wanted == *category)
            && self.fingerprint.is_none_or(|wanted| wanted == *fingerprint)
    }
}

pub(super) fn info(slot: u32, state: &State) -> Option<ItemInfo> {
    state.items.get(slot).map(|item| ItemInfo::of(slot, item))
}

/// The letters of some statuses, in the order of their ids.
pub(super) struct Walk<'q>(Vec<Peekable<Run<'q, LetterKey>>>);

impl<'q> Walk<'q> {
    pub(super) fn new(queue: &'q Queue, statuses: &[Status], after: Option<LetterId>) -> Self {
        let behind = |letters: &'q Sorted<LetterKey>| match after {
            // No letter has this slot, so that it is behind all that have the id.
            Some(id) => letters.from(LetterKey { id, slot: u32::MAX }),
            None => letters.iter(),
        };
        let wanted = Status::ALL.iter().filter(|status| statuses.is_empty() || statuses.contains(status));
        Self(wanted.map(|status| behind(&queue.by_status[*status as usize]).peekable()).collect())
    }
}

impl Iterator for Walk<'_> {
    type Item = (LetterId, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let peeked = self.0.iter_mut().enumerate().filter_map(|(at, letters)| Some((*letters.peek()?, at)));
        let (_, at) = peeked.min()?;
        self.0[at].next().map(|LetterKey { id, slot }| (id, slot))
    }
}

//! Find letters by their in-memory fields.

use std::iter::Peekable;

use redrive_core::{LetterId, Status};
use redrive_model::{FindLetters, FoundLetters, ItemInfo, Letter, Rejection};

use crate::queue::Queue;
use crate::sorted::{LetterOrderKey, Sorted, SortedIter};
use crate::{State, View};

impl View for FindLetters {
    type Reply = Result<FoundLetters, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        let (_, queue) = state.named(&self.queue)?;
        if let Some(source_id) = &self.source_id {
            let letters = state.letters_of_source(number, source_id).map(|(slot, letter)| (letter.id, slot));
            return Ok(page_of(self, letters.collect(), state));
        }
        if self.category.is_some() || self.fingerprint.is_some() {
            let slots: Vec<u32> = queue
                .faults
                .slots(self.category, &self.statuses, self.fingerprint)
                .take(Self::VISITS_MAX + 1)
                .collect();
            // If more letters match, a scan over all letters fills a page quickly.
            if slots.len() <= Self::VISITS_MAX {
                let letters = slots.into_iter().filter_map(|slot| Some((state.items.get(slot)?.letter()?.id, slot)));
                return Ok(page_of(self, letters.collect(), state));
            }
        }
        Ok(page_by_scan(self, queue, state))
    }
}

/// A page of the candidates.
fn page_of(find: &FindLetters, mut candidates: Vec<(LetterId, u32)>, state: &State) -> FoundLetters {
    candidates.retain(|(id, slot)| find.after.is_none_or(|after| *id > after) && matches(find, *slot, state));
    candidates.sort_unstable();
    let next =
        candidates.get(find.limit..).filter(|rest| !rest.is_empty()).and(candidates.get(find.limit.wrapping_sub(1)));
    let next = next.map(|(id, _)| *id);
    candidates.truncate(find.limit);
    FoundLetters { letters: candidates.into_iter().filter_map(|(_, slot)| info(slot, state)).collect(), next }
}

/// A page by a scan over the letters in id order.
fn page_by_scan(find: &FindLetters, queue: &Queue, state: &State) -> FoundLetters {
    let mut found = FoundLetters::default();
    for (visited, (id, slot)) in LettersById::new(queue, &find.statuses, find.after).enumerate() {
        if found.letters.len() == find.limit || visited == FindLetters::VISITS_MAX {
            found.next = found.next.or(find.after);
            return found;
        }
        found.next = Some(id);
        if matches(find, slot, state) {
            found.letters.extend(info(slot, state));
        }
    }
    FoundLetters { next: None, ..found }
}

fn matches(find: &FindLetters, slot: u32, state: &State) -> bool {
    let Some(letter) = state.items.get(slot).and_then(|item| item.letter()) else { return false };
    let Letter { status, category, fingerprint, .. } = letter;
    (find.statuses.is_empty() || find.statuses.contains(status))
        && find.category.is_none_or(|only| only == *category)
        && find.fingerprint.is_none_or(|only| only == *fingerprint)
}

pub(super) fn info(slot: u32, state: &State) -> Option<ItemInfo> {
    state.items.get(slot).map(|item| ItemInfo::of(slot, item))
}

impl<'q> LettersById<'q> {
    pub(super) fn new(queue: &'q Queue, statuses: &[Status], after: Option<LetterId>) -> Self {
        let after = |letters: &'q Sorted<LetterOrderKey>| match after {
            // No letter has this slot, so the key is greater than all keys with the id.
            Some(id) => letters.from(LetterOrderKey { id, slot: u32::MAX }),
            None => letters.iter(),
        };
        let statuses = Status::ALL.iter().filter(|status| statuses.is_empty() || statuses.contains(status));
        Self(statuses.map(|status| after(&queue.by_status[*status as usize]).peekable()).collect())
    }
}

/// An iterator over the letters with certain statuses, in id order.
pub(super) struct LettersById<'q>(Vec<Peekable<SortedIter<'q, LetterOrderKey>>>);

impl Iterator for LettersById<'_> {
    type Item = (LetterId, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let peeked = self.0.iter_mut().enumerate().filter_map(|(at, letters)| Some((*letters.peek()?, at)));
        let (_, at) = peeked.min()?;
        self.0[at].next().map(|LetterOrderKey { id, slot }| (id, slot))
    }
}

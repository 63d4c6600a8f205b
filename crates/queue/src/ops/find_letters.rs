//! Find letters by what the state machine knows of them.

use std::iter::Peekable;

use redrive_core::{LetterId, Status};
use redrive_model::{FindLetters, FoundLetters, ItemInfo, Letter, Rejection};

use crate::queue::Queue;
use crate::sorted::{LetterOrderKey, Run, Sorted};
use crate::{State, View};

impl View for FindLetters {
    type Reply = Result<FoundLetters, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        let (_, queue) = state.named(&self.queue)?;
        if let Some(source_id) = &self.source_id {
            let named = state.letters_of_source(number, source_id).map(|(slot, letter)| (letter.id, slot));
            return Ok(page_of(self, named.collect(), state));
        }
        if self.category.is_some() || self.fingerprint.is_some() {
            let alike: Vec<u32> =
                queue.faults.slots(self.category, &self.statuses, self.fingerprint).take(Self::LOOKS_MAX + 1).collect();
            // Where there are more, they are met soon enough on the way through all.
            if alike.len() <= Self::LOOKS_MAX {
                let alike = alike.into_iter().filter_map(|slot| Some((state.items.get(slot)?.letter()?.id, slot)));
                return Ok(page_of(self, alike.collect(), state));
            }
        }
        Ok(page_of_walk(self, queue, state))
    }
}

/// All that may be meant are known.
fn page_of(find: &FindLetters, mut candidates: Vec<(LetterId, u32)>, state: &State) -> FoundLetters {
    candidates.retain(|(id, slot)| find.after.is_none_or(|after| *id > after) && is_met(find, *slot, state));
    candidates.sort_unstable();
    let next =
        candidates.get(find.limit..).filter(|rest| !rest.is_empty()).and(candidates.get(find.limit.wrapping_sub(1)));
    let next = next.map(|(id, _)| *id);
    candidates.truncate(find.limit);
    FoundLetters { letters: candidates.into_iter().filter_map(|(_, slot)| info(slot, state)).collect(), next }
}

/// Looks at one letter after the other.
fn page_of_walk(find: &FindLetters, queue: &Queue, state: &State) -> FoundLetters {
    let mut found = FoundLetters::default();
    for (looks, (id, slot)) in Walk::new(queue, &find.statuses, find.after).enumerate() {
        if found.letters.len() == find.limit || looks == FindLetters::LOOKS_MAX {
            found.next = found.next.or(find.after);
            return found;
        }
        found.next = Some(id);
        if is_met(find, slot, state) {
            found.letters.extend(info(slot, state));
        }
    }
    FoundLetters { next: None, ..found }
}

fn is_met(find: &FindLetters, slot: u32, state: &State) -> bool {
    let Some(letter) = state.items.get(slot).and_then(|item| item.letter()) else { return false };
    let Letter { status, category, fingerprint, .. } = letter;
    (find.statuses.is_empty() || find.statuses.contains(status))
        && find.category.is_none_or(|wanted| wanted == *category)
        && find.fingerprint.is_none_or(|wanted| wanted == *fingerprint)
}

pub(super) fn info(slot: u32, state: &State) -> Option<ItemInfo> {
    state.items.get(slot).map(|item| ItemInfo::of(slot, item))
}

impl<'q> Walk<'q> {
    pub(super) fn new(queue: &'q Queue, statuses: &[Status], after: Option<LetterId>) -> Self {
        let behind = |letters: &'q Sorted<LetterOrderKey>| match after {
            // No letter has this slot, so that it is behind all that have the id.
            Some(id) => letters.from(LetterOrderKey { id, slot: u32::MAX }),
            None => letters.iter(),
        };
        let wanted = Status::ALL.iter().filter(|status| statuses.is_empty() || statuses.contains(status));
        Self(wanted.map(|status| behind(&queue.by_status[*status as usize]).peekable()).collect())
    }
}

/// The letters of some statuses, in the order of their ids.
pub(super) struct Walk<'q>(Vec<Peekable<Run<'q, LetterOrderKey>>>);

impl Iterator for Walk<'_> {
    type Item = (LetterId, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let peeked = self.0.iter_mut().enumerate().filter_map(|(at, letters)| Some((*letters.peek()?, at)));
        let (_, at) = peeked.min()?;
        self.0[at].next().map(|LetterOrderKey { id, slot }| (id, slot))
    }
}

//! Read and list letters.

use std::ops::Bound;

use redrive_core::{Fingerprint, LetterId, Status};
use redrive_model::{FailureGroupInfo, FindLetters, GetLetter, Groups, ListLetters, Rejection};

use super::letter_orders::{self, IdRange};
use crate::queue::Queue;
use crate::{LocatedItem, State, View};

impl View for GetLetter {
    type Reply = Result<LocatedItem, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        let missing = Rejection::NoSuchLetter(self.letter);
        let (slot, _) = state.slot_of_letter(number, self.letter).ok_or(missing.clone())?;
        state.located(slot).ok_or(missing)
    }
}

impl View for ListLetters {
    type Reply = Result<Vec<LocatedItem>, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let (_, queue) = state.named(&self.queue)?;
        let letters = letter_orders::oldest_first(queue, &self.statuses, IdRange::default(), self.after);
        Ok(letters.take(self.limit).filter_map(|key| state.located(key.slot)).collect())
    }
}

impl View for Groups {
    type Reply = Result<Vec<FailureGroupInfo>, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let (_, queue) = state.named(&self.queue)?;
        let after = self.after.map_or(Bound::Unbounded, Bound::Excluded);
        let groups = queue.groups.range((after, Bound::Unbounded)).take(self.limit);
        let mut visits = FindLetters::VISITS_MAX;
        let shown = groups.map(|(fingerprint, group)| FailureGroupInfo {
            fingerprint: *fingerprint,
            counts: group.counts,
            first_seen: group.first_seen,
            last_seen: group.last_seen,
            sample: sample(*fingerprint, queue, state, &mut visits),
        });
        Ok(shown.collect())
    }
}

/// A live letter with this fingerprint. The index has only a prefix of fingerprints, so letters with the same prefix may
/// have to be visited; all groups of a page share one limit of visits.
fn sample(fingerprint: Fingerprint, queue: &Queue, state: &State, visits: &mut usize) -> Option<LetterId> {
    const LIVE: [Status; 3] = [Status::Pending, Status::Retrying, Status::Exhausted];
    let slots = queue.failures.slots(None, &LIVE, Some(fingerprint)).take(*visits);
    let mut letters = slots.inspect(|_| *visits -= 1).filter_map(|slot| state.items.get(slot)?.letter());
    letters.find(|letter| letter.fingerprint == fingerprint).map(|letter| letter.id)
}

//! Read and list letters.

use std::ops::Bound;

use redrive_model::{FaultGroup, GetLetter, Groups, ListLetters, Rejection};

use super::find_letters::LettersById;
use crate::{LocatedItem, State, View};

impl View for GetLetter {
    type Reply = Result<LocatedItem, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let number = state.queue_number(&self.queue)?;
        let missing = Rejection::NoSuchLetter(self.letter);
        let (slot, _) = state.slot_of_letter(number, self.letter).ok_or(missing.clone())?;
        state.items.get(slot).map(|item| LocatedItem::of(slot, item)).ok_or(missing)
    }
}

impl View for ListLetters {
    type Reply = Result<Vec<LocatedItem>, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let (_, queue) = state.named(&self.queue)?;
        let letters = LettersById::new(queue, &self.statuses, self.after).take(self.limit);
        Ok(letters.filter_map(|(_, slot)| state.located(slot)).collect())
    }
}

impl View for Groups {
    type Reply = Result<Vec<FaultGroup>, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let (_, queue) = state.named(&self.queue)?;
        let after = self.after.map_or(Bound::Unbounded, Bound::Excluded);
        let groups = queue.groups.range((after, Bound::Unbounded)).take(self.limit);
        let shown = groups.map(|(fingerprint, group)| FaultGroup {
            fingerprint: *fingerprint,
            count: group.count,
            first_seen: group.first_seen,
            last_seen: group.last_seen,
        });
        Ok(shown.collect())
    }
}

//! The letters of a queue in the orders of a list, each without a scan of the others.

use std::cmp::Reverse;

use redrive_core::{LetterId, Status, Time};
use redrive_model::{DuePosition, Stamp};

use crate::queue::Queue;
use crate::sorted::{DueKey, LetterOrderKey, Merged, Sorted};

/// A number that no slot has: a key with it is above all keys of its letter.
const ABOVE: u32 = u32::MAX;

/// A range of letter ids.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct IdRange {
    /// Exclusive.
    pub(super) above: Option<LetterId>,
    /// Inclusive; `Some(None)` if no id is low enough.
    pub(super) up_to: Option<Option<LetterId>>,
}

impl IdRange {
    pub(super) fn contains(&self, letter: LetterId) -> bool {
        self.is_above(letter) && self.is_up_to(letter)
    }

    fn is_above(&self, letter: LetterId) -> bool {
        self.above.is_none_or(|above| letter > above)
    }

    fn is_up_to(&self, letter: LetterId) -> bool {
        self.up_to.is_none_or(|up_to| up_to.is_some_and(|up_to| letter <= up_to))
    }

    pub(super) const fn is_unbounded(&self) -> bool {
        self.above.is_none() && self.up_to.is_none()
    }
}

fn orders<'q>(queue: &'q Queue, statuses: &[Status]) -> impl Iterator<Item = &'q Sorted<LetterOrderKey>> {
    let statuses = Status::ALL.iter().filter(|status| statuses.is_empty() || statuses.contains(status));
    statuses.map(|status| &queue.by_status[*status as usize])
}

/// The letters with certain statuses in id order, after a letter.
pub(super) fn oldest_first<'q>(
    queue: &'q Queue,
    statuses: &[Status],
    range: IdRange,
    after: Option<LetterId>,
) -> impl Iterator<Item = LetterOrderKey> + use<'q> {
    let letters = orders(queue, statuses).map(|letters| match range.above.max(after) {
        Some(id) => letters.from(LetterOrderKey { id, slot: ABOVE }),
        None => letters.iter(),
    });
    letters.collect::<Merged<_>>().take_while(move |key| range.is_up_to(key.id))
}

/// The letters with certain statuses in descending id order, after a letter.
pub(super) fn newest_first<'q>(
    queue: &'q Queue,
    statuses: &[Status],
    range: IdRange,
    after: Option<LetterId>,
) -> impl Iterator<Item = LetterOrderKey> + use<'q> {
    let up_to = range.up_to.map(|up_to| match up_to {
        Some(id) => LetterOrderKey { id, slot: ABOVE },
        None => LetterOrderKey::FIRST,
    });
    let after = after.map(|id| LetterOrderKey { id, slot: 0 });
    let begin = up_to.into_iter().chain(after).min();
    let letters = orders(queue, statuses).map(|letters| letters.descending(begin).map(Reverse));
    let keys = letters.collect::<Merged<_>>().map(|Reverse(key)| key);
    keys.take_while(move |key| range.is_above(key.id))
}

/// The number of letters with certain statuses in a range of ids. Visits chunks, not letters.
pub(super) fn count(queue: &Queue, statuses: &[Status], range: IdRange) -> usize {
    let key = |id| LetterOrderKey { id, slot: ABOVE };
    let counts = orders(queue, statuses).map(|letters| match (range.above.map(key), range.up_to) {
        (_, Some(None)) => 0,
        (None, None) => letters.len(),
        (Some(above), None) => letters.count_between(above, LetterOrderKey::LAST),
        (None, Some(Some(up_to))) => letters.len() - letters.count_between(key(up_to), LetterOrderKey::LAST),
        (Some(above), Some(Some(up_to))) => letters.count_between(above, key(up_to)),
    });
    counts.sum()
}

fn due_orders(queue: &Queue) -> impl Iterator<Item = &Sorted<DueKey>> {
    queue.due.values().flatten()
}

/// The letters that are due at `not_before` or later, the earliest first, after a position.
pub(super) fn due_first(
    queue: &Queue,
    not_before: Option<Time>,
    after: Option<DuePosition>,
) -> impl Iterator<Item = DueKey> {
    let after = after.map(due_key);
    let begin = after.max(not_before.map(DueKey::begin_of));
    let letters = due_orders(queue).map(|letters| match begin {
        Some(begin) => letters.from(begin),
        None => letters.iter(),
    });
    letters.collect::<Merged<_>>().skip_while(move |key| Some(*key) == after)
}

/// The letters that are due at `not_before` or later, the latest first, after a position.
pub(super) fn due_last(
    queue: &Queue,
    not_before: Option<Time>,
    after: Option<DuePosition>,
) -> impl Iterator<Item = DueKey> {
    let after = after.map(due_key);
    let letters = due_orders(queue).map(|letters| letters.descending(after).map(Reverse));
    let letters = letters.collect::<Merged<_>>().map(|Reverse(key)| key);
    letters.take_while(move |key| not_before.is_none_or(|begin| key.at() >= begin))
}

/// No letter with a due time before this was captured at `since` or later; `None` if that is unknown.
pub(super) fn earliest_due(queue: &Queue, since: Option<Time>) -> Option<Time> {
    since.filter(|_| queue.due_before_capture == 0).map(|since| Time::from_secs(since.as_secs()))
}

/// Serial numbers ascend with item ids.
fn due_key(position: DuePosition) -> DueKey {
    let (stamp, slot) = Stamp::split(position.item.ksuid());
    DueKey::new(position.at, stamp.serial, slot)
}

//! Find letters by their in-memory fields.

use std::cmp::Reverse;

use redrive_core::{LetterId, Status};
use redrive_model::{DuePosition, FindLetters, FoundLetters, Item, ItemInfo, Letter, LetterOrder, Phase, Rejection};

use super::letter_orders::{self, IdRange};
use crate::queue::Queue;
use crate::{State, View};

impl View for FindLetters {
    type Reply = Result<FoundLetters, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        let (number, queue) = state.named(&self.queue)?;
        let range = IdRange { above: self.captured.above(), up_to: self.captured.up_to() };
        let finder = Finder { find: self, state, queue, range };
        Ok(match finder.candidates(number) {
            Some(candidates) => finder.page_of(candidates),
            None => finder.page_by_scan(),
        })
    }
}

/// The position of a letter in an order. Positions of one order compare in that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Position {
    Oldest(LetterId),
    DueFirst(DuePosition),
    DueLast(Reverse<DuePosition>),
    /// Also of letters without a due time, which follow all others in due order.
    Newest(Reverse<LetterId>),
}

impl Position {
    /// Where the page of a request begins.
    fn before(find: &FindLetters) -> Option<Self> {
        let due = find.after_due.filter(|_| find.after.is_none());
        let newest = find.after.map(|after| Self::Newest(Reverse(after)));
        match find.order {
            LetterOrder::OldestFirst => find.after.map(Self::Oldest),
            LetterOrder::NewestFirst => newest,
            LetterOrder::DueFirst => due.map(Self::DueFirst).or(newest),
            LetterOrder::DueLast => due.map(|due| Self::DueLast(Reverse(due))).or(newest),
        }
    }

    /// Lets the next page begin after this position.
    const fn continue_after(self, found: &mut FoundLetters) {
        match self {
            Self::Oldest(letter) | Self::Newest(Reverse(letter)) => found.next = Some(letter),
            Self::DueFirst(due) | Self::DueLast(Reverse(due)) => found.next_due = Some(due),
        }
    }
}

/// A visit of a letter in a scan.
enum Visit {
    Listed(u32),
    /// A letter with a due time among those without: it was listed before them.
    Passed(LetterId),
}

/// One search.
struct Finder<'s> {
    find: &'s FindLetters,
    state: &'s State,
    queue: &'s Queue,
    /// The ids of the letters that were captured at the right time.
    range: IdRange,
}

impl Finder<'_> {
    /// The slots of all letters that may match, if an index shows that they are few.
    fn candidates(&self, queue: u32) -> Option<Vec<u32>> {
        let find = self.find;
        if let Some(source_id) = &find.source_id {
            return Some(self.state.letters_of_source(queue, source_id).map(|(slot, _)| slot).collect());
        }
        if find.category.is_some() || find.fingerprint.is_some() {
            let slots = self.queue.failures.slots(find.category, &find.statuses, find.fingerprint);
            let slots: Vec<u32> = slots.take(FindLetters::VISITS_MAX + 1).collect();
            // If more letters match, a scan in the order of the list fills a page quickly.
            return Some(slots).filter(|slots| slots.len() <= FindLetters::VISITS_MAX);
        }
        // In due order, the letters of a time may be the last of all.
        let is_by_due = matches!(find.order, LetterOrder::DueFirst | LetterOrder::DueLast);
        if is_by_due && !self.range.is_unbounded() && self.captured() <= FindLetters::VISITS_MAX {
            let letters = letter_orders::oldest_first(self.queue, &find.statuses, self.range, None);
            return Some(letters.map(|key| key.slot).collect());
        }
        None
    }

    /// A page of the candidates.
    fn page_of(&self, candidates: Vec<u32>) -> FoundLetters {
        let matching =
            candidates.into_iter().filter_map(|slot| Some((self.position(self.matching(slot)?, slot)?, slot)));
        let mut matching: Vec<(Position, u32)> = matching.collect();
        let total = Some(matching.len() as u64);
        if let Some(before) = Position::before(self.find) {
            matching.retain(|(position, _)| *position > before);
        }
        matching.sort_unstable();
        let mut found = FoundLetters { total, ..FoundLetters::default() };
        if matching.len() > self.find.limit {
            matching.truncate(self.find.limit);
            let last = matching.last().map(|(position, _)| *position).or(Position::before(self.find));
            last.into_iter().for_each(|last| last.continue_after(&mut found));
        }
        found.letters = matching.into_iter().filter_map(|(_, slot)| info(slot, self.state)).collect();
        found
    }

    /// A page by a scan over the letters in the order of the list.
    fn page_by_scan(&self) -> FoundLetters {
        let mut found = FoundLetters { total: self.total(), ..FoundLetters::default() };
        let mut last = Position::before(self.find);
        for (visited, visit) in self.visits().enumerate() {
            if found.letters.len() == self.find.limit || visited == FindLetters::VISITS_MAX {
                last.into_iter().for_each(|last| last.continue_after(&mut found));
                return found;
            }
            let slot = match visit {
                Visit::Listed(slot) => slot,
                Visit::Passed(letter) => {
                    last = Some(Position::Newest(Reverse(letter)));
                    continue;
                }
            };
            let Some(item) = self.state.items.get(slot) else { continue };
            last = self.position(item, slot).or(last);
            if self.matching(slot).is_some() {
                found.letters.extend(info(slot, self.state));
            }
        }
        found
    }

    /// The letters in the order of the list, as far as an order alone selects them.
    fn visits(&self) -> Box<dyn Iterator<Item = Visit> + '_> {
        let Self { find, queue, range, .. } = self;
        let (due, not_before) = (find.after_due, letter_orders::earliest_due(queue, find.captured.since));
        match find.order {
            LetterOrder::OldestFirst => {
                let letters = letter_orders::oldest_first(queue, &find.statuses, *range, find.after);
                Box::new(letters.map(|key| Visit::Listed(key.slot)))
            }
            LetterOrder::NewestFirst => {
                let letters = letter_orders::newest_first(queue, &find.statuses, *range, find.after);
                Box::new(letters.map(|key| Visit::Listed(key.slot)))
            }
            LetterOrder::DueFirst => {
                self.due_then_others(letter_orders::due_first(queue, not_before, due).map(|key| key.slot))
            }
            LetterOrder::DueLast => {
                self.due_then_others(letter_orders::due_last(queue, not_before, due).map(|key| key.slot))
            }
        }
    }

    fn due_then_others<'f>(&'f self, due: impl Iterator<Item = u32> + 'f) -> Box<dyn Iterator<Item = Visit> + 'f> {
        let Self { find, queue, range, state } = self;
        let others = letter_orders::newest_first(queue, &find.statuses, *range, find.after);
        let is_due = |slot: u32| state.items.get(slot).is_some_and(|item| item.phase == Phase::Due);
        let others =
            others.map(move |key| if is_due(key.slot) { Visit::Passed(key.id) } else { Visit::Listed(key.slot) });
        // Only pending letters have a due time.
        let has_due = find.after.is_none() && (find.statuses.is_empty() || find.statuses.contains(&Status::Pending));
        if has_due { Box::new(due.map(Visit::Listed).chain(others)) } else { Box::new(others) }
    }

    /// The item in a slot, if it is a letter that matches.
    fn matching(&self, slot: u32) -> Option<&Item> {
        let item = self.state.items.get(slot)?;
        let Letter { id, status, category, fingerprint, .. } = item.letter()?;
        let find = self.find;
        let is_match = (find.statuses.is_empty() || find.statuses.contains(status))
            && find.category.is_none_or(|only| only == *category)
            && find.fingerprint.is_none_or(|only| only == *fingerprint)
            && self.range.contains(*id);
        is_match.then_some(item)
    }

    fn position(&self, item: &Item, slot: u32) -> Option<Position> {
        let letter = item.letter()?.id;
        let due = (item.phase == Phase::Due).then(|| DuePosition { at: item.at, item: item.stamp.id(slot) });
        Some(match (self.find.order, due) {
            (LetterOrder::OldestFirst, _) => Position::Oldest(letter),
            (LetterOrder::DueFirst, Some(due)) => Position::DueFirst(due),
            (LetterOrder::DueLast, Some(due)) => Position::DueLast(Reverse(due)),
            (LetterOrder::NewestFirst, _) | (LetterOrder::DueFirst | LetterOrder::DueLast, None) => {
                Position::Newest(Reverse(letter))
            }
        })
    }

    /// The number of letters that were captured at the right time.
    fn captured(&self) -> usize {
        letter_orders::count(self.queue, &self.find.statuses, self.range)
    }

    /// The number of matching letters, if it is known without a visit of each.
    fn total(&self) -> Option<u64> {
        let Self { find, queue, range, .. } = self;
        match (find.category, find.fingerprint) {
            (None, None) => Some(self.captured() as u64),
            (Some(category), None) if range.is_unbounded() => {
                Some(queue.failures.count(category, &find.statuses) as u64)
            }
            (None, Some(fingerprint)) if range.is_unbounded() && is_all_live(&find.statuses) => {
                Some(queue.groups.get(&fingerprint).map_or(0, |group| group.counts.sum()))
            }
            _ => None,
        }
    }
}

fn is_all_live(statuses: &[Status]) -> bool {
    Status::ALL.iter().all(|status| status.is_live() == statuses.contains(status))
}

pub(super) fn info(slot: u32, state: &State) -> Option<ItemInfo> {
    state.items.get(slot).map(|item| ItemInfo::of(slot, item))
}

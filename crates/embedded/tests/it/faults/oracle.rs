//! The oracle: the expected content of a store, from acknowledged operations and from those whose outcome is unknown.
//!
//! It is not a complete model: of each item it knows only its queue, its payload and its phase.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use redrive_core::{ItemId, LetterId, Time};

/// The error describes the difference between the store and the oracle.
pub(super) type Checked<T = ()> = Result<T, String>;

/// The queues of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TestQueue {
    /// Has several partitions, and no dead queue.
    Orders,
    /// Allows two attempts and has a dead queue.
    Fragile,
    /// Is deleted and recreated.
    Brief,
    Dead,
}

impl TestQueue {
    pub(super) const ALL: [Self; 4] = [Self::Dead, Self::Orders, Self::Fragile, Self::Brief];
    pub(super) const FOR_ITEMS: [Self; 3] = [Self::Orders, Self::Fragile, Self::Brief];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Fragile => "fragile",
            Self::Brief => "brief",
            Self::Dead => "dead",
        }
    }

    pub(super) const fn partitions(self) -> u32 {
        match self {
            Self::Orders => 3,
            Self::Fragile | Self::Brief | Self::Dead => 1,
        }
    }
}

/// The expected state of an item, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExpectedItem {
    /// The item is in exactly one of these queues: items that die move to the dead queue.
    pub(super) test_queues: BTreeSet<TestQueue>,
    pub(super) phase: LetterPhase,
    /// The number of its payload.
    pub(super) body: u64,
    /// The number of its payload before it was edited.
    pub(super) original: Option<u64>,
    pub(super) notes: Vec<Bytes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LetterPhase {
    Live,
    Archived,
    /// A completed letter, which is removed after its retention.
    Completed,
}

impl ExpectedItem {
    pub(super) fn new(test_queue: TestQueue, body: u64) -> Self {
        let test_queues = BTreeSet::from([test_queue]);
        Self { test_queues, phase: LetterPhase::Live, body, original: None, notes: Vec::new() }
    }

    /// The same item, which may also have died and moved to the dead queue.
    pub(super) fn or_dead(mut self) -> Self {
        self.test_queues.insert(TestQueue::Dead);
        self
    }
}

/// The effect of an operation, which happens completely or not at all. `None` means removed.
#[derive(Debug, Clone, Default)]
pub(super) struct Effect {
    pub(super) items: Vec<(u64, Option<ExpectedItem>)>,
    pub(super) keys: Vec<(u64, Option<u64>)>,
    pub(super) cursor: Option<u64>,
}

/// A lease that was acknowledged and not settled yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeldLease {
    pub(super) test_queue: TestQueue,
    pub(super) partition: u32,
    pub(super) id: ItemId,
    pub(super) item: u64,
    pub(super) deadline: Time,
}

/// An item as the store shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ObservedItem {
    pub(super) test_queue: TestQueue,
    pub(super) id: ItemId,
    pub(super) body: u64,
    pub(super) phase: LetterPhase,
    pub(super) letter: Option<LetterId>,
    pub(super) source_id: Option<Box<str>>,
    pub(super) is_leased: bool,
}

/// Everything that the store shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) items: Vec<ObservedItem>,
    pub(super) keys: BTreeMap<u64, u64>,
    pub(super) cursor: u64,
}

#[derive(Debug, Default)]
pub(super) struct Oracle {
    pub(super) items: BTreeMap<u64, Option<ExpectedItem>>,
    pub(super) keys: BTreeMap<u64, Option<u64>>,
    pub(super) cursor: u64,
    pub(super) held: Vec<HeldLease>,
    /// The item of each payload.
    pub(super) owners: BTreeMap<u64, u64>,
    pub(super) letters: BTreeMap<u64, LetterId>,
    /// Effects of operations that were not answered.
    pub(super) unanswered: Vec<Effect>,
    /// Items that such an operation may have changed in a way that no list shows, with the notes that they may have.
    pub(super) uncertain: BTreeMap<u64, Vec<Bytes>>,
    /// Items that were produced with a message id, and letters that were captured.
    pub(super) has_message_id: BTreeSet<u64>,
    pub(super) captured: BTreeSet<u64>,
    /// All ids seen so far. An id never refers to another item.
    ids: BTreeMap<ItemId, u64>,
    next: u64,
}

impl Oracle {
    /// A number that was never used.
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// A payload for an item.
    pub(super) fn body_for(&mut self, item: u64) -> u64 {
        let body = self.number();
        self.owners.insert(body, item);
        body
    }

    pub(super) fn expected_item(&self, item: u64) -> Option<&ExpectedItem> {
        self.items.get(&item).and_then(Option::as_ref)
    }

    /// Items that are certainly in this queue and phase.
    pub(super) fn certain_items(&self, test_queue: TestQueue, phase: LetterPhase) -> Vec<u64> {
        let is_it = |expected: &ExpectedItem| expected.test_queues.iter().eq([&test_queue]) && expected.phase == phase;
        self.items.iter().filter(|(_, expected)| expected.as_ref().is_some_and(is_it)).map(|(item, _)| *item).collect()
    }

    /// Items that may be in this queue.
    pub(super) fn items_in(&self, test_queue: TestQueue) -> Vec<u64> {
        let is_it = |expected: &ExpectedItem| expected.test_queues.contains(&test_queue);
        self.items.iter().filter(|(_, expected)| expected.as_ref().is_some_and(is_it)).map(|(item, _)| *item).collect()
    }

    /// Applies the effect of an operation that happened.
    pub(super) fn apply(&mut self, effect: Effect) {
        for (item, expected) in effect.items {
            let stays =
                self.expected_item(item).zip(expected.as_ref()).is_some_and(|(old, new)| old.phase == new.phase);
            if !stays {
                self.held.retain(|held| held.item != item);
            }
            self.items.insert(item, expected);
        }
        self.keys.extend(effect.keys);
        self.cursor = effect.cursor.unwrap_or(self.cursor);
    }

    /// Records an id that the store assigned or showed.
    pub(super) fn learn_id(&mut self, id: ItemId, item: u64) -> Checked {
        match self.ids.insert(id, item) {
            Some(before) if before != item => {
                Err(format!("{id} was the id of item {before} and is now the id of item {item}"))
            }
            _ => Ok(()),
        }
    }

    /// Records a new id, which must be greater than all earlier ones.
    pub(super) fn learn_new_id(&mut self, id: ItemId, item: u64) -> Checked {
        match self.ids.last_key_value() {
            Some((last, _)) if *last >= id => Err(format!("{id} was assigned after {last}, but is not greater")),
            _ => self.learn_id(id, item),
        }
    }

    pub(super) fn time_passed(&mut self, now: Time) {
        self.held.retain(|held| held.deadline >= now);
        // Expired leases have used up attempts.
        for expected in
            self.items.values_mut().flatten().filter(|expected| expected.test_queues.contains(&TestQueue::Fragile))
        {
            expected.test_queues.insert(TestQueue::Dead);
        }
    }

    /// Compares the oracle with what the store shows. Operations that were not answered must be visible completely or
    /// not at all; with [`Unanswered::Absent`], not at all.
    pub(super) fn compare(&mut self, found: &Found, unanswered: Unanswered, timers: Timers) -> Checked {
        let mut by_item: BTreeMap<u64, Vec<&ObservedItem>> = BTreeMap::new();
        for seen in &found.items {
            let Some(item) = self.owners.get(&seen.body).copied() else {
                return Err(format!("{seen:?} was never added to the store"));
            };
            self.learn_id(seen.id, item)?;
            by_item.entry(item).or_default().push(seen);
        }
        check_sources(&found.items)?;
        let effects = std::mem::take(&mut self.unanswered);
        for effect in &effects {
            match self.happened(effect, found, &by_item)? {
                Some(true) if unanswered == Unanswered::Absent => {
                    return Err(format!("a failed operation has taken effect: {effect:?}"));
                }
                Some(true) => self.apply(effect.clone()),
                Some(false) => {}
                None => {
                    for (item, expected) in &effect.items {
                        let notes = expected.iter().flat_map(|expected| expected.notes.iter().cloned());
                        self.uncertain.entry(*item).or_default().extend(notes);
                    }
                }
            }
        }
        for (item, seen) in &by_item {
            if !self.items.contains_key(item) && !seen.is_empty() {
                return Err(format!("item {item} was rejected, but is shown: {seen:?}"));
            }
        }
        let items: Vec<u64> = self.items.keys().copied().collect();
        for item in items {
            let seen = by_item.get(&item).map_or(&[][..], Vec::as_slice);
            let expected = self.items.get(&item).cloned().flatten();
            if !matches(expected.as_ref(), seen) {
                return Err(format!("item {item} should be {expected:?}, but is shown as {seen:?}"));
            }
            self.narrow(item, seen.first().copied(), timers);
        }
        self.compare_keys_and_cursor(found)?;
        self.compare_held(&by_item)?;
        if unanswered == Unanswered::Absent {
            // Compared again after the next start: the effects may be on disk after all.
            self.unanswered = effects;
        }
        Ok(())
    }

    /// Whether an operation that was not answered has taken effect; `None` if that is not visible.
    fn happened(
        &self,
        effect: &Effect,
        found: &Found,
        by_item: &BTreeMap<u64, Vec<&ObservedItem>>,
    ) -> Checked<Option<bool>> {
        let seen = |item: &u64| by_item.get(item).map_or(&[][..], Vec::as_slice);
        let is_after = effect.items.iter().all(|(item, expected)| matches(expected.as_ref(), seen(item)))
            && effect.keys.iter().all(|(key, value)| found.keys.get(key) == value.as_ref())
            && effect.cursor.is_none_or(|cursor| cursor == found.cursor);
        let is_before = effect.items.iter().all(|(item, _)| matches(self.expected_item(*item), seen(item)))
            && effect.keys.iter().all(|(key, _)| found.keys.get(key) == self.keys.get(key).and_then(Option::as_ref))
            && effect.cursor.is_none_or(|_| self.cursor == found.cursor);
        match (is_before, is_after) {
            (true, true) => Ok(None),
            (true, false) => Ok(Some(false)),
            (false, true) => Ok(Some(true)),
            (false, false) => {
                let seen: Vec<_> =
                    effect.items.iter().map(|(item, _)| (item, self.expected_item(*item), seen(item))).collect();
                Err(format!("the operation has taken effect in part: {effect:?}; before and found: {seen:?}"))
            }
        }
    }

    /// Narrows the expected state of an item down to what was seen.
    fn narrow(&mut self, item: u64, seen: Option<&ObservedItem>, timers: Timers) {
        let Some(expected) = self.items.get_mut(&item) else { return };
        match (seen, expected.as_mut()) {
            (Some(seen), Some(expected)) => {
                if timers == Timers::Settled {
                    expected.test_queues = BTreeSet::from([seen.test_queue]);
                }
                if let Some(letter) = seen.letter {
                    self.letters.insert(item, letter);
                }
            }
            // A completed letter was removed after its retention.
            (None, _) => *expected = None,
            (Some(_), None) => {}
        }
    }

    fn compare_keys_and_cursor(&self, found: &Found) -> Checked {
        let keys: BTreeMap<u64, u64> = self.keys.iter().filter_map(|(key, value)| Some((*key, (*value)?))).collect();
        if keys != found.keys {
            return Err(format!("the keys should be {keys:?}, but are {:?}", found.keys));
        }
        if self.cursor != found.cursor {
            return Err(format!("the cursor should be at {}, but is at {}", self.cursor, found.cursor));
        }
        Ok(())
    }

    /// Checks that all acknowledged leases are still in force.
    fn compare_held(&self, by_item: &BTreeMap<u64, Vec<&ObservedItem>>) -> Checked {
        for held in &self.held {
            let seen = by_item.get(&held.item).and_then(|seen| seen.first());
            if !seen.is_some_and(|seen| seen.is_leased && seen.id == held.id) {
                return Err(format!("the lease {held:?} is lost: {seen:?}"));
            }
        }
        Ok(())
    }

    /// Drops leases that an unanswered operation may have settled before the crash.
    pub(super) fn forget_unanswered_leases(&mut self) {
        let touched: BTreeSet<u64> =
            self.unanswered.iter().flat_map(|effect| effect.items.iter().map(|(item, _)| *item)).collect();
        self.held.retain(|held| !touched.contains(&held.item));
    }
}

/// What the store may show of operations that were not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// Their effects, or not.
    Either,
    /// Not their effects: the store that received them is still open.
    Absent,
}

/// Whether all due timers have fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timers {
    Settled,
    /// A store on a full or failed disk fires no timers until it recovers.
    Pending,
}

fn matches(expected: Option<&ExpectedItem>, seen: &[&ObservedItem]) -> bool {
    match (expected, seen) {
        (None, []) => true,
        (Some(expected), []) => expected.phase == LetterPhase::Completed,
        (Some(expected), [seen]) => {
            expected.test_queues.contains(&seen.test_queue)
                && expected.phase == seen.phase
                && expected.body == seen.body
        }
        _ => false,
    }
}

/// Checks that a source id is unique among the live items of a queue.
fn check_sources(items: &[ObservedItem]) -> Checked {
    let mut sources = BTreeSet::new();
    for seen in items.iter().filter(|seen| seen.phase == LetterPhase::Live) {
        let is_new = seen.source_id.as_ref().is_none_or(|source_id| sources.insert((seen.test_queue, source_id)));
        if !is_new {
            return Err(format!("the source id of {seen:?} is not unique"));
        }
    }
    Ok(())
}

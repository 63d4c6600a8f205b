//! What must be there: the effects of what was acknowledged, and of what may or may not have happened.
//!
//! It is no model: it knows of each item only where it is, what it carries and whether it is put away.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use redrive_core::{ItemId, LetterId, Time};

/// An error says what was wrong.
pub(super) type Checked<T = ()> = Result<T, String>;

/// The queues of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Home {
    /// Several partitions, and no dead queue.
    Orders,
    /// Two attempts, then the dead queue.
    Fragile,
    /// Removed and made again.
    Brief,
    Dead,
}

impl Home {
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

/// What an item is, as far as this is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Life {
    /// It is in exactly one of these: items of some queues move by themselves.
    pub(super) homes: BTreeSet<Home>,
    pub(super) shelf: Shelf,
    /// The number of its payload.
    pub(super) body: u64,
    /// The number of the payload before it was edited.
    pub(super) original: Option<u64>,
    pub(super) notes: Vec<Bytes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shelf {
    Live,
    Archived,
    /// A letter that is done: it is kept for a while, and then forgotten.
    Completed,
}

impl Life {
    pub(super) fn new(home: Home, body: u64) -> Self {
        let homes = BTreeSet::from([home]);
        Self { homes, shelf: Shelf::Live, body, original: None, notes: Vec::new() }
    }

    /// It may have died, and moved.
    pub(super) fn or_dead(mut self) -> Self {
        self.homes.insert(Home::Dead);
        self
    }
}

/// What an operation changes, if it happens: all of it, or nothing. `None` is nowhere.
#[derive(Debug, Clone, Default)]
pub(super) struct Effect {
    pub(super) items: Vec<(u64, Option<Life>)>,
    pub(super) keys: Vec<(u64, Option<u64>)>,
    pub(super) cursor: Option<u64>,
}

/// A lease that was acknowledged and not settled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub(super) home: Home,
    pub(super) partition: u32,
    pub(super) id: ItemId,
    pub(super) item: u64,
    pub(super) deadline: Time,
}

/// An item as the store shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) home: Home,
    pub(super) id: ItemId,
    pub(super) body: u64,
    pub(super) shelf: Shelf,
    pub(super) letter: Option<LetterId>,
    pub(super) source_id: Option<Box<str>>,
    pub(super) is_leased: bool,
}

/// Everything that the store shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) items: Vec<Seen>,
    pub(super) keys: BTreeMap<u64, u64>,
    pub(super) cursor: u64,
}

#[derive(Debug, Default)]
pub(super) struct Oracle {
    pub(super) items: BTreeMap<u64, Option<Life>>,
    pub(super) keys: BTreeMap<u64, Option<u64>>,
    pub(super) cursor: u64,
    pub(super) held: Vec<Held>,
    /// Which item a payload was made for.
    pub(super) owners: BTreeMap<u64, u64>,
    pub(super) letters: BTreeMap<u64, LetterId>,
    /// Operations that were not answered.
    pub(super) unsure: Vec<Effect>,
    /// Items of which such an operation may have changed something that no list shows, and the notes that they may have.
    pub(super) blurred: BTreeMap<u64, Vec<Bytes>>,
    /// Items that were produced with a message id, and letters that were captured.
    pub(super) has_message_id: BTreeSet<u64>,
    pub(super) captured: BTreeSet<u64>,
    /// Ids name one item for ever.
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

    pub(super) fn life(&self, item: u64) -> Option<&Life> {
        self.items.get(&item).and_then(Option::as_ref)
    }

    /// Items of a home and a shelf that are there for certain.
    pub(super) fn lives(&self, home: Home, shelf: Shelf) -> Vec<u64> {
        let is_it = |life: &Life| life.homes.iter().eq([&home]) && life.shelf == shelf;
        self.items.iter().filter(|(_, life)| life.as_ref().is_some_and(is_it)).map(|(item, _)| *item).collect()
    }

    /// All that may be in a home.
    pub(super) fn inhabitants(&self, home: Home) -> Vec<u64> {
        let is_it = |life: &Life| life.homes.contains(&home);
        self.items.iter().filter(|(_, life)| life.as_ref().is_some_and(is_it)).map(|(item, _)| *item).collect()
    }

    /// What happened, happened.
    pub(super) fn apply(&mut self, effect: Effect) {
        for (item, life) in effect.items {
            let stays = self.life(item).zip(life.as_ref()).is_some_and(|(old, new)| old.shelf == new.shelf);
            if !stays {
                self.held.retain(|held| held.item != item);
            }
            self.items.insert(item, life);
        }
        self.keys.extend(effect.keys);
        self.cursor = effect.cursor.unwrap_or(self.cursor);
    }

    /// An id that the store gave or showed.
    pub(super) fn learn_id(&mut self, id: ItemId, item: u64) -> Checked {
        match self.ids.insert(id, item) {
            Some(before) if before != item => Err(format!("{id} was item {before} and is item {item} now")),
            _ => Ok(()),
        }
    }

    /// An id that was just given must be greater than all before it.
    pub(super) fn learn_new_id(&mut self, id: ItemId, item: u64) -> Checked {
        match self.ids.last_key_value() {
            Some((last, _)) if *last >= id => Err(format!("{id} came after {last}")),
            _ => self.learn_id(id, item),
        }
    }

    pub(super) fn time_passed(&mut self, now: Time) {
        self.held.retain(|held| held.deadline >= now);
        // Leases that ran out have used attempts up.
        for life in self.items.values_mut().flatten().filter(|life| life.homes.contains(&Home::Fragile)) {
            life.homes.insert(Home::Dead);
        }
    }

    /// Compares with what the store shows. What was not answered is there whole, or not at all; and where the store says
    /// that it was not done, it is not there.
    pub(super) fn compare(&mut self, found: &Found, unsure: Unsure, rest: Rest) -> Checked {
        let mut by_item: BTreeMap<u64, Vec<&Seen>> = BTreeMap::new();
        for seen in &found.items {
            let Some(item) = self.owners.get(&seen.body).copied() else {
                return Err(format!("{seen:?} was never given to the store"));
            };
            self.learn_id(seen.id, item)?;
            by_item.entry(item).or_default().push(seen);
        }
        check_sources(&found.items)?;
        let effects = std::mem::take(&mut self.unsure);
        for effect in &effects {
            match self.happened(effect, found, &by_item)? {
                Some(true) if unsure == Unsure::Absent => {
                    return Err(format!("what was answered with an error is seen: {effect:?}"));
                }
                Some(true) => self.apply(effect.clone()),
                Some(false) => {}
                None => {
                    for (item, life) in &effect.items {
                        let notes = life.iter().flat_map(|life| life.notes.iter().cloned());
                        self.blurred.entry(*item).or_default().extend(notes);
                    }
                }
            }
        }
        for (item, seen) in &by_item {
            if !self.items.contains_key(item) && !seen.is_empty() {
                return Err(format!("item {item} is there, and was refused: {seen:?}"));
            }
        }
        let items: Vec<u64> = self.items.keys().copied().collect();
        for item in items {
            let seen = by_item.get(&item).map_or(&[][..], Vec::as_slice);
            let expected = self.items.get(&item).cloned().flatten();
            if !matches(expected.as_ref(), seen) {
                return Err(format!("item {item} should be {expected:?}, and is seen as {seen:?}"));
            }
            self.narrow(item, seen.first().copied(), rest);
        }
        self.compare_rest(found)?;
        self.compare_held(&by_item)?;
        if unsure == Unsure::Absent {
            // Asked again after the next start: then the disk may have it after all.
            self.unsure = effects;
        }
        Ok(())
    }

    /// Whether an operation that was not answered happened; `None` when that cannot be seen.
    fn happened(&self, effect: &Effect, found: &Found, by_item: &BTreeMap<u64, Vec<&Seen>>) -> Checked<Option<bool>> {
        let seen = |item: &u64| by_item.get(item).map_or(&[][..], Vec::as_slice);
        let is_after = effect.items.iter().all(|(item, life)| matches(life.as_ref(), seen(item)))
            && effect.keys.iter().all(|(key, value)| found.keys.get(key) == value.as_ref())
            && effect.cursor.is_none_or(|cursor| cursor == found.cursor);
        let is_before = effect.items.iter().all(|(item, _)| matches(self.life(*item), seen(item)))
            && effect.keys.iter().all(|(key, _)| found.keys.get(key) == self.keys.get(key).and_then(Option::as_ref))
            && effect.cursor.is_none_or(|_| self.cursor == found.cursor);
        match (is_before, is_after) {
            (true, true) => Ok(None),
            (true, false) => Ok(Some(false)),
            (false, true) => Ok(Some(true)),
            (false, false) => {
                let seen: Vec<_> = effect.items.iter().map(|(item, _)| (item, self.life(*item), seen(item))).collect();
                Err(format!("it happened by half: {effect:?}; before and found: {seen:?}"))
            }
        }
    }

    /// What was seen is known for certain.
    fn narrow(&mut self, item: u64, seen: Option<&Seen>, rest: Rest) {
        let Some(life) = self.items.get_mut(&item) else { return };
        match (seen, life.as_mut()) {
            (Some(seen), Some(life)) => {
                if rest == Rest::Quiet {
                    life.homes = BTreeSet::from([seen.home]);
                }
                if let Some(letter) = seen.letter {
                    self.letters.insert(item, letter);
                }
            }
            // A completed letter was forgotten.
            (None, _) => *life = None,
            (Some(_), None) => {}
        }
    }

    fn compare_rest(&self, found: &Found) -> Checked {
        let keys: BTreeMap<u64, u64> = self.keys.iter().filter_map(|(key, value)| Some((*key, (*value)?))).collect();
        if keys != found.keys {
            return Err(format!("the keys should be {keys:?}, and are {:?}", found.keys));
        }
        if self.cursor != found.cursor {
            return Err(format!("the cursor should stand at {}, and stands at {}", self.cursor, found.cursor));
        }
        Ok(())
    }

    /// Whoever got a lease still has it.
    fn compare_held(&self, by_item: &BTreeMap<u64, Vec<&Seen>>) -> Checked {
        for held in &self.held {
            let seen = by_item.get(&held.item).and_then(|seen| seen.first());
            if !seen.is_some_and(|seen| seen.is_leased && seen.id == held.id) {
                return Err(format!("the lease {held:?} is not there any more: {seen:?}"));
            }
        }
        Ok(())
    }

    /// After a crash, leases that were perhaps settled are nobody's business any more.
    pub(super) fn forget_unsure_leases(&mut self) {
        let touched: BTreeSet<u64> =
            self.unsure.iter().flat_map(|effect| effect.items.iter().map(|(item, _)| *item)).collect();
        self.held.retain(|held| !touched.contains(&held.item));
    }
}

/// What is known of operations that were not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsure {
    Either,
    /// The store that got them is still open: it may not show them.
    Absent,
}

/// Whether all that time brings has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    Quiet,
    /// A store without room, or without a disk, lets nothing happen; later it will.
    Held,
}

fn matches(life: Option<&Life>, seen: &[&Seen]) -> bool {
    match (life, seen) {
        (None, []) => true,
        (Some(life), []) => life.shelf == Shelf::Completed,
        (Some(life), [seen]) => life.homes.contains(&seen.home) && life.shelf == seen.shelf && life.body == seen.body,
        _ => false,
    }
}

/// A source id is there once in a queue, among what lives.
fn check_sources(items: &[Seen]) -> Checked {
    let mut sources = BTreeSet::new();
    for seen in items.iter().filter(|seen| seen.shelf == Shelf::Live) {
        let is_new = seen.source_id.as_ref().is_none_or(|source_id| sources.insert((seen.home, source_id)));
        if !is_new {
            return Err(format!("the source id of {seen:?} is there twice"));
        }
    }
    Ok(())
}

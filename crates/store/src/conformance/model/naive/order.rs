//! The order in which several items change.

use redrive_core::{ItemId, Ksuid, LetterId, Time};

use super::Model;
use super::item::{Item, Number, UNKNOWN_ID};

impl Model {
    pub(super) fn place(&self, item: &Item) -> Ksuid {
        // The id of a letter is its first item id.
        let known = [Some(item.id().ksuid()), item.letter_id().filter(|_| !item.is_put_back).map(LetterId::ksuid)];
        let known = known.into_iter().flatten().find(|id| *id != UNKNOWN_ID);
        self.ties.0(ItemId::new(known.unwrap_or(UNKNOWN_ID)))
    }

    /// Whether the next timed transitions can be predicted without an id that is not known yet: a plain item may die
    /// under it, which shows in its letter, and the order of several items with such ids is unknown.
    pub fn is_foreseeable(&self, now: Time) -> bool {
        let unknown = self.items.iter().filter(|item| item.known_order != item.order);
        let mut waking = unknown.filter(|item| item.wakes_at().is_some_and(|at| at <= now));
        waking.next().is_none_or(|item| item.letter().is_some()) && waking.next().is_none()
    }

    /// The items without duplicates, in the order in which the store processes them.
    pub(super) fn in_order<'i>(&self, items: impl Iterator<Item = &'i Item>) -> Vec<Number> {
        let mut found: Vec<(Ksuid, Number)> = items.map(|item| (self.place(item), item.number)).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|(_, number)| number).collect()
    }
}

//! The order that the contract leaves to the store.

use redrive_core::{ItemId, Ksuid, LetterId, Time};

use super::Model;
use super::item::{Item, Number, UNKNOWN_ID};

/// The place of an item, by any of its ids, among those that change together: items whose time comes at the same instant,
/// and items that one request names.
///
/// The contract leaves this order to the store, and it shows: in the order of the new ids, in the feed, in the partitions
/// that items go to. This is all that the model takes from a store's way of doing things. Ids that are not known yet count
/// as the least.
#[derive(Debug, Clone, Copy)]
pub struct TieOrder(pub fn(ItemId) -> Ksuid);

impl TieOrder {
    /// By the last four bytes of an id, which all ids of an item share: where the embedded store keeps the item.
    pub const BY_SLOT: Self = Self(slot);
    /// By the ids of today.
    pub const BY_ID: Self = Self(ItemId::ksuid);
}

impl Default for TieOrder {
    fn default() -> Self {
        Self::BY_SLOT
    }
}

fn slot(id: ItemId) -> Ksuid {
    let [.., a, b, c, d] = *id.ksuid().as_bytes();
    let mut bytes = [0; Ksuid::BYTES];
    bytes[Ksuid::BYTES - 4..].copy_from_slice(&[a, b, c, d]);
    Ksuid::from_bytes(bytes)
}

impl Model {
    pub(super) fn place(&self, item: &Item) -> Ksuid {
        // The id of a letter was once that of the item.
        let known = [Some(item.id().ksuid()), item.letter_id().filter(|_| !item.is_put_back).map(LetterId::ksuid)];
        let known = known.into_iter().flatten().find(|id| *id != UNKNOWN_ID);
        self.ties.0(ItemId::new(known.unwrap_or(UNKNOWN_ID)))
    }

    /// Whether what happens next by itself can be predicted without an id that is not known yet: a plain item may die under
    /// it, which its letter tells, and of several items with such ids nobody knows the order.
    pub fn is_foreseeable(&self, now: Time) -> bool {
        let unknown = self.items.iter().filter(|item| item.known_order != item.order);
        let mut waking = unknown.filter(|item| item.wakes_at().is_some_and(|at| at <= now));
        waking.next().is_none_or(|item| item.letter().is_some()) && waking.next().is_none()
    }

    /// Each once, in the order in which the store works through several of them.
    pub(super) fn in_order<'i>(&self, items: impl Iterator<Item = &'i Item>) -> Vec<Number> {
        let mut found: Vec<(Ksuid, Number)> = items.map(|item| (self.place(item), item.number)).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|(_, number)| number).collect()
    }
}

//! The order that the contract leaves to the store.

use redrive_core::{ItemId, Ksuid};

/// The place of an item, by any of its ids, among those that change together: items whose time comes at the same instant,
/// and items that one request names.
///
/// The contract leaves this order to the store, and it shows: in the order of the new ids, in the feed, in the partitions
/// that items go to. Letters that are admitted or that lost a dependency go by their queues, in the order in which those were
/// made, and then by their own ids: that needs no word of the store. Ids that are not known yet count as the least.
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

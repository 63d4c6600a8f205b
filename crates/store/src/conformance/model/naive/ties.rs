//! The order of items that the contract leaves to the store.

use redrive_core::{ItemId, Ksuid};

/// The sort key of an item, from any of its ids, among items that change together: those that are due at the same
/// instant, and those that one request names.
///
/// The contract leaves this order to the store, but it is visible in the order of the new ids, in the feed, and in the
/// partitions of the items. Letters that are admitted or that lost a dependency are ordered by the creation of their
/// queues and then by their letter ids, in every store. Ids that are not known yet sort first.
#[derive(Debug, Clone, Copy)]
pub struct TieOrder(pub fn(ItemId) -> Ksuid);

impl TieOrder {
    /// By the last four bytes of an id, which all ids of an item share: the slot of the item in the embedded store.
    pub const BY_SLOT: Self = Self(slot);
    /// By the current ids.
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

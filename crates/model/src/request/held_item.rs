//! A leased item that another request names.

use redrive_core::{ItemId, QueueName};

/// A leased item, by the id of its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldItem {
    pub queue: QueueName,
    pub id: ItemId,
}

//! Remove items in any state by their ids.

use redrive_core::{ItemId, QueueName};

/// Removes items of a partition. Unknown ids are skipped.
#[derive(Debug, Clone)]
pub struct DeleteItems {
    pub queue: QueueName,
    pub partition: u32,
    pub ids: Vec<ItemId>,
}

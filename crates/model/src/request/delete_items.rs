//! Remove items by their ids, whatever state they are in.

use redrive_core::{ItemId, QueueName};

/// Removes items of a partition. Unknown ids are passed over.
#[derive(Debug, Clone)]
pub struct DeleteItems {
    pub queue: QueueName,
    pub partition: u32,
    pub ids: Vec<ItemId>,
}

//! Look at the items of a queue.

use redrive_core::{ItemId, Ksuid, QueueName};

/// Which items a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Those that are ready or held.
    Items,
    Scheduled,
    /// Those that were set aside because their records are damaged, letters included.
    Damaged,
}

/// Items of a partition in the order of their ids, from `pivot` on. The list ends with the item at which the contents
/// of those after the pivot reach [`ListItems::BYTES_MAX`]: one that is shorter than its limit is not the last.
#[derive(Debug, Clone)]
pub struct ListItems {
    pub queue: QueueName,
    pub partition: u32,
    pub which: Which,
    /// The first id; where there is none of that name, the next greater one.
    pub pivot: Option<Ksuid>,
    pub limit: usize,
}

impl ListItems {
    /// So much is read at once.
    pub const BYTES_MAX: usize = 16 << 20;
}

/// One item by its id of today.
#[derive(Debug, Clone)]
pub struct GetItem {
    pub queue: QueueName,
    pub id: ItemId,
}

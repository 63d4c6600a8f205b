//! List the items of a queue.

use redrive_core::{ItemId, Ksuid, QueueName};

/// Which items a list contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemListKind {
    /// Items that are ready or leased.
    Items,
    Scheduled,
    /// All of them: ready, leased and scheduled. An item that changes its state while the pages of this list are read is
    /// in at least one of them, because no change gives it an earlier place.
    All,
    /// Items and letters that were set aside because their records are damaged.
    Damaged,
}

/// Lists the items of a partition in id order, from `pivot` on. The list ends at the item with which the contents after
/// the pivot reach [`ListItems::BYTES_MAX`], so a list that is shorter than `limit` need not be the last one.
#[derive(Debug, Clone)]
pub struct ListItems {
    pub queue: QueueName,
    pub partition: u32,
    pub which: ItemListKind,
    /// The first id; if it does not exist, the next greater one.
    pub pivot: Option<Ksuid>,
    pub limit: usize,
}

impl ListItems {
    /// The maximum size of the contents that one request reads.
    pub const BYTES_MAX: usize = 16 << 20;
}

/// Reads one item by its current id.
#[derive(Debug, Clone)]
pub struct GetItem {
    pub queue: QueueName,
    pub id: ItemId,
}

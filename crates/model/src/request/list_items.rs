//! Look at the items of a queue.

use redrive_core::{ItemId, Ksuid, QueueName};

/// Which items a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Those that are ready or held.
    Items,
    Scheduled,
}

/// Items of a partition in the order of their ids, from `pivot` on.
#[derive(Debug, Clone)]
pub struct ListItems {
    pub queue: QueueName,
    pub partition: u32,
    pub which: Which,
    /// The first id; where there is none of that name, the next greater one.
    pub pivot: Option<Ksuid>,
    pub limit: usize,
}

/// One item by its id of today.
#[derive(Debug, Clone)]
pub struct GetItem {
    pub queue: QueueName,
    pub id: ItemId,
}

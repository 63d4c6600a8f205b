//! Extend the lease of items that their holder is still working on.

use redrive_core::{ItemId, QueueName, Span};

/// Moves the lease deadline of each item to `now + lease`, where that is later. Each item gets its own answer: the deadline
/// that it has now.
#[derive(Debug, Clone)]
pub struct Extend {
    pub queue: QueueName,
    pub partition: Option<u32>,
    pub ids: Vec<ItemId>,
    /// The queue's own `lease_timeout` where there is none.
    pub lease: Option<Span>,
}

//! Extend the leases of items that their holder is still working on.

use redrive_core::{ItemId, QueueName, Span};

/// Moves the lease deadline of each item to `now + lease` if that is later. The reply contains a result per item: its
/// new deadline.
#[derive(Debug, Clone)]
pub struct Extend {
    pub queue: QueueName,
    pub partition: Option<u32>,
    pub ids: Vec<ItemId>,
    /// If unset, the queue's `lease_timeout`.
    pub lease: Option<Span>,
}

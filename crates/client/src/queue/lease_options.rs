//! How items are leased.

use redrive_core::Span;

/// How [`Queue::lease`](crate::Queue::lease) leases items. The default is one item, for the `lease_timeout` of the
/// queue, with a wait of 5 seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseOptions {
    /// Maximum number of items, at least 1. One lease returns at most 1000.
    pub batch: u64,
    /// Duration of the leases; if unset, the queue's `lease_timeout`.
    pub lease: Option<Span>,
    /// Maximum time to wait for the first item. Zero does not wait; other times of less than 10 ms are rounded up to 10 ms.
    pub wait: Span,
    /// Identifies the caller. A client id may have only one waiting lease per queue.
    pub client_id: Option<String>,
    /// Records the time of the first delivery of each item: `first_received_at`.
    pub notes_receipt: bool,
}

impl Default for LeaseOptions {
    fn default() -> Self {
        Self { batch: 1, lease: None, wait: Span::from_secs(5), client_id: None, notes_receipt: false }
    }
}

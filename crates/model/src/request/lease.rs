//! Lease items of a queue.

use redrive_core::{ItemId, QueueName, Span};

use crate::{Rejection, StoredItem, check_lease};

/// Leases items. Waits until at least one is ready, then leases up to `batch` items. Items are shared fairly among
/// waiting callers.
#[derive(Debug, Clone)]
pub struct Lease {
    pub queue: QueueName,
    /// Identifies the caller. A client id may have only one waiting request per queue.
    pub client_id: Option<String>,
    pub spec: LeaseSpec,
    /// The maximum time to wait for the first item.
    pub wait: Span,
}

/// Leased items, all of one partition.
#[derive(Debug, Clone, PartialEq)]
pub struct Leased {
    pub partition: u32,
    pub items: Vec<StoredItem>,
    /// Items that were set aside instead of leased, because their records are damaged.
    pub damaged: Vec<ItemId>,
}

/// The number of items to lease, and the duration of the lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseSpec {
    /// The maximum number of items.
    pub batch: u64,
    /// If unset, the queue's `lease_timeout`.
    pub lease: Option<Span>,
    /// Whether the time of the first delivery is recorded for each item: [`ItemInfo::first_received_at`]. Plain queues
    /// save the space.
    ///
    /// [`ItemInfo::first_received_at`]: crate::ItemInfo::first_received_at
    pub notes_receipt: bool,
}

impl LeaseSpec {
    pub const BATCH_MAX: u64 = 65_536;

    pub fn check(&self) -> Result<(), Rejection> {
        match self.batch {
            0 => Err(Rejection::NoBatchSize),
            1..=Self::BATCH_MAX => self.lease.map_or(Ok(()), check_lease),
            given => Err(Rejection::BatchTooLarge { given, most: Self::BATCH_MAX }),
        }
    }
}

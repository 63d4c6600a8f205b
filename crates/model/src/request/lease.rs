//! Lease items of a queue.

use redrive_core::{ItemId, QueueName, Span};

use crate::{Rejection, StoredItem, check_lease};

/// Leases items. Waits until there is at least one, then takes what there is, up to the batch. Waiting callers share
/// fairly.
#[derive(Debug, Clone)]
pub struct Lease {
    pub queue: QueueName,
    /// The caller: one with an id may wait once a queue.
    pub client_id: Option<String>,
    pub spec: LeaseSpec,
    /// How long to wait for the first item.
    pub wait: Span,
}

/// Leased items, all of one partition.
#[derive(Debug, Clone, PartialEq)]
pub struct Leased {
    pub partition: u32,
    pub items: Vec<StoredItem>,
    /// Items that would have been leased, and were set aside: their records are damaged.
    pub damaged: Vec<ItemId>,
}

/// How many items are leased, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseSpec {
    /// The most items.
    pub batch: u64,
    /// The queue's own `lease_timeout` where there is none.
    pub lease: Option<Span>,
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

//! Extend the leases of items that their holder is still working on.

use redrive_core::{ItemId, QueueName, Span};

use crate::{LEASE_MAX, Rejection};

/// Moves the lease deadline of each item to `now + lease` if that is later, or if the lease may be shortened. The reply
/// contains a result per item: its new deadline.
#[derive(Debug, Clone)]
pub struct Extend {
    pub queue: QueueName,
    pub partition: Option<u32>,
    pub ids: Vec<ItemId>,
    /// If unset, the queue's `lease_timeout`. Zero ends the lease after the current instant if it may be shortened, and
    /// else changes nothing.
    pub lease: Option<Span>,
    /// Whether the deadline may become earlier. A repeated or late request then takes time away from the holder.
    pub may_shorten: bool,
}

impl Extend {
    /// Checks the limits that are independent of the queue.
    pub fn check(&self) -> Result<(), Rejection> {
        match self.lease {
            Some(lease) if lease > LEASE_MAX => Err(Rejection::BadLease { most: LEASE_MAX }),
            _ => Ok(()),
        }
    }
}

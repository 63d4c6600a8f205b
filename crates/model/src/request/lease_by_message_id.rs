//! Lease one item by its message id.

use redrive_core::{QueueName, Span};

use crate::{Rejection, check_lease, check_source_id};

/// Leases the plain item with this message id, whether it is ready or scheduled, under a new id. The reply is `None` if
/// there is no such item, or if it is leased.
#[derive(Debug, Clone)]
pub struct LeaseByMessageId {
    pub queue: QueueName,
    pub message_id: Box<str>,
    /// If unset, the queue's `lease_timeout`.
    pub lease: Option<Span>,
    /// As in [`LeaseSpec`](crate::LeaseSpec).
    pub notes_receipt: bool,
}

impl LeaseByMessageId {
    /// Checks the limits that are independent of the queue.
    pub fn check(&self) -> Result<(), Rejection> {
        check_source_id(&self.message_id)?;
        self.lease.map_or(Ok(()), check_lease)
    }
}

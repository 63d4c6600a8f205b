//! The settings of a queue.

use redrive_core::{NamespaceName, QueueName, Span, Time};
use serde::{Deserialize, Serialize};

use crate::{LetterOverrides, Rejection};

/// The settings of a queue, with the times of creation and last change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueSettings {
    pub name: QueueName,
    pub namespace: Option<NamespaceName>,
    /// The queue that dead items are moved to; if unset, they are deleted.
    pub dead_queue: Option<QueueName>,
    pub reference: String,
    pub lease_timeout: Span,
    pub expire_timeout: Span,
    /// 0 for unlimited.
    pub max_attempts: u32,
    /// The maximum number of items, in any state: a produce that would exceed it is rejected. 0 for unlimited. Imported,
    /// captured and dead-lettered items are never rejected for it.
    #[serde(default, skip_serializing_if = "crate::micros::is_default")]
    pub max_items: u64,
    /// Fixed at creation.
    pub partitions: u32,
    /// The latest requested number. For display only.
    pub requested_partitions: u32,
    /// While paused, the queue grants no leases.
    pub is_paused: bool,
    /// The letter settings, used if the queue is a dead queue.
    pub letters: LetterOverrides,
    #[serde(with = "crate::micros")]
    pub created_at: Time,
    #[serde(with = "crate::micros")]
    pub updated_at: Time,
}

impl QueueSettings {
    pub const REFERENCE_BYTES_MAX: usize = 2_000;
    pub const MAX_ATTEMPTS_MAX: u32 = 65_536;
    pub const PARTITIONS_MAX: u32 = 1_024;
    pub const DEAD_QUEUE_BYTES_MAX: usize = 500;
    pub const MAX_RETRIES_MAX: u32 = 100;

    /// The defaults of a new queue: one partition, leases of one minute, items expire after one day.
    pub fn new(name: QueueName) -> Self {
        Self {
            name,
            namespace: None,
            dead_queue: None,
            reference: String::new(),
            lease_timeout: Span::from_mins(1),
            expire_timeout: Span::from_hours(24),
            max_attempts: 0,
            max_items: 0,
            partitions: 1,
            requested_partitions: 1,
            is_paused: false,
            letters: LetterOverrides::default(),
            created_at: Time::EPOCH,
            updated_at: Time::EPOCH,
        }
    }

    /// Checks everything that does not depend on other queues, in the order of the queue API.
    pub fn check(&self) -> Result<(), Rejection> {
        self.broken_rules().next().map_or(Ok(()), Err)
    }

    /// All that [`check`](Self::check) finds, in its order.
    pub fn broken_rules(&self) -> impl Iterator<Item = Rejection> {
        let retries = [self.letters.moved_max_retries, self.letters.max_retries].into_iter().flatten();
        let too_long = Rejection::LeaseTooLong { lease: self.lease_timeout, expire: self.expire_timeout };
        let rules = [
            (self.reference.len() <= Self::REFERENCE_BYTES_MAX, Rejection::ReferenceTooLong),
            (self.max_attempts <= Self::MAX_ATTEMPTS_MAX, Rejection::TooManyAttempts),
            (self.partitions > 0 && self.requested_partitions > 0, Rejection::NoPartitions),
            (self.partitions <= Self::PARTITIONS_MAX, Rejection::TooManyPartitions),
            (!self.lease_timeout.is_zero(), Rejection::NoLeaseTimeout),
            (!self.expire_timeout.is_zero(), Rejection::NoExpireTimeout),
            (self.lease_timeout <= self.expire_timeout, too_long),
            (retries.max() <= Some(Self::MAX_RETRIES_MAX), Rejection::TooManyRetries),
        ];
        rules.into_iter().filter(|(is_kept, _)| !is_kept).map(|(_, rejection)| rejection)
    }
}

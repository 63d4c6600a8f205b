//! What a queue is told when it is made or changed.

use redrive_core::{NamespaceName, QueueName, RetryPolicy, Span, Time};
use serde::{Deserialize, Serialize};

use crate::Refusal;

/// The settings of a queue, and when they were made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueSettings {
    pub name: QueueName,
    pub namespace: Option<NamespaceName>,
    /// Where dead items go; without one they are deleted.
    pub dead_queue: Option<QueueName>,
    pub reference: String,
    pub lease_timeout: Span,
    pub expire_timeout: Span,
    /// 0 for unlimited.
    pub max_attempts: u32,
    /// Fixed when the queue is made.
    pub partitions: u32,
    /// What was asked for last; shown, and nothing else.
    pub requested_partitions: u32,
    /// No leases are given.
    pub is_paused: bool,
    pub letters: LetterSettings,
    #[serde(with = "crate::micros")]
    pub created_at: Time,
    #[serde(with = "crate::micros")]
    pub updated_at: Time,
}

/// How a queue treats letters, where it is a dead queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetterSettings {
    /// The policy of items that a queue moves here. By default nothing retries them but a person.
    pub policy_of_moved: RetryPolicy,
    pub max_retries_of_moved: u32,
    /// How many live letters captures may make; moves are not bound.
    pub max_size: Option<u64>,
    pub on_full: OnFull,
    pub on_duplicate: OnDuplicate,
    /// How long a completed letter is kept.
    pub completed_retention: Span,
    /// How long an archived letter is kept; for ever by default.
    pub archive_retention: Option<Span>,
    /// Whether letters expire by the queue's `expire_timeout`.
    pub is_expiring: bool,
}

/// What a capture into a full queue gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFull {
    /// It is refused.
    #[default]
    Reject,
    /// It is kept, and scheduled when there is room.
    Overflow,
}

/// What a second failure of the same source id becomes while the first letter waits. While that one is retried, it is
/// a record of that letter in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnDuplicate {
    /// An attempt of the letter that is there.
    #[default]
    Merge,
    /// A conflict.
    Reject,
    /// A letter of the next generation, and the one that is there is archived.
    NewGeneration,
}

impl Default for LetterSettings {
    fn default() -> Self {
        Self {
            policy_of_moved: RetryPolicy::Never,
            max_retries_of_moved: 3,
            max_size: None,
            on_full: OnFull::Reject,
            on_duplicate: OnDuplicate::Merge,
            completed_retention: Span::from_days(7),
            archive_retention: None,
            is_expiring: true,
        }
    }
}

impl QueueSettings {
    pub const REFERENCE_BYTES_MAX: usize = 2_000;
    pub const MAX_ATTEMPTS_MAX: u32 = 65_536;
    pub const PARTITIONS_MAX: u32 = 1_024;
    pub const DEAD_QUEUE_BYTES_MAX: usize = 500;
    pub const MAX_RETRIES_MAX: u32 = 100;

    /// The settings of a new queue: one partition, leases of a minute, items that live a day.
    pub fn new(name: QueueName) -> Self {
        Self {
            name,
            namespace: None,
            dead_queue: None,
            reference: String::new(),
            lease_timeout: Span::from_mins(1),
            expire_timeout: Span::from_hours(24),
            max_attempts: 0,
            partitions: 1,
            requested_partitions: 1,
            is_paused: false,
            letters: LetterSettings::default(),
            created_at: Time::EPOCH,
            updated_at: Time::EPOCH,
        }
    }

    /// What can be said without looking at other queues, in the order of the queue API.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        if self.reference.len() > Self::REFERENCE_BYTES_MAX {
            return Err(Refusal::ReferenceTooLong);
        }
        if self.max_attempts > Self::MAX_ATTEMPTS_MAX {
            return Err(Refusal::TooManyAttempts);
        }
        if self.partitions < 1 || self.requested_partitions < 1 {
            return Err(Refusal::NoPartitions);
        }
        if self.partitions > Self::PARTITIONS_MAX {
            return Err(Refusal::TooManyPartitions);
        }
        if self.lease_timeout.is_zero() {
            return Err(Refusal::NoLeaseTimeout);
        }
        if self.expire_timeout.is_zero() {
            return Err(Refusal::NoExpireTimeout);
        }
        if self.lease_timeout > self.expire_timeout {
            return Err(Refusal::LeaseTooLong { lease: self.lease_timeout, expire: self.expire_timeout });
        }
        if self.letters.max_retries_of_moved > Self::MAX_RETRIES_MAX {
            return Err(Refusal::TooManyRetries);
        }
        Ok(())
    }
}

//! Read and list letters.

use redrive_core::{Fingerprint, LetterId, QueueName, Status, Time};

use crate::LiveCounts;

/// Reads one letter by its id.
#[derive(Debug, Clone)]
pub struct GetLetter {
    pub queue: QueueName,
    pub letter: LetterId,
}

/// Lists letters with certain statuses in id order, after `after`.
#[derive(Debug, Clone)]
pub struct ListLetters {
    pub queue: QueueName,
    /// Empty for all statuses.
    pub statuses: Vec<Status>,
    pub after: Option<LetterId>,
    pub limit: usize,
}

/// Lists the live letters of a queue grouped by fingerprint.
#[derive(Debug, Clone)]
pub struct Groups {
    pub queue: QueueName,
    pub after: Option<Fingerprint>,
    pub limit: usize,
}

/// The live letters with one fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureGroupInfo {
    pub fingerprint: Fingerprint,
    pub counts: LiveCounts,
    pub first_seen: Time,
    pub last_seen: Time,
    /// One of the letters. `None` if too many letters would have to be visited to find one.
    pub sample: Option<LetterId>,
}

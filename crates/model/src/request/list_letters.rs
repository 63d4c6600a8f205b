//! Look at letters.

use redrive_core::{Fingerprint, LetterId, QueueName, Status, Time};

/// One letter by its own id.
#[derive(Debug, Clone)]
pub struct GetLetter {
    pub queue: QueueName,
    pub letter: LetterId,
}

/// Letters of some statuses in the order of their ids, behind `after`.
#[derive(Debug, Clone)]
pub struct ListLetters {
    pub queue: QueueName,
    /// None named: all of them.
    pub statuses: Vec<Status>,
    pub after: Option<LetterId>,
    pub limit: usize,
}

/// The faults of a queue's live letters, by fingerprint.
#[derive(Debug, Clone)]
pub struct Groups {
    pub queue: QueueName,
    pub after: Option<Fingerprint>,
    pub limit: usize,
}

/// The live letters of one fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultGroup {
    pub fingerprint: Fingerprint,
    pub count: u64,
    pub first_seen: Time,
    pub last_seen: Time,
}

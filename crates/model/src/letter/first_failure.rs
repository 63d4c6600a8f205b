//! The only constructor of a letter.

use std::sync::Arc;

use redrive_core::{LetterId, RetryTerms, Status, Trigger};

use super::{Coordinates, Destination, Letter, LetterFlags, MaybeTime, retries};
use crate::FailureSummary;

/// The data from which a letter is created: by a capture, by the death of an item, or from a copy in another store.
#[derive(Debug)]
pub struct FirstFailure {
    pub id: LetterId,
    pub generation: u32,
    pub terms: RetryTerms,
    pub failed: FailureSummary,
    /// The destination whose circuit breaker may delay the retries.
    pub destination: Arc<str>,
    pub coordinates: Option<Coordinates>,
    /// How often the work had been handed back before.
    pub replays: u32,
    /// The digest of the captured payload; `None` for an item that died in a queue.
    pub digest: Option<[u8; 16]>,
}

impl Letter {
    /// Creates a pending letter without retries.
    pub fn new(first: FirstFailure) -> Self {
        Self {
            id: first.id,
            generation: first.generation,
            revision: 0,
            status: Status::Pending,
            category: first.failed.category,
            policy: first.terms.policy,
            policy_source: first.terms.source,
            fingerprint: first.failed.fingerprint,
            retries: 0,
            max_retries: retries(first.terms.max_retries),
            total_attempts: 1,
            replays: first.replays,
            first_failed_at: first.failed.first_at,
            last_failed_at: first.failed.last_at,
            ended_at: MaybeTime::NONE,
            updated_at: first.failed.last_at,
            flags: LetterFlags::default(),
            before: None,
            trigger: Trigger::Automatic,
            destination: Destination::new(first.destination),
            coordinates: first.coordinates.into(),
            digest: first.digest.into(),
            edition: None,
            change: 0,
        }
    }
}

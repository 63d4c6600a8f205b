//! The one way in which a letter comes about.

use std::sync::Arc;

use redrive_core::{LetterId, RetryTerms, Status, Trigger};

use super::{Coordinates, Destination, Letter, LetterFlags, MaybeTime, retries};
use crate::FailureSummary;

/// What is known of a letter when it is made: by a capture, by the death of an item, or by a copy from elsewhere.
#[derive(Debug)]
pub struct FirstFailure {
    pub id: LetterId,
    pub generation: u32,
    pub terms: RetryTerms,
    pub failed: FailureSummary,
    /// Whose circuit breaker may hold its retries back.
    pub destination: Arc<str>,
    pub coordinates: Option<Coordinates>,
    /// Of the captured payload; none where a queue moved the item.
    pub digest: Option<[u8; 16]>,
}

impl Letter {
    /// A pending letter that was never retried.
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
            first_failed_at: first.failed.first_at,
            last_failed_at: first.failed.last_at,
            ended_at: MaybeTime::NONE,
            flags: LetterFlags::default(),
            before: None,
            trigger: Trigger::Automatic,
            destination: Destination::new(first.destination),
            coordinates: first.coordinates.into(),
            digest: first.digest.into(),
            change: 0,
        }
    }
}

//! Claim due letters.

use std::sync::Arc;

use redrive_core::{QueueName, Span};

use crate::{LeaseSpec, LetterSettings, Rejection, StoredItem};

/// Claims due letters of a queue. Like a lease, it waits for the first one. It never claims a letter early, and only
/// letters whose destination is in the scope.
#[derive(Debug, Clone)]
pub struct ClaimDue {
    pub queue: QueueName,
    pub batch: u64,
    pub lease: Span,
    pub scope: DestinationFilter,
    /// The maximum time to wait for the first letter.
    pub wait: Span,
}

/// Claimed letters.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    pub letters: Vec<StoredItem>,
    /// The effective settings of the queue: the holder uses them to decide about a failed attempt.
    pub settings: Arc<LetterSettings>,
}

/// The destinations of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DestinationFilter {
    /// All except these, whose circuit breakers are open.
    AllBut(Vec<Arc<str>>),
    /// Only these, as probes.
    Only(Vec<Arc<str>>),
}

impl DestinationFilter {
    pub const fn all() -> Self {
        Self::AllBut(Vec::new())
    }

    /// Whether the filter includes this destination.
    pub fn covers(&self, destination: &str) -> bool {
        match self {
            Self::AllBut(held) => held.iter().all(|held| **held != *destination),
            Self::Only(only) => only.iter().any(|only| **only == *destination),
        }
    }
}

impl ClaimDue {
    pub fn check(&self) -> Result<(), Rejection> {
        LeaseSpec { batch: self.batch, lease: Some(self.lease), notes_receipt: false }.check()
    }
}

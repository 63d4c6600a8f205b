//! Claim letters whose time has come.

use std::sync::Arc;

use redrive_core::{QueueName, Span};

use crate::{LeaseSpec, LetterSettings, Rejection, StoredItem};

/// Claims due letters of a queue. Waits for the first, like a lease; none is early, and none whose destination is left out.
#[derive(Debug, Clone)]
pub struct ClaimDue {
    pub queue: QueueName,
    pub batch: u64,
    pub lease: Span,
    pub scope: DestinationFilter,
    /// How long to wait for the first letter.
    pub wait: Span,
}

/// Claimed letters.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    pub letters: Vec<StoredItem>,
    /// The effective settings of their queue: the holder decides by them when an attempt fails.
    pub settings: Arc<LetterSettings>,
}

/// Which destinations are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DestinationFilter {
    /// All but these: their circuit breakers are open.
    AllBut(Vec<Arc<str>>),
    /// These alone, as a probe.
    Only(Vec<Arc<str>>),
}

impl DestinationFilter {
    pub const fn all() -> Self {
        Self::AllBut(Vec::new())
    }

    /// Whether work for this destination is wanted.
    pub fn covers(&self, destination: &str) -> bool {
        match self {
            Self::AllBut(held) => held.iter().all(|held| **held != *destination),
            Self::Only(only) => only.iter().any(|only| **only == *destination),
        }
    }
}

impl ClaimDue {
    pub fn check(&self) -> Result<(), Rejection> {
        LeaseSpec { batch: self.batch, lease: Some(self.lease) }.check()
    }
}

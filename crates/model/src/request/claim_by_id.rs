//! Claim letters by their ids.

use redrive_core::{LetterId, QueueName, Span, Trigger};

use crate::LetterRevision;

/// Claims letters whatever their policy, schedule and budget say: all of them, or none.
#[derive(Debug, Clone)]
pub struct ClaimById {
    pub queue: QueueName,
    pub letters: Vec<LetterSelector>,
    pub lease: Span,
    pub trigger: Trigger,
}

/// A letter, in any revision or in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterSelector {
    pub id: LetterId,
    /// Only in this revision.
    pub revision: Option<u64>,
}

impl From<LetterId> for LetterSelector {
    fn from(id: LetterId) -> Self {
        Self { id, revision: None }
    }
}

impl From<LetterRevision> for LetterSelector {
    fn from(seen: LetterRevision) -> Self {
        Self { id: seen.id, revision: Some(seen.revision) }
    }
}

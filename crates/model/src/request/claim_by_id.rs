//! Claim letters by their ids.

use redrive_core::{LetterId, QueueName, Span, Trigger};

use crate::LetterRevision;

/// Claims letters regardless of their policy, schedule and retry limit: all of them, or none.
#[derive(Debug, Clone)]
pub struct ClaimById {
    pub queue: QueueName,
    pub letters: Vec<LetterSelector>,
    pub lease: Span,
    pub trigger: Trigger,
}

/// A letter, in any revision or in a certain one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterSelector {
    pub id: LetterId,
    /// If set, the letter must have this revision.
    pub revision: Option<u64>,
}

impl From<LetterId> for LetterSelector {
    fn from(id: LetterId) -> Self {
        Self { id, revision: None }
    }
}

impl From<LetterRevision> for LetterSelector {
    fn from(letter: LetterRevision) -> Self {
        Self { id: letter.id, revision: Some(letter.revision) }
    }
}

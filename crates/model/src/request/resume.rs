//! Give exhausted letters their retries back.

use std::sync::Arc;

use redrive_core::QueueName;

use super::LetterSelector;

/// Resumes exhausted letters: they are scheduled again, with all their retries. Others are unchanged.
///
/// A letter with a revision is resumed only if it still has that revision. A letter without one must exist: otherwise no
/// letter is resumed.
#[derive(Debug, Clone)]
pub struct Resume {
    pub queue: QueueName,
    pub letters: Vec<LetterSelector>,
    /// The user who requested it, for the record of each letter.
    pub actor: Option<Arc<str>>,
}

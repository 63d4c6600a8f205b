//! Restore archived letters, each only if its revision is unchanged.
//!
//! A separate operation from [`ChangeIfUnchanged`](super::ChangeIfUnchanged): archiving and purging free disk space and
//! are accepted on a full disk, restoring writes and is not.

use redrive_core::QueueName;

use super::LetterRevision;

/// Restores each archived letter with an unchanged revision; the others are skipped.
#[derive(Debug, Clone)]
pub struct RestoreIfUnchanged {
    pub queue: QueueName,
    pub letters: Vec<LetterRevision>,
}

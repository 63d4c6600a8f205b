//! A death on its way to the dead queue.

use redrive_core::DeathReason;

use super::NewDocument;

/// A death that the rule for it found, before the dead queue is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingDeath {
    pub reason: DeathReason,
    pub documents: Vec<NewDocument>,
}

impl PendingDeath {
    pub(super) const fn of(reason: DeathReason) -> Self {
        Self { reason, documents: Vec::new() }
    }
}

//! The death of an item before its dead queue is looked up.

use redrive_core::DeathReason;

use super::NewDocument;

/// The death of an item that a rule has decided, before the dead queue is looked up.
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

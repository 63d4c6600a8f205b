//! What an administrative act changes.

use redrive_queue::{KeyWrite, QueueSettings, WriteKeys};
use redrive_store::Operation;
use serde::Serialize;

use super::{AuditHash, AuditTarget};

/// What is to be done, and what is to be said about it.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(super) operation: Operation,
    pub(super) along: Vec<KeyWrite>,
    /// What it is about besides what the request named.
    pub(super) targets: Vec<AuditTarget>,
    pub(super) before: Option<AuditHash>,
    pub(super) after: Option<AuditHash>,
    pub(super) plan: Option<AuditHash>,
}

impl Change {
    pub(crate) const fn of(operation: Operation) -> Self {
        Self { operation, along: Vec::new(), targets: Vec::new(), before: None, after: None, plan: None }
    }

    /// A change of the key space alone.
    pub(crate) fn of_keys(along: Vec<KeyWrite>) -> Self {
        Self { along, ..Self::of(Operation::WriteKeys(WriteKeys { writes: Vec::new() })) }
    }

    pub(crate) fn along(mut self, write: impl IntoIterator<Item = KeyWrite>) -> Self {
        self.along.extend(write);
        self
    }

    pub(crate) fn target(mut self, kind: &str, name: &str) -> Self {
        self.targets.push(AuditTarget::new(kind, name));
        self
    }

    pub(crate) fn before(self, what: &impl Serialize) -> Self {
        Self { before: Some(AuditHash::of_json(what)), ..self }
    }

    pub(crate) fn after(self, what: &impl Serialize) -> Self {
        Self { after: Some(AuditHash::of_json(what)), ..self }
    }

    /// What was to be worked on, where that is too much to be listed.
    pub(crate) fn plan(self, what: &impl Serialize) -> Self {
        Self { plan: Some(AuditHash::of_json(what)), ..self }
    }

    pub(crate) fn queue_before(self, settings: &QueueSettings) -> Self {
        self.before(&timeless(settings))
    }

    pub(crate) fn queue_after(self, settings: &QueueSettings) -> Self {
        self.after(&timeless(settings))
    }
}

/// Settings without their times: those of the new ones are set when the change is made.
fn timeless(settings: &QueueSettings) -> QueueSettings {
    let never = redrive_core::Time::EPOCH;
    QueueSettings { created_at: never, updated_at: never, ..settings.clone() }
}

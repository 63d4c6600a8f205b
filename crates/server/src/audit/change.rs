//! The change of an administrative act.

use redrive_model::{KeyWrite, QueueSettings, WriteKeys};
use redrive_store::{Request, Transactional};
use serde::Serialize;

use super::{AuditHash, AuditTarget};

/// Maximum number of targets that an audit record lists.
const TARGETS_MAX: usize = 100;

/// An operation of the store, key writes that are committed with it, and what its audit record says about them.
#[derive(Debug, Clone)]
pub(crate) struct Change<O> {
    pub(super) op: O,
    pub(super) writes: Vec<KeyWrite>,
    /// Targets in addition to those that the request names.
    pub(super) targets: Vec<AuditTarget>,
    pub(super) before: Option<AuditHash>,
    pub(super) after: Option<AuditHash>,
    pub(super) plan: Option<AuditHash>,
}

impl Change<WriteKeys> {
    /// A change of the key space only.
    pub(crate) fn of_keys(writes: Vec<KeyWrite>) -> Self {
        Self { writes, ..Self::of(WriteKeys { writes: Vec::new() }) }
    }
}

impl Change<Request> {
    /// All targets of an act: those that the request names, then the others. A long list is truncated, and `plan` gets
    /// the hash of the whole list.
    pub(super) fn all_targets(&mut self, mut named: Vec<AuditTarget>) -> Vec<AuditTarget> {
        named.append(&mut self.targets);
        if named.len() > TARGETS_MAX {
            let more = (named.len() - TARGETS_MAX).to_string();
            self.plan.get_or_insert_with(|| AuditHash::of_json(&named));
            named.truncate(TARGETS_MAX);
            named.push(AuditTarget::new("more", &more));
        }
        named
    }
}

impl<O: Transactional> Change<O> {
    pub(crate) const fn of(op: O) -> Self {
        Self { op, writes: Vec::new(), targets: Vec::new(), before: None, after: None, plan: None }
    }

    pub(crate) fn with_writes(mut self, writes: impl IntoIterator<Item = KeyWrite>) -> Self {
        self.writes.extend(writes);
        self
    }

    /// The same change with its operation as a request, so that its way into the log is compiled once.
    pub(crate) fn erased(self) -> Change<Request> {
        let Self { op, writes, targets, before, after, plan } = self;
        Change { op: op.into(), writes, targets, before, after, plan }
    }

    pub(crate) fn target(mut self, kind: &str, name: &str) -> Self {
        self.targets.push(AuditTarget::new(kind, name));
        self
    }

    pub(crate) fn before(self, value: &impl Serialize) -> Self {
        Self { before: Some(AuditHash::of_json(value)), ..self }
    }

    pub(crate) fn after(self, value: &impl Serialize) -> Self {
        Self { after: Some(AuditHash::of_json(value)), ..self }
    }

    /// Sets the hash of the list of objects that the act works on, for lists that may be too long for a record.
    pub(crate) fn plan(self, objects: &impl Serialize) -> Self {
        Self { plan: Some(AuditHash::of_json(objects)), ..self }
    }

    pub(crate) fn queue_before(self, settings: &QueueSettings) -> Self {
        self.before(&timeless(settings))
    }

    pub(crate) fn queue_after(self, settings: &QueueSettings) -> Self {
        self.after(&timeless(settings))
    }
}

/// Settings without their timestamps: those of the new settings are set only when the store commits the change.
fn timeless(settings: &QueueSettings) -> QueueSettings {
    let never = redrive_core::Time::EPOCH;
    QueueSettings { created_at: never, updated_at: never, ..settings.clone() }
}

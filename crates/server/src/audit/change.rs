//! What an administrative act changes.

use redrive_model::{KeyWrite, QueueSettings, WriteKeys};
use redrive_store::Transactional;
use serde::Serialize;

use super::{AuditHash, AuditTarget};

/// So many are listed.
const TARGETS_MAX: usize = 100;

/// What is to be done, and what is to be said about it.
#[derive(Debug, Clone)]
pub(crate) struct Change<O> {
    pub(super) op: O,
    pub(super) along: Vec<KeyWrite>,
    /// What it is about besides what the request named.
    pub(super) targets: Vec<AuditTarget>,
    pub(super) before: Option<AuditHash>,
    pub(super) after: Option<AuditHash>,
    pub(super) plan: Option<AuditHash>,
}

impl Change<WriteKeys> {
    /// A change of the key space alone.
    pub(crate) fn of_keys(along: Vec<KeyWrite>) -> Self {
        Self { along, ..Self::of(WriteKeys { writes: Vec::new() }) }
    }
}

impl<O: Transactional> Change<O> {
    pub(crate) const fn of(op: O) -> Self {
        Self { op, along: Vec::new(), targets: Vec::new(), before: None, after: None, plan: None }
    }

    pub(crate) fn along(mut self, write: impl IntoIterator<Item = KeyWrite>) -> Self {
        self.along.extend(write);
        self
    }

    /// Everything that an act is about: what the request named, then the rest. A long list is cut, and its hash is kept.
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

//! What is wrong with a consumer at the moment.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::Time;

/// The parts of a consumer that can be in trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TroubleKind {
    /// The client reported an error of a connection, of a login, or of a topic.
    Client,
    /// A right to a topic, to the group or to a transactional id is missing.
    Denied,
    /// Commits fail.
    Commit,
    /// Letters are not taken.
    HandOver,
    /// The consumer cannot go on: it was fenced, or a thread of it has ended.
    Fatal,
}

/// A failure that lasts: since when, and the last error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsumerTrouble {
    pub kind: TroubleKind,
    pub since: Time,
    pub error: String,
}

#[derive(Debug, Default)]
pub(crate) struct Troubles(Mutex<BTreeMap<TroubleKind, ConsumerTrouble>>);

impl Troubles {
    pub(crate) fn set(&self, kind: TroubleKind, error: impl Into<String>, now: Time) {
        let mut troubles = self.lock();
        let trouble =
            troubles.entry(kind).or_insert_with(|| ConsumerTrouble { kind, since: now, error: String::new() });
        trouble.error = error.into();
    }

    pub(crate) fn clear(&self, kind: TroubleKind) {
        self.lock().remove(&kind);
    }

    pub(crate) fn all(&self) -> Vec<ConsumerTrouble> {
        self.lock().values().cloned().collect()
    }

    pub(crate) fn has(&self, kind: TroubleKind) -> bool {
        self.lock().contains_key(&kind)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<TroubleKind, ConsumerTrouble>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

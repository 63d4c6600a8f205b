//! The ordered key space.

use bytes::Bytes;

use crate::fact::{Fact, Facts};
use crate::keys::{KeyChange, KeyEntry, KeyWrite};
use crate::{Moment, Refusal, State};

/// Changes entries: all of them, or none when a condition does not hold.
#[derive(Debug, Clone)]
pub struct WriteKeys {
    pub writes: Vec<KeyWrite>,
}

impl WriteKeys {
    /// Whether all of it can be done, as things are.
    pub fn check(&self, state: &State) -> Result<(), Refusal> {
        state.keys.check(&self.writes)
    }

    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<(), Refusal> {
        self.check(state)?;
        let changes = self.writes.into_iter().map(|write| KeyChange {
            key: write.key.as_ref().into(),
            value: write.value,
            version: state.stamps.next(moment).serial,
        });
        let changes: Vec<KeyChange> = changes.collect();
        if !changes.is_empty() {
            state.record(Fact::Keys { changes }, facts);
        }
        Ok(())
    }
}

/// One entry.
#[derive(Debug, Clone)]
pub struct GetKey {
    pub key: Bytes,
}

impl GetKey {
    pub fn view(&self, state: &State) -> Option<KeyEntry> {
        state.keys.get(&self.key)
    }
}

/// Entries whose keys begin with a prefix, in order, from a key on.
#[derive(Debug, Clone)]
pub struct ScanKeys {
    pub prefix: Bytes,
    pub from: Bytes,
    pub limit: usize,
}

impl ScanKeys {
    pub fn view(&self, state: &State) -> Vec<KeyEntry> {
        state.keys.scan(&self.prefix, &self.from).take(self.limit).collect()
    }
}

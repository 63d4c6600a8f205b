//! Read and write the ordered key space.

use redrive_model::{GetKey, KeyChange, KeyEntry, OpContext, Rejection, ScanKeys, StampSource, WriteKeys};

use crate::fact::Fact;
use crate::{Apply, Facts, State, View};

impl Apply for WriteKeys {
    type Reply = Result<(), Rejection>;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        state.check_keys(&self)?;
        let changes = self.writes.into_iter().map(|write| KeyChange {
            key: write.key.as_ref().into(),
            value: write.value,
            version: state.stamps.next(op).serial,
        });
        let changes: Vec<KeyChange> = changes.collect();
        if !changes.is_empty() {
            state.record(Fact::Keys { changes }, facts);
        }
        Ok(())
    }
}

impl State {
    /// Checks that all conditions hold and that the key space has space.
    pub fn check_keys(&self, write: &WriteKeys) -> Result<(), Rejection> {
        self.keys.check(&write.writes)
    }
}

impl View for GetKey {
    type Reply = Option<KeyEntry>;

    fn view(&self, state: &State) -> Self::Reply {
        state.keys.get(&self.key)
    }
}

impl View for ScanKeys {
    type Reply = Vec<KeyEntry>;

    fn view(&self, state: &State) -> Self::Reply {
        state.keys.scan(&self.prefix, &self.from).take(self.limit).collect()
    }
}

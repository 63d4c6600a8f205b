//! The traits with which requests of the model are applied to the state.

use redrive_model::OpContext;

use crate::{Facts, State};

/// A request that may change the state.
///
/// It first reads the state, then records facts. A rejected request changes nothing, except for requests over a list
/// that report a result per entry.
pub trait Apply {
    type Reply;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply;
}

/// A request that only reads.
pub trait View {
    type Reply;

    fn view(&self, state: &State) -> Self::Reply;
}

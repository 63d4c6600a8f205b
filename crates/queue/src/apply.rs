//! How requests of the model reach the state.

use redrive_model::OpContext;

use crate::{Facts, State};

/// A request that may change the state.
///
/// It first looks, then records facts. A rejected request has changed nothing, unless it works through a list and says
/// how far it came.
pub trait Apply {
    type Reply;

    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply;
}

/// A request that only reads.
pub trait View {
    type Reply;

    fn view(&self, state: &State) -> Self::Reply;
}

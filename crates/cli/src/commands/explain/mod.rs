//! `redrive explain`.

mod explain;
mod options;
mod output;

pub(super) use explain::explain_on_server;
pub(crate) use explain::{Arguments, run};
pub(super) use options::ExplainOptions;

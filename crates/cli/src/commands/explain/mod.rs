//! `redrive explain`.

mod explain;
mod options;
mod output;
mod remote;

pub(crate) use explain::{Arguments, run};
pub(super) use options::ExplainOptions;
pub(super) use remote::explain_on_server;

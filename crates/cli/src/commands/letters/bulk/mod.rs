//! `redrive letters bulk`, and the acts on a group of letters.

mod action;
mod bulk;
mod execute;
mod follow;
mod run_options;
mod runs;

pub(super) use action::Action;
pub(super) use bulk::{Arguments, Scope, act};
pub(super) use execute::{BulkScope, execute};
pub(super) use run_options::RunOptions;
pub(super) use runs::{CancelArguments, ContinueArguments, ListArguments, RunArguments, cancel, list, resume, show};

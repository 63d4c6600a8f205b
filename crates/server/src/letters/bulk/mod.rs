//! Bulk actions on all letters that match a filter: a caller makes a plan and confirms it, and the server carries it out.

mod act;
mod active_runs;
mod calls;
mod confirm;
mod lists;
mod parts;
mod plan;
mod run;
mod runs;
mod stalled;
mod worker;

pub(crate) use active_runs::Runs;
pub(crate) use calls::{Cancel, RunDetails, RunList};
pub(crate) use confirm::Confirm;
pub(crate) use plan::Plan;
pub(crate) use stalled::StalledRun;

//! Bulk actions on all letters that match a filter: a caller makes a plan, then confirms it.

mod act;
mod confirm;
mod plan;
mod plans;

pub(crate) use confirm::Confirm;
pub(crate) use plan::Plan;
pub(crate) use plans::Plans;

//! Acts on all letters that match: planned first, then confirmed.

mod act;
mod confirm;
mod plan;
mod plans;

pub(crate) use confirm::Confirm;
pub(crate) use plan::Plan;
pub(crate) use plans::Plans;

//! `redrive explain`: what would become of a failure, before it happens.

mod ask;
mod explain;
mod question;
mod told;

pub(super) use ask::ask;
pub(crate) use explain::{Arguments, run};
pub(super) use question::Question;

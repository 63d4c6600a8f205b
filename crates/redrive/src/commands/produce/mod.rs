//! `redrive produce`: putting items into a queue.

mod batch;
mod item;
mod produce;

pub(crate) use produce::{Arguments, run};

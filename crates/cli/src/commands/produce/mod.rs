//! `redrive produce`.

mod batch;
mod item_options;
mod produce;

pub(crate) use produce::{Arguments, run};

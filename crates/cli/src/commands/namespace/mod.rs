//! `redrive namespace`.

mod namespace;
mod namespace_line;
mod update;

pub(crate) use namespace::{Arguments, run};

//! `redrive namespace`.

mod create;
mod delete;
mod list;
mod namespace;
mod namespace_line;
mod show;
mod update;

pub(crate) use namespace::{Arguments, run};

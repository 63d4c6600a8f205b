//! `redrive context`.

mod choose;
mod context;
mod context_line;
mod delete;
mod list;
mod set;
mod show;

pub(crate) use context::{Arguments, run};

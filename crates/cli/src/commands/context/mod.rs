//! `redrive context`.

mod context;
mod context_line;
mod set;

pub(crate) use context::{Action, run};

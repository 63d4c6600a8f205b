//! `redrive role`.

mod role;
mod role_line;
mod update;

pub(crate) use role::{Arguments, run};

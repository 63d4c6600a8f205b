//! `redrive role`.

mod create;
mod delete;
mod list;
mod role;
mod role_line;
mod show;
mod update;

pub(crate) use role::{Arguments, run};

//! `redrive binding`.

mod binding;
mod binding_line;
mod create;
mod delete;
mod list;
mod show;

pub(crate) use binding::{Arguments, run};

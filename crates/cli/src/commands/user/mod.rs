//! `redrive user`.

mod create;
mod delete;
mod list;
mod show;
mod user;
mod user_line;

pub(crate) use user::{Arguments, run};

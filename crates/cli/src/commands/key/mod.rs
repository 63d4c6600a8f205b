//! `redrive key`.

mod create;
mod delete;
mod key;
mod key_line;
mod list;
mod secret_file;
mod show;

pub(crate) use key::{Arguments, run};

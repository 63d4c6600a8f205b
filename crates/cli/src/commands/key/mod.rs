//! `redrive key`.

mod create;
mod key;
mod key_line;
mod secret_file;

pub(crate) use key::{Arguments, run};

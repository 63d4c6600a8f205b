//! `redrive user`.

mod user;
mod user_line;

pub(crate) use user::{Arguments, run};

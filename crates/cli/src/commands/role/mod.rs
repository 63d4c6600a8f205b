//! `redrive role`.

mod role;
mod role_line;
mod update;

pub(crate) use role::{Arguments, run};
pub(super) use role_line::roles;

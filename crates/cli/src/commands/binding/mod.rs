//! `redrive binding`.

mod binding;
mod binding_line;

pub(crate) use binding::{Arguments, run};

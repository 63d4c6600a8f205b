//! `redrive status`.

mod next_step;
mod overview;
mod screen;
mod status;
mod status_line;

pub(crate) use status::{Arguments, run};

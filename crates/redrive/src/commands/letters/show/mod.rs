//! `redrive letters show`: one letter with all that is known about it.

mod form;
mod record_line;
mod show;
mod tell;

pub(super) use show::{Arguments, run};

//! `redrive letters capture`.

mod batch;
mod capture;
mod letter_options;
mod output;

pub(super) use capture::{Arguments, run};

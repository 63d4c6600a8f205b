//! `redrive letters capture`: keeping failures as letters.

mod batch;
mod capture;
mod letter;
mod printed;

pub(super) use capture::{Arguments, run};

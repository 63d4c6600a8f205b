//! `redrive letters templates`: what a queue does with failures of known kinds.

mod form;
mod preview;
mod printed;
mod templates;

pub(super) use templates::{Arguments, run};

//! `redrive letters templates`.

mod output;
mod preview;
mod template_options;
mod templates;

pub(super) use templates::{Action, run};

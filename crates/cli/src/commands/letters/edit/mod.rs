//! `redrive letters edit`.

mod edit;
mod editor;
mod payload_text;

pub(super) use edit::{Arguments, run};

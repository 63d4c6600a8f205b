//! `redrive letters show`.

mod outlook;
mod payload_format;
mod record_line;
mod show;
mod text;

pub(super) use show::{Arguments, run};

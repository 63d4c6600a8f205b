//! `redrive queue`.

mod clear;
mod create;
mod list;
mod paused;
mod queue;
mod queue_line;
mod settings;
mod stats;
mod update;

pub(crate) use queue::{Arguments, run};

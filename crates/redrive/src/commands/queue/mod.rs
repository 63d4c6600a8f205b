//! `redrive queue`: making, looking at, changing and removing queues.

mod clear;
mod create;
mod delete;
mod info;
mod list;
mod pause;
mod queue;
mod settings;
mod shown;
mod stats;
mod update;

pub(crate) use queue::{Arguments, run};

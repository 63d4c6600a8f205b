//! The commands, one a file; those of a noun in its folder.

pub(crate) mod classify;
pub(crate) mod complete;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod items;
mod known;
pub(crate) mod lease;
pub(crate) mod letters;
mod lines;
pub(crate) mod man;
mod named;
mod payload;
pub(crate) mod policy;
pub(crate) mod produce;
pub(crate) mod queue;
mod retries;
pub(crate) mod retry;
mod run;
pub(crate) mod search;
pub(crate) mod serve;
mod when;

pub(crate) use run::run;

//! The commands, one per file; commands with subcommands have a folder.

pub(crate) mod audit;
pub(crate) mod binding;
pub(crate) mod classify;
pub(crate) mod complete;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod doctor;
pub(crate) mod explain;
mod failure_options;
mod identity;
mod item_selection;
pub(crate) mod items;
pub(crate) mod key;
pub(crate) mod lease;
pub(crate) mod letters;
mod lines;
pub(crate) mod man;
mod metadata;
pub(crate) mod namespace;
mod payload;
pub(crate) mod policy;
pub(crate) mod produce;
pub(crate) mod queue;
mod retries;
pub(crate) mod retry;
pub(crate) mod role;
mod run;
mod schedule;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod status;
mod test_mode;
pub(crate) mod user;
pub(crate) mod whoami;

pub(crate) use run::run;

//! `redrive letters`: work that failed, and what becomes of it.

mod archive;
mod bulk;
mod capture;
mod configure;
mod edit;
mod explain;
mod export;
mod groups;
mod import;
mod letter_line;
mod letters;
mod list;
mod named;
mod note;
mod process;
mod purge;
mod restore;
mod retry;
mod show;
mod stats;
mod templates;

pub(crate) use letters::{Arguments, run};

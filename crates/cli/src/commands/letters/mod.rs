//! `redrive letters`: dead letters.

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
mod letter_selection;
mod letters;
mod list;
mod note;
mod process;
mod purge;
mod restore;
mod retry;
mod show;
mod stats;
mod templates;

pub(crate) use letters::{Arguments, run};

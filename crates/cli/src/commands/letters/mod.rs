//! `redrive letters`: dead letters.

mod archive;
mod bulk;
mod capture;
mod configure;
mod destination;
mod edit;
mod explain;
mod export;
mod group;
mod group_line;
mod group_walk;
mod groups;
mod import;
mod json_text;
mod letter_line;
mod letter_pages;
mod letter_selection;
mod letters;
mod list;
mod named_or_selected;
mod note;
mod process;
mod purge;
mod resume;
mod retry;
mod show;
mod stats;
mod status_counts;
mod templates;

pub(crate) use letters::{Arguments, run};

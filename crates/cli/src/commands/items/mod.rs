//! `redrive items`: stored items.

mod delete;
mod export;
mod import;
mod item_line;
mod items;
mod list;
mod pages;

pub(crate) use items::{Action, run};

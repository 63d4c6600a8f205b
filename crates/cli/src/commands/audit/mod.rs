//! `redrive audit`.

mod audit;
mod audit_line;
mod audit_pages;
mod export;
mod filter_options;
mod list;
mod verify;

pub(crate) use audit::{Action, run};

//! `redrive audit`.

mod audit;
mod audit_line;
mod audit_pages;
mod export;
mod filter_options;
mod list;
mod show;
mod verify;

pub(crate) use audit::{Arguments, run};

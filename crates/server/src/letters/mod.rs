//! Letters: captured, looked at, put away, changed and removed by hand.

mod annotate;
mod archive;
mod bulk;
mod capture;
mod configure;
mod edit;
mod explain;
mod export;
mod fields;
mod filter;
mod get;
mod groups;
mod import;
mod list;
mod process;
mod retry;
mod stats;
mod strict;
mod view;

pub(crate) use annotate::Annotate;
pub(crate) use archive::{Archive, Purge, Restore};
pub(crate) use bulk::{Confirm, Plan, Plans};
pub(crate) use capture::Capture;
pub(crate) use configure::Configure;
pub(crate) use edit::Edit;
pub(crate) use explain::Explain;
pub(crate) use export::Export;
pub(crate) use fields::letter_id;
pub(crate) use get::Get;
pub(crate) use groups::Groups;
pub(crate) use import::Import;
pub(crate) use list::List;
pub(crate) use process::Process;
pub(crate) use retry::Retry;
pub(crate) use stats::{Stats, degraded, oldest_pending, unaccounted, utilization_percent};

//! `letters.*`: capturing, reading, retrying, archiving, editing and removing letters.

mod address;
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
mod group_search;
mod groups;
mod hand_back;
mod import;
mod letter_search;
mod list;
mod list_position;
mod preview;
mod process;
#[cfg(feature = "search")]
mod query_search;
mod rejected_acts;
mod resume;
mod retry;
mod stats;
#[cfg(feature = "search")]
mod strict;
mod templates;
mod view;

pub(crate) use annotate::Annotate;
pub(crate) use archive::{Archive, Purge, Restore};
pub(crate) use bulk::{Cancel, Confirm, Plan, RunDetails, RunList, Runs, StalledRun};
pub(crate) use capture::Capture;
pub(crate) use configure::Configure;
pub(crate) use edit::Edit;
pub(crate) use explain::Explain;
pub(crate) use export::Export;
pub(crate) use fields::failure;
pub(crate) use fields::letter_id;
pub(crate) use get::Get;
pub(crate) use groups::Groups;
pub(crate) use import::Import;
pub(crate) use list::List;
pub(crate) use preview::Preview;
pub(crate) use process::{HEALTH_TIMEOUT, Process};
pub(crate) use resume::Resume;
pub(crate) use retry::Retry;
pub(crate) use stats::{Stats, degraded, oldest_pending, planned_stats, unaccounted, utilization_percent};
pub(crate) use templates::Templates;

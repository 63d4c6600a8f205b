//! The client of OpenSearch: one request, one answer, no retries.

mod bulk;
mod client;
mod documents;
mod trouble;

pub(crate) use bulk::{Bulk, ItemResult, Verdict};
pub(crate) use client::Client;
pub use trouble::SearchTrouble;

//! Metrics in the text format of Prometheus.

mod captures;
#[cfg(feature = "search")]
mod index;
mod letters;
mod page;
mod process;
mod requests;
mod routes;
mod runners;
mod store;

pub(crate) use captures::CaptureRejections;
#[cfg(feature = "search")]
pub(crate) use index::render as render_index;
pub(crate) use requests::{Metrics, OTHER};

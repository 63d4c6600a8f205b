//! Metrics in the text format of Prometheus.

mod captures;
mod index;
mod letters;
mod page;
mod requests;
mod routes;
mod runners;
mod store;

pub(crate) use captures::CaptureRejections;
pub(crate) use requests::{Metrics, OTHER};

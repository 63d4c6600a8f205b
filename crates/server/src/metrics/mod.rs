//! What is counted, in the form that Prometheus reads.

mod captures;
mod index;
mod letters;
mod page;
mod requests;
mod runners;
mod store;

pub(crate) use captures::Refusals;
pub(crate) use requests::{Metrics, OTHER};

//! What is counted, in the form that Prometheus reads.

mod page;
mod requests;
mod store;

pub(crate) use requests::{Metrics, OTHER};

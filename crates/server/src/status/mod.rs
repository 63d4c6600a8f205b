//! `status.*`: the overview of a server, read from counters.

mod attention;
mod destinations;
mod get;
mod queue_pass;
mod queue_status;
mod queues;
mod retries;
mod routes;
mod server_status;

pub(crate) use destinations::destinations;
pub(crate) use get::Get;
pub(crate) use queue_pass::QueuePass;
pub(crate) use queues::Queues;

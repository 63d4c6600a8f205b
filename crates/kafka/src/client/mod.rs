//! The client library: a member of a consumer group, on threads of its own.

mod commit_request;
mod committer;
mod config;
mod group;
mod headers;
mod poll_thread;
mod read;
mod replaced_producer;
mod threads;
mod transaction;

pub(crate) use group::{client_error, log_line};
pub(crate) use headers::to_send;
pub(crate) use replaced_producer::ReplacedProducer;
pub(crate) use threads::ClientThreads;

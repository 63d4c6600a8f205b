//! Real services for tests and benchmarks: started here, on ports of their own, on loopback only.
//!
//! A service is a value of [`Service`]: what to install, how to start it, how to know that it answers.
//! Everything it has lies under `target/services/<name>/`. Only processes whose pid was written there are
//! ever ended, and only if the pid is still the process that was started.

mod commands;
mod install;
mod opensearch;
mod process;
mod rabbitmq;
mod redis;
mod service;
mod user;

#[cfg(test)]
pub(crate) use commands::is_known;
pub(crate) use commands::{Arguments, run, up};
pub(crate) use service::{Running, Service, identifier};

/// Every service there is, in the order of their names.
static SERVICES: &[Service] = &[opensearch::SERVICE, rabbitmq::SERVICE, redis::SERVICE, redis::DURABLE];

//! Services for tests and benchmarks, started on free ports of loopback.
//!
//! A [`Service`] describes which package to install, how to start the service, and how to check that it answers. All
//! its files are under `target/services/<name>/`. Only processes whose pid is recorded there are ever ended, and only
//! if the pid still belongs to the process that was started.

mod commands;
mod install;
mod java;
mod kafka;
mod opensearch;
mod process;
mod prometheus;
mod rabbitmq;
mod redis;
mod service;
mod user;

#[cfg(test)]
pub(crate) use commands::is_known;
pub(crate) use commands::{Arguments, run, up};
pub(crate) use install::ensure_openssl;
pub(crate) use service::{Running, Service, identifier};

/// All services, sorted by name.
static SERVICES: &[Service] = &[
    kafka::SERVICE,
    opensearch::SERVICE,
    prometheus::SERVICE,
    rabbitmq::SERVICE,
    redis::SERVICE,
    redis::CLUSTER,
    redis::DURABLE,
];

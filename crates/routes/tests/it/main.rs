//! Targets, as they are written in a configuration file, against real servers.
#![expect(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod batches;
mod calls;
mod fixture;
mod invalid;
mod limits;
mod redis_server;
mod routes;
mod secrets;
mod server;
mod tls;
mod with_kafka;

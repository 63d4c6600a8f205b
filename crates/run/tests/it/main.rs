//! Integration tests of the runner and its parts, through the crate's public API.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod conformance;
mod envelope;
mod fixture;
mod grpc_target;
mod guard;
#[cfg(feature = "health")]
mod health;
mod http_target;
mod keyed;
mod operators;
mod processor;
mod runner;
mod work;
mod worker;

//! The runner and its parts through their public face.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod conformance;
mod envelope;
mod grpc_target;
mod guard;
mod http_target;
mod keyed;
mod operators;
mod processor;
mod rig;
mod runner;
mod work;
mod worker;

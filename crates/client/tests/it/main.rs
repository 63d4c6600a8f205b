//! The client over real sockets: against a server in this process, and against peers that misbehave.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod bed;
mod calls;
mod conformance;
mod connections;
mod deadlines;
mod errors;
mod guard;
mod letters;
mod remote_letters;
mod remote_store;
mod retries;
mod runner;
mod settings;
mod stub;
mod tls;

//! The client over real sockets: against a server in this process, and against peers that misbehave.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bed;
mod calls;
mod connections;
mod deadlines;
mod errors;
mod retries;
mod settings;
mod stub;

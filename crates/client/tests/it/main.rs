//! The client over real sockets: against a server in this process, and against misbehaving peers.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed precondition fails the test")]

mod blank_proxy;
mod calls;
mod conformance;
mod connections;
mod deadlines;
mod errors;
mod guard;
mod letter_box;
mod letters;
mod mailbox;
mod queue;
mod remote_store;
mod retries;
mod runner;
mod settings;
mod store_conformance;
mod stub;
mod test_server;
mod tls;
mod without_sentences;

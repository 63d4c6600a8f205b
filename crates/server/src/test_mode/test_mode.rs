//! What a server needs to be tested with.

use std::net::SocketAddr;

use redrive_store::LocalStore;

use super::TestClock;

/// A server in test mode. Anybody who can reach the control listener can stop its time: it is for tests alone, and
/// listens on loopback only.
#[derive(Debug, Clone)]
pub struct TestMode {
    pub listen: SocketAddr,
    /// The clock of the store and of the server.
    pub clock: TestClock,
    /// The store itself.
    pub store: LocalStore,
}

//! What a server needs to be tested with.

use std::net::SocketAddr;
use std::sync::Arc;

use redrive_store::FreezeQueues;

use super::TestClock;

/// A server in test mode. Anybody who can reach the control listener can stop its time: it is for tests alone, and
/// listens on loopback only.
#[derive(Debug, Clone)]
pub struct TestMode {
    pub listen: SocketAddr,
    /// The clock of the store and of the server.
    pub clock: TestClock,
    /// The store itself.
    pub store: Arc<dyn FreezeQueues>,
}

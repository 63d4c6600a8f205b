//! The settings of test mode.

use std::net::SocketAddr;
use std::sync::Arc;

use redrive_store::FreezeQueues;

use super::TestClock;

/// The settings of test mode. Every client that can reach the control listener can freeze the server's clock, so it is
/// for tests only and must listen on a loopback address.
#[derive(Debug, Clone)]
pub struct TestMode {
    pub listen: SocketAddr,
    /// The clock of the store and of the server.
    pub clock: TestClock,
    /// The store of the server.
    pub store: Arc<dyn FreezeQueues>,
}

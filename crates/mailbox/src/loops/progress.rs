//! The progress of a handler.

use std::sync::{Arc, Weak};

use redrive_run::{Call, Work};

use crate::heartbeat::AttemptHeartbeat;

/// The handler's view of its attempt. Clones refer to the same attempt, and do not keep it alive.
#[derive(Debug, Clone)]
pub struct Progress {
    call: Call,
    heartbeat: Weak<AttemptHeartbeat>,
}

impl Progress {
    pub(super) fn of(call: Call, heartbeat: &Arc<AttemptHeartbeat>) -> Self {
        Self { call, heartbeat: Arc::downgrade(heartbeat) }
    }

    /// A heartbeat, which keeps the lease of the message and the process: a handler that works longer than
    /// `max_gap` (10 minutes by default) has to give one from time to time.
    pub fn beat(&self) {
        self.call.beat();
        if let Some(heartbeat) = self.heartbeat.upgrade() {
            heartbeat.beat();
        }
    }

    /// The message: its id, attempt and ids of request and trace.
    pub fn work(&self) -> &Work {
        self.call.work()
    }
}

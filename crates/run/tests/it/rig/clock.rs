//! A clock that counts how often it is looked at: every turn of a runner's loop begins with a look.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use redrive_core::{MonotonicTime, Time};
use redrive_store::{Clock, ManualClock, Wake};

#[derive(Debug, Clone)]
pub(crate) struct Counting {
    clock: ManualClock,
    looks: Arc<AtomicU64>,
}

impl Counting {
    pub(crate) fn new(clock: &ManualClock) -> Self {
        Self { clock: clock.clone(), looks: Arc::default() }
    }

    pub(crate) fn looks(&self) -> u64 {
        self.looks.load(Ordering::Relaxed)
    }
}

impl Clock for Counting {
    fn now(&self) -> Time {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.clock.now()
    }

    fn monotonic(&self) -> MonotonicTime {
        self.clock.monotonic()
    }

    fn until(&self, at: Time) -> Option<Duration> {
        self.clock.until(at)
    }

    fn until_monotonic(&self, at: MonotonicTime) -> Option<Duration> {
        self.clock.until_monotonic(at)
    }

    fn on_move(&self, wake: Wake) {
        self.clock.on_move(wake);
    }
}

//! A clock that goes like the machine's until it is stopped.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redrive_core::{Span, Time};
use redrive_store::{Clock, SystemClock, Wake};

/// The machine's clock, which a test may stop and move. Clones are the same clock.
#[derive(Clone, Default)]
pub struct TestClock {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    frozen: Option<Time>,
    wakes: Vec<Wake>,
}

impl TestClock {
    /// A clock that goes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops it at a time.
    pub fn freeze(&self, at: Time) {
        self.set(Some(at));
    }

    /// Has it show the machine's time again.
    pub fn unfreeze(&self) {
        self.set(None);
    }

    /// Moves a clock that stands still; whether it does.
    pub fn advance(&self, by: Span) -> bool {
        let frozen = self.shared().frozen;
        self.set(frozen.map(|now| now.saturating_add(by)));
        frozen.is_some()
    }

    fn set(&self, frozen: Option<Time>) {
        let wakes = {
            let mut shared = self.shared();
            shared.frozen = frozen;
            shared.wakes.clone()
        };
        wakes.iter().for_each(|wake| wake());
    }

    // A time cannot be left half-changed.
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for TestClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TestClock({})", self.now())
    }
}

impl Clock for TestClock {
    fn now(&self) -> Time {
        self.shared().frozen.unwrap_or_else(|| SystemClock.now())
    }

    fn until(&self, at: Time) -> Option<Duration> {
        let frozen = self.shared().frozen;
        match frozen {
            Some(now) => (at <= now).then_some(Duration::ZERO),
            None => SystemClock.until(at),
        }
    }

    fn on_move(&self, wake: Wake) {
        self.shared().wakes.push(wake);
    }
}

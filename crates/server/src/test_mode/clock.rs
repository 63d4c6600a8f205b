//! A clock that goes like the machine's until it is stopped.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redrive_core::{MonotonicTime, Span, Time};
use redrive_store::{Clock, SystemClock, Wake};

/// The machine's clock, which a test may stop and move. Clones are the same clock.
#[derive(Clone, Default)]
pub struct TestClock {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    frozen: Option<Time>,
    /// How far it had come when it was last stopped, moved or let go, and the machine's at that moment: it never goes back, and
    /// does not count how long it stood.
    monotonic: MonotonicTime,
    machine: MonotonicTime,
    wakes: Vec<Wake>,
}

impl Shared {
    fn now(&self) -> Time {
        self.frozen.unwrap_or_else(|| SystemClock.now())
    }

    fn monotonic(&self) -> MonotonicTime {
        let gone = match self.frozen {
            Some(_) => Span::ZERO,
            None => SystemClock.monotonic().since(self.machine),
        };
        self.monotonic.saturating_add(gone)
    }
}

impl TestClock {
    /// A clock that goes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops it at a time. What lies between has passed, where it is a later one.
    pub fn freeze(&self, at: Time) {
        self.set(Some(at));
    }

    /// Has it show the machine's time again, and go on from where it stood.
    pub fn unfreeze(&self) {
        self.set(None);
    }

    /// Moves a clock that stands still; whether it does.
    pub fn advance(&self, by: Span) -> bool {
        let frozen = self.shared().frozen;
        if let Some(now) = frozen {
            self.set(Some(now.saturating_add(by)));
        }
        frozen.is_some()
    }

    fn set(&self, frozen: Option<Time>) {
        let wakes = {
            let mut shared = self.shared();
            let passed = frozen.map_or(Span::ZERO, |at| at.since(shared.now()));
            shared.monotonic = shared.monotonic().saturating_add(passed);
            shared.machine = SystemClock.monotonic();
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
        self.shared().now()
    }

    fn monotonic(&self) -> MonotonicTime {
        self.shared().monotonic()
    }

    fn until(&self, at: Time) -> Option<Duration> {
        let frozen = self.shared().frozen;
        match frozen {
            Some(now) => (at <= now).then_some(Duration::ZERO),
            None => SystemClock.until(at),
        }
    }

    fn until_monotonic(&self, at: MonotonicTime) -> Option<Duration> {
        let shared = self.shared();
        let wait = at.since(shared.monotonic());
        (shared.frozen.is_none() || wait.is_zero()).then(|| wait.into())
    }

    fn on_move(&self, wake: Wake) {
        self.shared().wakes.push(wake);
    }
}

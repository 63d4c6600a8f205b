//! A system clock that a test can freeze and move.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redrive_core::{MonotonicTime, Span, Time};
use redrive_store::{Clock, SystemClock, Wake};

/// The system clock, which a test can freeze and move. Clones share their state.
#[derive(Clone, Default)]
pub struct TestClock {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    frozen: Option<Time>,
    /// The monotonic time when the clock was last frozen, moved or unfrozen, and the system's at that moment. The
    /// monotonic time never goes back, and does not advance while the clock is frozen.
    monotonic: MonotonicTime,
    machine: MonotonicTime,
    wakes: Vec<Wake>,
}

impl Shared {
    fn now(&self) -> Time {
        self.frozen.unwrap_or_else(|| SystemClock.now())
    }

    fn monotonic(&self) -> MonotonicTime {
        let elapsed = match self.frozen {
            Some(_) => Span::ZERO,
            None => SystemClock.monotonic().since(self.machine),
        };
        self.monotonic.saturating_add(elapsed)
    }
}

impl TestClock {
    /// A clock that follows the system clock.
    pub fn new() -> Self {
        Self::default()
    }

    /// Freezes the clock at a time. If that is later than now, the time between counts as elapsed.
    pub fn freeze(&self, at: Time) {
        self.set(Some(at));
    }

    /// Returns to the system's time of day. The monotonic time continues from where it was frozen.
    pub fn unfreeze(&self) {
        self.set(None);
    }

    /// Moves a frozen clock forward. Returns whether the clock is frozen.
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

    // A panic cannot leave the state half-changed, so poisoning is ignored.
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

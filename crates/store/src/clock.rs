//! The clock that a store looks at: the machine's, or one that a test moves.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use redrive_core::{Span, Time};

/// What time it is, and how long it is until then.
pub trait Clock: fmt::Debug + Send + Sync {
    fn now(&self) -> Time;

    /// How long to wait until it is `at`; `None` when waiting alone does not help, since the clock stands still.
    fn until(&self, at: Time) -> Option<Duration>;

    /// Has `wake` called whenever the clock is moved by hand, so that nobody sleeps through it.
    fn on_move(&self, wake: Wake);
}

/// What is called when a clock was moved.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// A clock that is set by somebody else may jump: nobody relies on it for longer than this.
const TRUST: Duration = Duration::from_secs(60);

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where the time comes from")]
    fn now(&self) -> Time {
        let micros = match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |micros| -micros),
        };
        Time::from_micros(micros)
    }

    fn until(&self, at: Time) -> Option<Duration> {
        let wait = Duration::from_micros(at.since(self.now()).as_micros());
        Some(wait.min(TRUST))
    }

    fn on_move(&self, _wake: Wake) {}
}

/// A clock that stands still until it is moved.
#[derive(Clone)]
pub struct ManualClock {
    shared: Arc<Mutex<Manual>>,
}

struct Manual {
    now: Time,
    wakes: Vec<Wake>,
}

impl ManualClock {
    pub fn new(now: Time) -> Self {
        Self { shared: Arc::new(Mutex::new(Manual { now, wakes: Vec::new() })) }
    }

    pub fn set(&self, now: Time) {
        let wakes = {
            let mut manual = self.manual();
            manual.now = now;
            manual.wakes.clone()
        };
        wakes.iter().for_each(|wake| wake());
    }

    pub fn advance(&self, by: Span) {
        self.set(self.now().saturating_add(by));
    }

    // A time cannot be left half-changed.
    fn manual(&self) -> MutexGuard<'_, Manual> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ManualClock({})", self.now())
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Time {
        self.manual().now
    }

    fn until(&self, at: Time) -> Option<Duration> {
        (at <= self.now()).then_some(Duration::ZERO)
    }

    fn on_move(&self, wake: Wake) {
        self.manual().wakes.push(wake);
    }
}

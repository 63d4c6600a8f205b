//! The clock that a store looks at: the machine's, or one that a test moves.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use redrive_core::{MonotonicTime, Span, Time};

/// What time it is, and how long it is until then.
///
/// The time of day is for what is due, stored or shown. It may be stepped back or forward, so whoever waits for so long counts
/// on the monotonic time: timeouts, breakers, pauses.
pub trait Clock: fmt::Debug + Send + Sync {
    /// The time of day.
    fn now(&self) -> Time;

    /// Goes on evenly, also where the time of day is stepped.
    fn monotonic(&self) -> MonotonicTime;

    /// How long to wait until it is `at`; `None` when waiting alone does not help, since the clock stands still.
    fn until(&self, at: Time) -> Option<Duration>;

    /// The same on the monotonic clock.
    fn until_monotonic(&self, at: MonotonicTime) -> Option<Duration>;

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

    /// Since the process first asked.
    #[expect(clippy::disallowed_methods, reason = "this is where the time comes from")]
    fn monotonic(&self) -> MonotonicTime {
        static BEGINNING: OnceLock<Instant> = OnceLock::new();
        let since = BEGINNING.get_or_init(Instant::now).elapsed();
        MonotonicTime::from_micros(u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
    }

    fn until(&self, at: Time) -> Option<Duration> {
        let wait = Duration::from(at.since(self.now()));
        Some(wait.min(TRUST))
    }

    fn until_monotonic(&self, at: MonotonicTime) -> Option<Duration> {
        Some(at.since(self.monotonic()).into())
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
    monotonic: MonotonicTime,
    wakes: Vec<Wake>,
}

impl ManualClock {
    pub fn new(now: Time) -> Self {
        Self { shared: Arc::new(Mutex::new(Manual { now, monotonic: MonotonicTime::ZERO, wakes: Vec::new() })) }
    }

    /// Moves it to a time: what lies between has passed, where it is a later one.
    pub fn set(&self, now: Time) {
        self.change(|manual| {
            manual.monotonic = manual.monotonic.saturating_add(now.since(manual.now));
            manual.now = now;
        });
    }

    pub fn advance(&self, by: Span) {
        self.set(self.now().saturating_add(by));
    }

    /// Steps the time of day, back or forward, while no time passes: as an operator or a time server does.
    pub fn step(&self, now: Time) {
        self.change(|manual| manual.now = now);
    }

    fn change(&self, change: impl FnOnce(&mut Manual)) {
        let wakes = {
            let mut manual = self.manual();
            change(&mut manual);
            manual.wakes.clone()
        };
        wakes.iter().for_each(|wake| wake());
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

    fn monotonic(&self) -> MonotonicTime {
        self.manual().monotonic
    }

    fn until(&self, at: Time) -> Option<Duration> {
        (at <= self.now()).then_some(Duration::ZERO)
    }

    fn until_monotonic(&self, at: MonotonicTime) -> Option<Duration> {
        (at <= self.monotonic()).then_some(Duration::ZERO)
    }

    fn on_move(&self, wake: Wake) {
        self.manual().wakes.push(wake);
    }
}

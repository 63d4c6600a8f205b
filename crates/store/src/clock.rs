//! The clock of a store: the system clock, or one that a test moves.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use redrive_core::{MonotonicTime, Span, Time};

/// A source of the current time.
///
/// The time of day is for times that are due, stored or shown. It may be stepped back or forward, so durations
/// (timeouts, breakers, pauses) are measured in monotonic time.
pub trait Clock: fmt::Debug + Send + Sync {
    /// The time of day.
    fn now(&self) -> Time;

    /// The monotonic time, which is not affected by steps of the time of day.
    fn monotonic(&self) -> MonotonicTime;

    /// How long to sleep until it is `at`. `None` if sleeping does not help, because the clock only moves when it is
    /// set.
    fn until(&self, at: Time) -> Option<Duration>;

    /// The same on the monotonic clock.
    fn until_monotonic(&self, at: MonotonicTime) -> Option<Duration>;

    /// Registers a callback that is called whenever the clock is set, so that sleeping threads can check the time
    /// again.
    fn on_move(&self, wake: Wake);
}

/// A callback for a clock that was moved.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// The longest sleep based on the time of day, which the system may step at any moment.
const SLEEP_MAX: Duration = Duration::from_secs(60);

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where the time comes from")]
    fn now(&self) -> Time {
        let micros = match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |micros| -micros),
        };
        Time::from_micros(micros)
    }

    /// The time since the first call in this process.
    #[expect(clippy::disallowed_methods, reason = "this is where the time comes from")]
    fn monotonic(&self) -> MonotonicTime {
        static BEGINNING: OnceLock<Instant> = OnceLock::new();
        let since = BEGINNING.get_or_init(Instant::now).elapsed();
        MonotonicTime::from_micros(u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
    }

    fn until(&self, at: Time) -> Option<Duration> {
        let wait = Duration::from(at.since(self.now()));
        Some(wait.min(SLEEP_MAX))
    }

    fn until_monotonic(&self, at: MonotonicTime) -> Option<Duration> {
        Some(at.since(self.monotonic()).into())
    }

    fn on_move(&self, _wake: Wake) {}
}

/// A clock for tests, which only moves when it is set.
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

    /// Sets the time of day. If it is later than before, the monotonic time advances by the difference.
    pub fn set(&self, now: Time) {
        self.change(|manual| {
            manual.monotonic = manual.monotonic.saturating_add(now.since(manual.now));
            manual.now = now;
        });
    }

    pub fn advance(&self, by: Span) {
        self.set(self.now().saturating_add(by));
    }

    /// Steps the time of day back or forward without advancing the monotonic time, as an operator or a time server
    /// does.
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

    // A poisoned lock is ignored: a panic cannot leave the times inconsistent.
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

//! The heartbeat of a loop.
//!
//! A loop beats whenever a receive returns, and its handlers beat while they make progress. The age of the heartbeat is
//! that of its oldest running attempt, because one handler that hangs must not be hidden by others that do not; without
//! attempts it is that of the latest beat.

use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redrive_core::{MonotonicTime, Span};
use redrive_store::Clock;

type Observer = Arc<dyn Fn() + Send + Sync>;

/// The heartbeat of a loop. Clones share it.
#[derive(Clone)]
pub struct Heartbeat {
    shared: Arc<HeartbeatState>,
}

struct HeartbeatState {
    clock: Arc<dyn Clock>,
    beats: Mutex<Beats>,
    observers: Mutex<Vec<Observer>>,
}

struct Beats {
    last: MonotonicTime,
    attempts: HashMap<u64, MonotonicTime>,
    next: u64,
}

impl Heartbeat {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let beats = Beats { last: clock.monotonic(), attempts: HashMap::new(), next: 0 };
        Self { shared: Arc::new(HeartbeatState { clock, beats: Mutex::new(beats), observers: Mutex::default() }) }
    }

    /// Notes a heartbeat, and calls the observers.
    pub fn beat(&self) {
        let now = self.shared.clock.monotonic();
        self.beats().last = now;
        self.notify();
    }

    /// Time since the last heartbeat: of the attempt that has been silent for longest, or of the loop if there is no
    /// attempt.
    pub fn age(&self) -> Span {
        let now = self.shared.clock.monotonic();
        let beats = self.beats();
        let oldest = beats.attempts.values().min().copied();
        now.since(oldest.unwrap_or(beats.last))
    }

    /// Calls a function after every beat. A function that panics is logged, and called again after the next beat.
    pub fn observe(&self, observer: impl Fn() + Send + Sync + 'static) {
        lock(&self.shared.observers).push(Arc::new(observer));
    }

    /// Notes the start of an attempt, which has to beat until it is dropped.
    pub(crate) fn attempt(&self) -> AttemptHeartbeat {
        let now = self.shared.clock.monotonic();
        let mut beats = self.beats();
        beats.next += 1;
        let key = beats.next;
        beats.attempts.insert(key, now);
        beats.last = now;
        AttemptHeartbeat { heartbeat: self.clone(), key }
    }

    fn notify(&self) {
        // Outside of the lock: an observer may use the heartbeat, or take long.
        let observers = lock(&self.shared.observers).clone();
        for observer in observers {
            if catch_unwind(AssertUnwindSafe(|| observer())).is_err() {
                tracing::error!("observer of a heartbeat panicked");
            }
        }
    }

    fn beats(&self) -> MutexGuard<'_, Beats> {
        lock(&self.shared.beats)
    }
}

impl fmt::Debug for Heartbeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Heartbeat").field("age", &self.age()).finish_non_exhaustive()
    }
}

/// The heartbeat of one attempt, from its start until it is dropped.
#[derive(Debug)]
pub(crate) struct AttemptHeartbeat {
    heartbeat: Heartbeat,
    key: u64,
}

impl AttemptHeartbeat {
    pub(crate) fn beat(&self) {
        let now = self.heartbeat.shared.clock.monotonic();
        if let Some(beat) = self.heartbeat.beats().attempts.get_mut(&self.key) {
            *beat = now;
        }
        self.heartbeat.beat();
    }
}

impl Drop for AttemptHeartbeat {
    fn drop(&mut self) {
        let now = self.heartbeat.shared.clock.monotonic();
        let mut beats = self.heartbeat.beats();
        beats.attempts.remove(&self.key);
        beats.last = now;
    }
}

// No code panics while it holds one of the locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use redrive_core::Time;
    use redrive_store::ManualClock;

    use super::*;

    fn heartbeat() -> (Heartbeat, ManualClock) {
        let clock = ManualClock::new(Time::from_secs(0));
        (Heartbeat::new(Arc::new(clock.clone())), clock)
    }

    #[test]
    fn an_attempt_that_hangs_is_not_hidden_by_one_that_beats() {
        let (heartbeat, clock) = heartbeat();
        let (hanging, beating) = (heartbeat.attempt(), heartbeat.attempt());
        clock.advance(Span::from_secs(10));
        beating.beat();
        heartbeat.beat();
        assert_eq!(heartbeat.age(), Span::from_secs(10));
        drop(hanging);
        assert_eq!(heartbeat.age(), Span::ZERO);
    }

    #[test]
    fn the_end_of_an_attempt_is_a_sign_of_life() {
        let (heartbeat, clock) = heartbeat();
        let attempt = heartbeat.attempt();
        clock.advance(Span::from_secs(10));
        drop(attempt);
        clock.advance(Span::from_secs(3));
        assert_eq!(heartbeat.age(), Span::from_secs(3));
    }

    #[test]
    fn an_observer_that_panics_keeps_no_beat_and_no_other_observer_from_coming() {
        let (heartbeat, clock) = heartbeat();
        let observed = Arc::new(AtomicU32::new(0));
        heartbeat.observe(|| panic!("an observer fails"));
        heartbeat.observe({
            let (observed, heartbeat) = (Arc::clone(&observed), heartbeat.clone());
            move || {
                assert_eq!(heartbeat.age(), Span::ZERO, "called after the beat, and without its lock");
                observed.fetch_add(1, Ordering::Relaxed);
            }
        });
        clock.advance(Span::from_secs(10));
        heartbeat.beat();
        heartbeat.attempt().beat();
        assert_eq!(observed.load(Ordering::Relaxed), 2);
    }
}

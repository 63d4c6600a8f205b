//! What the threads of a consumer share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redrive_core::{Span, Time};
use redrive_store::Clock;
use tokio::sync::Notify;

use crate::KafkaSettings;
use crate::delivery::SourcePurpose;
use crate::log::Log;
use crate::numbers::ConsumerNumbers;
use crate::trouble::Troubles;

#[derive(Debug)]
pub(crate) struct Shared {
    log: Mutex<Log>,
    /// Notified after every change: the poll thread waits for space, a revocation for results.
    changed: Condvar,
    /// Threads that wait for a change: without one, a notification would be a wasted system call.
    waiters: AtomicUsize,
    /// Notified when a hand-over ends.
    pub(crate) handed_over: Notify,
    /// Notified when a record may have become available.
    pub(crate) available: Notify,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) numbers: ConsumerNumbers,
    pub(crate) troubles: Troubles,
    /// A record that blocks its partition for longer makes the consumer unhealthy.
    pub(crate) blocking_max: Span,
    pub(crate) purpose: SourcePurpose,
}

impl Shared {
    pub(crate) fn new(settings: &Arc<KafkaSettings>, purpose: SourcePurpose, clock: &Arc<dyn Clock>) -> Arc<Self> {
        let shared = Arc::new(Self {
            log: Mutex::new(Log::new(Arc::clone(settings))),
            changed: Condvar::new(),
            waiters: AtomicUsize::new(0),
            available: Notify::new(),
            handed_over: Notify::new(),
            clock: Arc::clone(clock),
            numbers: ConsumerNumbers::new(&settings.group_id),
            troubles: Troubles::default(),
            blocking_max: Span::from_secs(settings.blocking_warn_seconds),
            purpose,
        });
        let woken = Arc::downgrade(&shared);
        clock.on_move(Arc::new(move || {
            if let Some(shared) = woken.upgrade() {
                shared.available.notify_waiters();
            }
        }));
        shared
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Log> {
        // A panic while the lock was held is a defect. What the log says then is still the best that is known.
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the log, and wakes what waits for a change.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Log, Time) -> T) -> T {
        let now = self.clock.now();
        let (changed, is_available) = {
            let mut log = self.log();
            (change(&mut log, now), log.take_wake())
        };
        if self.waiters.load(Ordering::SeqCst) > 0 {
            self.changed.notify_all();
        }
        if is_available {
            self.available.notify_waiters();
        }
        changed
    }

    /// Waits at most `longest`, and in any case for a change, until the condition holds. Returns whether it does.
    pub(crate) fn wait_until(&self, longest: Duration, mut holds: impl FnMut(&mut Log) -> bool) -> bool {
        self.waiters.fetch_add(1, Ordering::SeqCst);
        let waited = self.changed.wait_timeout_while(self.log(), longest, |log| !holds(log));
        self.waiters.fetch_sub(1, Ordering::SeqCst);
        let (_log, outcome) = waited.unwrap_or_else(PoisonError::into_inner);
        !outcome.timed_out()
    }
}

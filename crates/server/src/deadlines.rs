//! Waits by the server's clock, which a test may freeze or move.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{MonotonicTime, Span, Time};
use redrive_store::Clock;
use tokio::sync::Notify;

#[derive(Debug)]
pub(crate) struct Deadlines {
    clock: Arc<dyn Clock>,
    moved: Arc<Notify>,
}

impl Deadlines {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        let moved = Arc::new(Notify::new());
        let notify = Arc::clone(&moved);
        clock.on_move(Arc::new(move || notify.notify_waiters()));
        Self { clock, moved }
    }

    /// The time of day.
    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// The monotonic time, which does not follow steps of the time of day.
    pub(crate) fn monotonic(&self) -> MonotonicTime {
        self.clock.monotonic()
    }

    /// The deadline of a wait that begins now.
    pub(crate) fn after(&self, wait: Span) -> MonotonicTime {
        self.monotonic().saturating_add(wait)
    }

    /// Waits until a deadline has passed, also if the clock is moved meanwhile.
    pub(crate) async fn sleep_until(&self, at: MonotonicTime) {
        loop {
            let moved = self.moved.notified();
            tokio::pin!(moved);
            // Registered before the clock is read, so that no move is missed.
            moved.as_mut().enable();
            match self.clock.until_monotonic(at) {
                Some(Duration::ZERO) => return,
                Some(wait) => tokio::select! {
                    () = tokio::time::sleep(wait) => {}
                    () = moved => {}
                },
                None => moved.await,
            }
        }
    }
}

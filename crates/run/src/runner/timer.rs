//! A timer on the injected clock.

use std::pin::Pin;
use std::sync::Arc;

use redrive_core::MonotonicTime;
use redrive_store::Clock;
use tokio::sync::Notify;
use tokio::time::Sleep;

/// Waits for a monotonic time, which comes by real time or by a test that moves the clock.
#[derive(Debug)]
pub(crate) struct Timer {
    clock: Arc<dyn Clock>,
    moved: Arc<Notify>,
    /// The armed time and the sleep until then. A later time does not re-arm it: resetting the sleep for every attempt
    /// would cost more than one spurious wake-up.
    armed: Option<(MonotonicTime, Pin<Box<Sleep>>)>,
}

impl Timer {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        let moved = Arc::new(Notify::new());
        let wake = Arc::clone(&moved);
        clock.on_move(Arc::new(move || wake.notify_one()));
        Self { clock, moved, armed: None }
    }

    /// Returns at `at` or earlier. Without a time, returns when the clock is moved.
    pub(crate) async fn until(&mut self, at: Option<MonotonicTime>) {
        self.arm(at);
        let moved = self.moved.notified();
        match &mut self.armed {
            Some((_, sleep)) => {
                tokio::select! {
                    () = sleep => self.armed = None,
                    () = moved => {}
                }
            }
            None => moved.await,
        }
    }

    fn arm(&mut self, at: Option<MonotonicTime>) {
        let Some(at) = at else {
            self.armed = None;
            return;
        };
        if self.armed.as_ref().is_some_and(|(armed, _)| *armed <= at) {
            return;
        }
        self.armed = self.clock.until_monotonic(at).map(|wait| (at, Box::pin(tokio::time::sleep(wait))));
    }
}

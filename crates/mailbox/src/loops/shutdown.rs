//! The signal to end.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

type Callback = Box<dyn FnOnce() + Send>;

/// A signal to end, given once. Clones share it.
#[derive(Clone, Default)]
pub struct ShutdownSignal {
    shared: Arc<SignalState>,
}

#[derive(Default)]
struct SignalState {
    is_given: watch::Sender<bool>,
    callbacks: Mutex<Vec<Callback>>,
}

impl ShutdownSignal {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the signal and calls the callbacks. A second call has no effect.
    pub fn give(&self) {
        if self.shared.is_given.send_replace(true) {
            return;
        }
        // Outside of the lock: a callback may register another one.
        let callbacks = std::mem::take(&mut *self.callbacks());
        callbacks.into_iter().for_each(call);
    }

    pub fn is_given(&self) -> bool {
        *self.shared.is_given.borrow()
    }

    /// Waits for the signal.
    pub async fn given(&self) {
        let mut is_given = self.shared.is_given.subscribe();
        // The sender is kept alive by `self`.
        let _is_given = is_given.wait_for(|is_given| *is_given).await.is_ok();
    }

    /// Calls a function when the signal is given, or at once if it has been given.
    pub fn on_shutdown(&self, callback: impl FnOnce() + Send + 'static) {
        let mut callbacks = self.callbacks();
        if self.is_given() {
            drop(callbacks);
            call(Box::new(callback));
        } else {
            callbacks.push(Box::new(callback));
        }
    }

    fn callbacks(&self) -> MutexGuard<'_, Vec<Callback>> {
        self.shared.callbacks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a future that gives the signal on SIGTERM and SIGINT. The handlers of the operating system only set a flag:
    /// callbacks are called by the future.
    pub(super) fn give_on_signals(&self) -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let shutdown = self.clone();
        Ok(async move {
            let name = tokio::select! {
                _ = terminate.recv() => "SIGTERM",
                _ = interrupt.recv() => "SIGINT",
                () = shutdown.given() => return,
            };
            tracing::info!(signal = name, "shutdown requested");
            shutdown.give();
        })
    }
}

impl fmt::Debug for ShutdownSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShutdownSignal").field("is_given", &self.is_given()).finish_non_exhaustive()
    }
}

fn call(callback: Callback) {
    if catch_unwind(AssertUnwindSafe(callback)).is_err() {
        tracing::error!("callback of a shutdown panicked");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn a_callback_is_called_once_and_a_late_one_at_once() {
        let signal = ShutdownSignal::new();
        let calls = Arc::new(AtomicU32::new(0));
        let count = |by: u32| {
            let calls = Arc::clone(&calls);
            move || {
                calls.fetch_add(by, Ordering::Relaxed);
            }
        };
        signal.on_shutdown(|| panic!("a callback fails"));
        signal.on_shutdown(count(1));
        assert_eq!(calls.load(Ordering::Relaxed), 0);
        signal.give();
        signal.give();
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        signal.on_shutdown(count(10));
        assert_eq!(calls.load(Ordering::Relaxed), 11);
    }
}

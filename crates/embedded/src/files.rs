//! Creates spare segments and removes detached ones on a separate thread: either takes longer than many batches.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use redrive_journal::{DetachedSegment, Spares};

#[derive(Debug)]
pub(crate) struct Files {
    spares: Spares,
    /// Segments to be removed. Bounded by the number of segments of the log.
    detached: Arc<Mutex<Vec<DetachedSegment>>>,
    wakeups: SyncSender<()>,
    thread: JoinHandle<()>,
}

impl Files {
    pub(crate) fn start(spares: Spares) -> std::io::Result<Self> {
        let (wakeups, inbox) = sync_channel(1);
        let detached = Arc::new(Mutex::new(Vec::new()));
        let janitor = FileJanitor { spares: spares.clone(), detached: Arc::clone(&detached) };
        let thread = std::thread::Builder::new().name("redrive-files".to_owned()).spawn(move || janitor.run(&inbox))?;
        Ok(Self { spares, detached, wakeups, thread })
    }

    pub(crate) fn wake_if_needed(&self) {
        if self.spares.are_wanted() {
            self.wake();
        }
    }

    /// Wakes the thread.
    pub(crate) fn wake(&self) {
        // If a wakeup is already pending, another one is not needed.
        let _already_woken = self.wakeups.try_send(());
    }

    pub(crate) fn remove(&self, detached: DetachedSegment) {
        self.detached.lock().unwrap_or_else(PoisonError::into_inner).push(detached);
        self.wake();
    }

    /// Removes detached segments on the calling thread: the files thread is late, and files must not pile up.
    pub(crate) fn remove_overdue(&self) {
        remove(&self.detached);
    }

    /// Removes detached segments and creates spares from their space, on the calling thread: on a full disk nothing is
    /// more urgent.
    pub(crate) fn recycle_now(&self) {
        remove(&self.detached);
        if let Err(error) = self.spares.fill_unless_full() {
            tracing::debug!(error = %error, "no disk space for all spare segments");
        }
    }

    /// Waits until the thread has ended and no longer locks the directory.
    pub(crate) fn join(self) {
        let Self { spares, wakeups, thread, .. } = self;
        drop(wakeups);
        drop(spares);
        // A panic of the thread is ignored: the state of the log does not depend on it.
        let _panicked = thread.join();
    }
}

struct FileJanitor {
    spares: Spares,
    detached: Arc<Mutex<Vec<DetachedSegment>>>,
}

impl FileJanitor {
    fn run(self, wakeups: &Receiver<()>) {
        while wakeups.recv().is_ok() {
            remove(&self.detached);
            if let Err(error) = self.spares.fill() {
                tracing::warn!(error = %error, "failed to create a spare segment");
            }
        }
        remove(&self.detached);
    }
}

fn remove(detached: &Mutex<Vec<DetachedSegment>>) {
    loop {
        let next = detached.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(detached) = next else { return };
        if let Err(error) = detached.remove() {
            // It is dropped again after the store is next opened.
            tracing::warn!(error = %error, "failed to remove a segment");
        }
    }
}

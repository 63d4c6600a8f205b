//! Files of the log that come and go, on a thread of their own: to write one full of zeros and to remove one takes
//! longer than many batches.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use redrive_journal::{Forgotten, Spares};

#[derive(Debug)]
pub(crate) struct Files {
    spares: Spares,
    /// Those that are to be removed. There are never more than the log had.
    forgotten: Arc<Mutex<Vec<Forgotten>>>,
    wishes: SyncSender<()>,
    thread: JoinHandle<()>,
}

impl Files {
    pub(crate) fn start(spares: Spares) -> std::io::Result<Self> {
        let (wishes, inbox) = sync_channel(1);
        let forgotten = Arc::new(Mutex::new(Vec::new()));
        let keeper = FileJanitor { spares: spares.clone(), forgotten: Arc::clone(&forgotten) };
        let thread = std::thread::Builder::new().name("redrive-files".to_owned()).spawn(move || keeper.run(&inbox))?;
        Ok(Self { spares, forgotten, wishes, thread })
    }

    pub(crate) fn wish_if_wanted(&self) {
        if self.spares.are_wanted() {
            self.wish();
        }
    }

    /// Has it looked for something to do.
    pub(crate) fn wish(&self) {
        // A wish that is already there is as good as two.
        let _already_wished = self.wishes.try_send(());
    }

    pub(crate) fn remove(&self, forgotten: Forgotten) {
        self.forgotten.lock().unwrap_or_else(PoisonError::into_inner).push(forgotten);
        self.wish();
    }

    /// Removes what should have been removed by now: the thread is late, and files must not pile up behind it.
    pub(crate) fn remove_late(&self) {
        remove(&self.forgotten);
    }

    /// Removes what is to be removed and makes files of the room, here and now: on a full disk nothing is more urgent.
    pub(crate) fn renew_now(&self) {
        remove(&self.forgotten);
        if let Err(error) = self.spares.fill_unless_full() {
            tracing::debug!(error = %error, "there is no room for all spare segments");
        }
    }

    /// Waits until the thread has let go of the directory.
    pub(crate) fn join(self) {
        let Self { spares, wishes, thread, .. } = self;
        drop(wishes);
        drop(spares);
        // A panic of the thread has nothing to tell that the log does not know.
        let _panicked = thread.join();
    }
}

struct FileJanitor {
    spares: Spares,
    forgotten: Arc<Mutex<Vec<Forgotten>>>,
}

impl FileJanitor {
    fn run(self, wishes: &Receiver<()>) {
        while wishes.recv().is_ok() {
            remove(&self.forgotten);
            if let Err(error) = self.spares.fill() {
                tracing::warn!(error = %error, "no spare segment could be made ready");
            }
        }
        remove(&self.forgotten);
    }
}

fn remove(forgotten: &Mutex<Vec<Forgotten>>) {
    loop {
        let next = forgotten.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(forgotten) = next else { return };
        if let Err(error) = forgotten.remove() {
            // It is found again when the store is opened, and dropped then.
            tracing::warn!(error = %error, "a segment could not be removed");
        }
    }
}

//! A disk whose syncs a test can block, to inspect a store in the middle of a batch or while a segment is created.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use redrive_journal::{Disk, DiskFile, SimDisk};

use crate::hooked_disk::{DiskHook, HookedDisk};

/// Blocks syncs while it is shut.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gate {
    shared: Arc<(Mutex<Waiting>, Condvar)>,
}

#[derive(Debug, Default)]
struct Waiting {
    is_shut: bool,
    waits: bool,
}

impl Gate {
    /// A disk that blocks the writer thread, but not the thread that creates segments.
    pub(crate) fn disk(&self, disk: &SimDisk) -> Arc<dyn Disk> {
        self.disk_holding(disk, "redrive-writer")
    }

    /// A disk that blocks only the thread of this name.
    pub(crate) fn disk_holding(&self, disk: &SimDisk, held_thread: &'static str) -> Arc<dyn Disk> {
        HookedDisk::wrap(Arc::new(disk.clone()), GateHook { gate: self.clone(), held_thread })
    }

    pub(crate) fn shut(&self) {
        self.set(|waiting| *waiting = Waiting { is_shut: true, waits: false });
    }

    pub(crate) fn open(&self) {
        self.set(|waiting| waiting.is_shut = false);
    }

    /// Returns when a thread is blocked.
    pub(crate) fn until_blocked(&self) {
        let (waiting, changed) = &*self.shared;
        let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        drop(changed.wait_while(waiting, |waiting| !waiting.waits).unwrap_or_else(PoisonError::into_inner));
    }

    fn pass(&self) {
        let (waiting, changed) = &*self.shared;
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.waits = waiting.is_shut;
        changed.notify_all();
        drop(changed.wait_while(waiting, |waiting| waiting.is_shut).unwrap_or_else(PoisonError::into_inner));
    }

    fn set(&self, change: impl FnOnce(&mut Waiting)) {
        let (waiting, changed) = &*self.shared;
        change(&mut waiting.lock().unwrap_or_else(PoisonError::into_inner));
        changed.notify_all();
    }
}

/// Blocks the thread of this name.
#[derive(Debug)]
struct GateHook {
    gate: Gate,
    held_thread: &'static str,
}

impl DiskHook for GateHook {
    fn sync(&self, file: &dyn DiskFile) -> io::Result<()> {
        if std::thread::current().name() == Some(self.held_thread) {
            self.gate.pass();
        }
        file.sync()
    }
}

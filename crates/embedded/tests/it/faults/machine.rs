//! A machine that can crash: after that, threads of the old process can no longer change the disk.

use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use redrive_journal::{Crash, Disk, SimDisk};

use crate::hooked_disk::{DiskHook, HookedDisk};

/// Wraps the disk, to inject a fault that the tests must detect.
pub(super) type Wrap = fn(Arc<dyn Disk>) -> Arc<dyn Disk>;

/// A simulated disk, and whether the process that uses it is alive.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) disk: SimDisk,
    power: Power,
    wrap: Wrap,
}

/// Whether the process is alive. Read-locked during each of its disk operations, so that none completes after a crash.
type Power = Arc<RwLock<bool>>;

impl Machine {
    pub(super) fn new(wrap: Wrap) -> Self {
        Self { disk: SimDisk::new(), power: Arc::new(RwLock::new(true)), wrap }
    }

    /// The disk for a new process, which is alive until the next crash.
    pub(super) fn boot(&self) -> Arc<dyn Disk> {
        (self.wrap)(HookedDisk::wrap(Arc::new(self.disk.clone()), PowerHook(Arc::clone(&self.power))))
    }

    /// Crashes the process, or the whole machine. Threads of the process that still run can no longer use the disk.
    pub(super) fn crash(&mut self, crash: Crash, seed: u64) {
        let before = std::mem::replace(&mut self.power, Arc::new(RwLock::new(true)));
        let mut is_on = before.write().unwrap_or_else(PoisonError::into_inner);
        *is_on = false;
        self.disk.crash(crash, seed);
        self.disk.heal_syncs();
        self.disk.set_capacity(None);
    }
}

/// Refuses operations after a crash. Open files need no check: handles from before a crash are invalid.
#[derive(Debug)]
struct PowerHook(Power);

impl DiskHook for PowerHook {
    fn on_names<T>(&self, operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let is_on = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if *is_on { operation() } else { Err(io::Error::other("the process has ended")) }
    }
}

//! A machine that can crash: after that, threads of the old process can no longer change the disk.

use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use redrive_journal::{Crash, Disk, DiskFile, DiskLock, SimDisk};

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
        (self.wrap)(Arc::new(Powered { disk: self.disk.clone(), power: Arc::clone(&self.power) }))
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

#[derive(Debug)]
struct Powered {
    disk: SimDisk,
    power: Power,
}

impl Powered {
    fn on<T>(&self, work: impl FnOnce(&SimDisk) -> io::Result<T>) -> io::Result<T> {
        let is_on = self.power.read().unwrap_or_else(PoisonError::into_inner);
        if *is_on { work(&self.disk) } else { Err(io::Error::other("the process has ended")) }
    }
}

// Open files need no check: handles from before a crash are invalid.
impl Disk for Powered {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.on(|disk| disk.create_directory(path))
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        self.on(|disk| disk.list(directory))
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.on(|disk| disk.create(path))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.on(|disk| disk.open(path))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.on(|disk| disk.remove(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.on(|disk| disk.rename(from, to))
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.on(|disk| disk.sync_directory(path))
    }

    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>> {
        self.on(|disk| disk.lock(path))
    }
}

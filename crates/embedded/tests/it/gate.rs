//! A disk whose syncs a test can block, to inspect a store in the middle of a batch or while a segment is created.

use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use redrive_journal::{Disk, DiskFile, DiskLock, SimDisk};

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
        Arc::new(GatedDisk { disk: disk.clone(), gate: self.clone(), held_thread })
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

#[derive(Debug)]
struct GatedDisk {
    disk: SimDisk,
    gate: Gate,
    /// The name of the thread that is blocked.
    held_thread: &'static str,
}

impl GatedDisk {
    fn file(&self, file: Arc<dyn DiskFile>) -> Arc<dyn DiskFile> {
        Arc::new(GatedFile { file, gate: self.gate.clone(), held_thread: self.held_thread })
    }
}

impl Disk for GatedDisk {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.create_directory(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        self.disk.list(directory)
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.disk.create(path).map(|file| self.file(file))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.disk.open(path).map(|file| self.file(file))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.rename(from, to)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.sync_directory(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>> {
        self.disk.lock(path)
    }
}

#[derive(Debug)]
struct GatedFile {
    file: Arc<dyn DiskFile>,
    gate: Gate,
    held_thread: &'static str,
}

impl DiskFile for GatedFile {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        if std::thread::current().name() == Some(self.held_thread) {
            self.gate.pass();
        }
        self.file.sync()
    }
}

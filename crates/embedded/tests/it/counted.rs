//! A disk that counts what is asked of it.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redrive_journal::{Disk, DiskFile, DiskLock, SimDisk};

#[derive(Debug, Clone)]
pub(crate) struct Counted {
    disk: SimDisk,
    acts: Arc<AtomicU64>,
}

impl Counted {
    pub(crate) fn new(disk: &SimDisk) -> Self {
        Self { disk: disk.clone(), acts: Arc::default() }
    }

    /// Reads, writes, syncs, and everything that is done to names.
    pub(crate) fn acts(&self) -> u64 {
        self.acts.load(Ordering::Relaxed)
    }

    fn count(&self) -> &SimDisk {
        self.acts.fetch_add(1, Ordering::Relaxed);
        &self.disk
    }

    fn file(&self, file: Arc<dyn DiskFile>) -> Arc<dyn DiskFile> {
        Arc::new(CountedFile { file, acts: Arc::clone(&self.acts) })
    }
}

impl Disk for Counted {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.count().create_directory(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        self.count().list(directory)
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.count().create(path).map(|file| self.file(file))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.count().open(path).map(|file| self.file(file))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.count().remove(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.count().rename(from, to)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.count().sync_directory(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>> {
        self.count().lock(path)
    }
}

#[derive(Debug)]
struct CountedFile {
    file: Arc<dyn DiskFile>,
    acts: Arc<AtomicU64>,
}

impl CountedFile {
    fn count(&self) -> &dyn DiskFile {
        self.acts.fetch_add(1, Ordering::Relaxed);
        self.file.as_ref()
    }
}

impl DiskFile for CountedFile {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.count().read_at(buffer, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.count().write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        self.count().sync()
    }
}

//! A disk that counts operations.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redrive_journal::{Disk, DiskFile, DiskLock, SimDisk};

#[derive(Debug, Clone)]
pub(crate) struct CountingDisk {
    disk: SimDisk,
    acts: Arc<AtomicU64>,
}

impl CountingDisk {
    pub(crate) fn new(disk: &SimDisk) -> Self {
        Self { disk: disk.clone(), acts: Arc::default() }
    }

    /// The number of reads, writes, syncs and operations on names.
    pub(crate) fn operations(&self) -> u64 {
        self.acts.load(Ordering::Relaxed)
    }

    fn count(&self) -> &SimDisk {
        self.acts.fetch_add(1, Ordering::Relaxed);
        &self.disk
    }

    fn file(&self, file: Arc<dyn DiskFile>) -> Arc<dyn DiskFile> {
        Arc::new(CountingFile { file, acts: Arc::clone(&self.acts) })
    }
}

impl Disk for CountingDisk {
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
struct CountingFile {
    file: Arc<dyn DiskFile>,
    acts: Arc<AtomicU64>,
}

impl CountingFile {
    fn count(&self) -> &dyn DiskFile {
        self.acts.fetch_add(1, Ordering::Relaxed);
        self.file.as_ref()
    }
}

impl DiskFile for CountingFile {
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

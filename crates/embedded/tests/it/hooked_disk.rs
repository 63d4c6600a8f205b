//! A disk whose operations a test counts, delays, changes or refuses.

use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::Arc;

use redrive_journal::{Disk, DiskFile, DiskLock};

/// What happens to the operations of a [`HookedDisk`]. By default, they are performed.
pub(crate) trait DiskHook: Debug + Send + Sync + 'static {
    /// An operation on names.
    fn on_names<T>(&self, operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        operation()
    }

    /// A read, write or sync of a file.
    fn on_file<T>(&self, operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        operation()
    }

    fn list(&self, disk: &dyn Disk, directory: &Path) -> io::Result<Vec<String>> {
        disk.list(directory)
    }

    fn sync_directory(&self, disk: &dyn Disk, path: &Path) -> io::Result<()> {
        disk.sync_directory(path)
    }

    fn read_at(&self, file: &dyn DiskFile, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        file.read_at(buffer, offset)
    }

    fn write_all_at(&self, file: &dyn DiskFile, bytes: &[u8], offset: u64) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    fn sync(&self, file: &dyn DiskFile) -> io::Result<()> {
        file.sync()
    }
}

#[derive(Debug)]
pub(crate) struct HookedDisk<H> {
    disk: Arc<dyn Disk>,
    hook: Arc<H>,
}

impl<H: DiskHook> HookedDisk<H> {
    pub(crate) fn wrap(disk: Arc<dyn Disk>, hook: H) -> Arc<dyn Disk> {
        Arc::new(Self { disk, hook: Arc::new(hook) })
    }

    fn file(&self, file: Arc<dyn DiskFile>) -> Arc<dyn DiskFile> {
        Arc::new(HookedFile { file, hook: Arc::clone(&self.hook) })
    }
}

impl<H: DiskHook> Disk for HookedDisk<H> {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.hook.on_names(|| self.disk.create_directory(path))
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        self.hook.on_names(|| self.hook.list(&*self.disk, directory))
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.hook.on_names(|| self.disk.create(path)).map(|file| self.file(file))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.hook.on_names(|| self.disk.open(path)).map(|file| self.file(file))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.hook.on_names(|| self.disk.remove(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.hook.on_names(|| self.disk.rename(from, to))
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.hook.on_names(|| self.hook.sync_directory(&*self.disk, path))
    }

    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>> {
        self.hook.on_names(|| self.disk.lock(path))
    }
}

#[derive(Debug)]
struct HookedFile<H> {
    file: Arc<dyn DiskFile>,
    hook: Arc<H>,
}

impl<H: DiskHook> DiskFile for HookedFile<H> {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.hook.on_file(|| self.hook.read_at(&*self.file, buffer, offset))
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.hook.on_file(|| self.hook.write_all_at(&*self.file, bytes, offset))
    }

    fn sync(&self) -> io::Result<()> {
        self.hook.on_file(|| self.hook.sync(&*self.file))
    }
}

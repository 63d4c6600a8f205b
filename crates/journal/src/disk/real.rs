//! The file system of the operating system.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

use rustix::buffer::spare_capacity;
use rustix::fs::statvfs;
use rustix::io::{pread, retry_on_intr};

use super::{Disk, DiskFile, DiskLock, DiskSpace, LockHolder};

/// The file system of the operating system. Files and directories are created with access for their owner only, since
/// they contain users' data.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.exists()).collect();
        fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        for created in missing {
            match created.parent() {
                Some(parent) if parent.as_os_str().is_empty() => self.sync_directory(Path::new("."))?,
                Some(parent) => self.sync_directory(parent)?,
                None => {}
            }
        }
        Ok(())
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        // A name that is not UTF-8 does not belong to the journal.
        fs::read_dir(directory)?
            .filter_map(|entry| entry.map(|entry| entry.file_name().into_string().ok()).transpose())
            .collect()
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        Ok(Arc::new(OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path)?))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        Ok(Arc::new(OpenOptions::new().read(true).write(true).open(path)?))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
        match file.try_lock() {
            Ok(()) => {
                // Only the message of another process needs it, and a full disk must not prevent the opening.
                let _unwritten = LockHolder::write_this(&file);
                Ok(Arc::new(RealLock(file)))
            }
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn lock_holder(&self, path: &Path) -> Option<LockHolder> {
        LockHolder::read(path)
    }

    fn space(&self, directory: &Path) -> io::Result<Option<DiskSpace>> {
        let space = statvfs(directory)?;
        let bytes = |blocks: u64| blocks.saturating_mul(space.f_frsize);
        Ok(Some(DiskSpace { free: bytes(space.f_bavail), total: bytes(space.f_blocks) }))
    }
}

impl DiskFile for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(self, buffer, offset)
    }

    fn read_more(&self, buffer: &mut Vec<u8>, offset: u64) -> io::Result<usize> {
        Ok(retry_on_intr(|| pread(self, spare_capacity(buffer), offset))?)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        FileExt::write_all_at(self, bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}

/// A lock on a file. It is released explicitly: closing the file does not release it as long as a child process that is
/// just being started holds a copy of the handle.
#[derive(Debug)]
struct RealLock(File);

impl DiskLock for RealLock {}

impl Drop for RealLock {
    fn drop(&mut self) {
        // If this fails, closing the file releases the lock shortly after.
        let _unlocked = self.0.unlock();
    }
}

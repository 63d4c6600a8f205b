//! The file system operations that the journal needs.
//!
//! They are few, because each is a guarantee that two implementations must give: the real disk, and a simulated
//! one (feature `sim`) that breaks everything that a real disk does not guarantee. Written data is durable only after a sync of
//! the file; a file name is durable only after a sync of its directory.

mod lock_holder;
mod real;
#[cfg(feature = "sim")]
mod sim;

use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub use lock_holder::LockHolder;
pub use real::RealDisk;
#[cfg(feature = "sim")]
pub use sim::{Crash, SimDisk, SyncFault};

/// A file system.
pub trait Disk: Debug + Send + Sync {
    /// Creates the directory and its missing parents, and makes their names durable.
    fn create_directory(&self, path: &Path) -> io::Result<()>;

    /// The names in a directory, in no particular order.
    fn list(&self, directory: &Path) -> io::Result<Vec<String>>;

    /// Creates a file. Fails if it exists.
    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>>;

    /// Opens an existing file for reading and writing.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>>;

    /// Removes a file name. Open handles stay readable.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Renames a file atomically, replacing `to` if it exists.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Makes the names in a directory durable.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;

    /// Takes a lock that is released when the returned value is dropped, or when the process ends.
    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>>;

    /// The process that holds the lock, if it can be determined.
    fn lock_holder(&self, _path: &Path) -> Option<LockHolder> {
        None
    }

    /// The space of the file system with a directory; `None` if it has no limit.
    fn space(&self, _directory: &Path) -> io::Result<Option<DiskSpace>> {
        Ok(None)
    }
}

/// The space of a file system in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskSpace {
    /// What this process may still use: without the blocks that are reserved for the superuser.
    pub free: u64,
    pub total: u64,
}

/// An open file.
pub trait DiskFile: Debug + Send + Sync {
    /// The length of the file in bytes.
    fn size(&self) -> io::Result<u64>;

    /// Reads up to `buffer.len()` bytes and returns how many were read.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Appends up to the spare capacity of `buffer` to it and returns how many bytes were read. An implementation need
    /// not zero the spare capacity first, which takes as long as reading.
    fn read_more(&self, buffer: &mut Vec<u8>, offset: u64) -> io::Result<usize> {
        let before = buffer.len();
        buffer.resize(buffer.capacity(), 0);
        let read = self.read_at(&mut buffer[before..], offset);
        buffer.truncate(before + read.as_ref().map_or(0, |read| *read));
        read
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Makes all written data durable. After an error no unsynced data can be relied on, even if a later sync succeeds.
    fn sync(&self) -> io::Result<()>;
}

/// A held lock; dropping it releases the lock.
pub trait DiskLock: Debug + Send + Sync {}

/// Reads the whole file into `bytes`, reusing its memory. Fails if the file is longer than `most`.
pub(crate) fn read_all(file: &dyn DiskFile, most: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    let len = usize::try_from(file.size()?).ok().filter(|len| *len <= most).ok_or(io::ErrorKind::FileTooLarge)?;
    read_part(file, 0, len, bytes)
}

/// Reads `len` bytes at `offset` into `bytes`, reusing its memory; fewer if the file ends before.
pub(crate) fn read_part(file: &dyn DiskFile, offset: u64, len: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    bytes.reserve_exact(len);
    while bytes.len() < len && file.read_more(bytes, offset + bytes.len() as u64)? > 0 {}
    bytes.truncate(len);
    Ok(())
}

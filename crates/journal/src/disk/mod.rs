//! What the journal asks of a disk.
//!
//! Few verbs, because each one is a promise that two implementations keep: the real disk, and a simulated
//! one that breaks everything which a real disk does not promise. What is written is certain only after a
//! sync of the file; a name is certain only after a sync of its directory.

mod real;
mod sim;

use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub use real::RealDisk;
pub use sim::{Crash, SimDisk, SyncFault};

/// A file system.
pub trait Disk: Debug + Send + Sync {
    /// Creates the directory, and those above it, where they are missing, and makes their names certain.
    fn create_directory(&self, path: &Path) -> io::Result<()>;

    /// The names in a directory, in no particular order.
    fn list(&self, directory: &Path) -> io::Result<Vec<String>>;

    /// Creates a file that does not exist yet.
    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>>;

    /// Opens a file to read and write.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>>;

    /// Removes a name. Whoever has the file open goes on reading it.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Gives a file another name, in one step: whoever looks sees the old file or the new one.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Makes the names in a directory certain.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;

    /// Takes a lock that ends with the returned value, or with the process.
    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>>;
}

/// An open file.
pub trait DiskFile: Debug + Send + Sync {
    /// How long the file is, in bytes.
    fn size(&self) -> io::Result<u64>;

    /// Reads as much as there is, up to the length of `buffer`.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Reads behind what is in a buffer, at most as much as it has room for; gives how much that was. The room need not be
    /// filled with zeros first, which takes as long as the reading.
    fn read_more(&self, buffer: &mut Vec<u8>, offset: u64) -> io::Result<usize> {
        let before = buffer.len();
        buffer.resize(buffer.capacity(), 0);
        let read = self.read_at(&mut buffer[before..], offset);
        buffer.truncate(before + read.as_ref().map_or(0, |read| *read));
        read
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Makes all that was written certain. After an error nothing is certain, also after a later success.
    fn sync(&self) -> io::Result<()>;
}

/// A lock that is held.
pub trait DiskLock: Debug + Send + Sync {}

/// Reads the whole file into a buffer, whose memory is used again. No file of ours is longer than `most`.
pub(crate) fn read_all(file: &dyn DiskFile, most: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    let len = usize::try_from(file.size()?).ok().filter(|len| *len <= most).ok_or(io::ErrorKind::FileTooLarge)?;
    read_part(file, 0, len, bytes)
}

/// The same for a part of the file: as much of it as there is.
pub(crate) fn read_part(file: &dyn DiskFile, offset: u64, len: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    bytes.reserve_exact(len);
    while bytes.len() < len && file.read_more(bytes, offset + bytes.len() as u64)? > 0 {}
    bytes.truncate(len);
    Ok(())
}

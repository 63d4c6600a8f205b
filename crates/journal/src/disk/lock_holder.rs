//! The process that holds a lock.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

/// A process that holds a lock. Its id is the content of the locked file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockHolder {
    pub pid: u32,
    /// The name of its command, where the operating system shows it.
    pub command: Option<String>,
}

impl LockHolder {
    /// Writes the id of this process to a file that it has locked.
    pub(super) fn write_this(locked: &File) -> io::Result<()> {
        let line = format!("{}\n", std::process::id());
        locked.write_all_at(line.as_bytes(), 0)?;
        locked.set_len(line.len() as u64)
    }

    /// Reads the process from a file that it has locked. `None` if that process does not have the file open, as far as
    /// this one can see: the id may be that of a process in another container.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let pid: u32 = fs::read_to_string(path).ok()?.trim().parse().ok()?;
        let process = Path::new("/proc").join(pid.to_string());
        let is_locked =
            |file: fs::Metadata, locked: &fs::Metadata| (file.dev(), file.ino()) == (locked.dev(), locked.ino());
        let locked = fs::metadata(path).ok()?;
        let mut files = fs::read_dir(process.join("fd")).ok()?.flatten();
        // The metadata of a link in this folder is that of the open file.
        files.find(|file| fs::metadata(file.path()).is_ok_and(|file| is_locked(file, &locked)))?;
        let command = fs::read_to_string(process.join("comm")).ok();
        Some(Self { pid, command: command.map(|name| name.trim().to_owned()) })
    }

    pub fn is_this(&self) -> bool {
        self.pid == std::process::id()
    }
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}", self.pid)?;
        self.command.iter().try_for_each(|command| write!(f, " ({command})"))
    }
}

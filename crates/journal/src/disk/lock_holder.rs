//! The process that holds a lock.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
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

    /// Reads the process from a file that it has locked. A process that does not exist here, as in another container,
    /// is not the holder that an operator could find.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let pid: u32 = fs::read_to_string(path).ok()?.trim().parse().ok()?;
        let processes = Path::new("/proc");
        let command = fs::read_to_string(processes.join(pid.to_string()).join("comm")).ok();
        if command.is_none() && processes.join("self").exists() {
            return None;
        }
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

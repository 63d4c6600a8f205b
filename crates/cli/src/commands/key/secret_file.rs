//! The file that a new API key is written to.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A new file that only its owner can read. It is created before the key, so that a path which cannot be written costs
/// no key; without a key it is removed.
#[derive(Debug)]
pub(super) struct SecretFile {
    path: PathBuf,
    file: File,
    is_written: bool,
}

impl SecretFile {
    pub(super) fn create(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let file = file.with_context(|| format!("cannot create the file {}", path.display()))?;
        Ok(Self { path: path.to_owned(), file, is_written: false })
    }

    pub(super) fn write(&mut self, key: &str) -> std::io::Result<()> {
        writeln!(self.file, "{key}")?;
        self.file.sync_all()?;
        self.is_written = true;
        Ok(())
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        if !self.is_written {
            // It is empty or incomplete. The error that prevented the key is the one to report.
            let _left_behind = fs::remove_file(&self.path);
        }
    }
}

//! A temporary folder on the disk that is measured.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Removed with its contents when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates a folder beside the executable. The system's temporary folder may be in memory, where a sync costs
    /// nothing.
    pub(crate) fn new(name: &str) -> Result<Self> {
        let own = std::env::current_exe().context("could not find the benchmark's executable")?;
        let beside = own.parent().context("could not find the benchmark's executable")?;
        let path = beside.join(format!("bench-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("could not create {}", path.display()))?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            eprintln!("could not remove {}: {error}", self.0.display());
        }
    }
}

//! The minimum work of any durable store: append the bytes of an item to a file and sync.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The payload of every item.
pub(crate) const PAYLOAD: [u8; 1024] = [7; 1024];

/// Appends to a growing file, and starts a new one before the disk is full.
pub(crate) struct Plain {
    path: PathBuf,
    file: File,
    bytes: Vec<u8>,
    written: usize,
}

const FILE_BYTES_MAX: usize = 1 << 30;

impl Plain {
    pub(crate) fn open(folder: &Path, items: u32) -> Result<Self> {
        let path = folder.join("plain");
        let file = File::create(&path).context("could not create the file of the reference")?;
        Ok(Self { path, file, bytes: PAYLOAD.repeat(usize::try_from(items)?), written: 0 })
    }

    pub(crate) fn append(&mut self) -> Result<()> {
        if self.written > FILE_BYTES_MAX {
            self.file = File::create(&self.path)?;
            self.written = 0;
        }
        self.file.write_all(&self.bytes)?;
        self.written += self.bytes.len();
        Ok(self.file.sync_data()?)
    }
}

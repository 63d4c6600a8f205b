//! A segment: one file of the log.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk::{Disk, DiskFile};

/// An open segment. It stays readable through this handle after its file was removed.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) id: u32,
    pub(crate) file: Arc<dyn DiskFile>,
}

impl Segment {
    /// The id of a journal's first segment.
    pub(crate) const FIRST_ID: u32 = 1;
    /// The exclusive upper limit of ids, so that the id after any segment is still a valid number.
    const ID_END: u32 = u32::MAX;

    pub(crate) fn path(directory: &Path, id: u32) -> PathBuf {
        directory.join(format!("{id:010}.segment"))
    }

    /// The id in a file name, or `None` if the file is not a segment.
    pub(crate) fn id_of(name: &str) -> Option<u32> {
        let digits = name.strip_suffix(".segment")?;
        let id: u32 = if digits.len() == 10 { digits.parse().ok()? } else { return None };
        (id < Self::ID_END).then_some(id)
    }

    pub(crate) fn open(disk: &dyn Disk, directory: &Path, id: u32) -> io::Result<Self> {
        Ok(Self { id, file: disk.open(&Self::path(directory, id))? })
    }

    /// Creates a segment filled with zeros and syncs it, so that later syncs have no metadata to write.
    ///
    /// The zeros are written in pieces, each synced before the next unless `is_urgent` returns `true`: if the whole
    /// segment were flushed at once, concurrent syncs of other files would wait behind it.
    ///
    /// On failure the partly written file is removed, so that it takes no space on a full disk.
    pub(crate) fn create(
        disk: &dyn Disk,
        directory: &Path,
        id: u32,
        len: usize,
        is_urgent: impl Fn() -> bool,
    ) -> io::Result<Self> {
        let path = Self::path(directory, id);
        let file = disk.create(&path)?;
        let filled = fill(file.as_ref(), len as u64, is_urgent).and_then(|()| file.sync());
        match filled.and_then(|()| disk.sync_directory(directory)) {
            Ok(()) => Ok(Self { id, file }),
            Err(error) => {
                drop(file);
                // The first error is the one to report; a leftover file is removed when the journal is next opened.
                let _removed = disk.remove(&path);
                Err(error)
            }
        }
    }
}

/// The size of the pieces in which a new segment is filled with zeros.
const PIECE: u64 = 256 << 10;

fn fill(file: &dyn DiskFile, len: u64, is_urgent: impl Fn() -> bool) -> io::Result<()> {
    let mut from = 0;
    while from < len {
        let until = (from + PIECE).min(len);
        zero(file, from, until)?;
        if until < len && !is_urgent() {
            file.sync()?;
        }
        from = until;
    }
    Ok(())
}

/// Overwrites a range of a file with zeros.
pub(crate) fn zero(file: &dyn DiskFile, mut from: u64, until: u64) -> io::Result<()> {
    static ZEROS: [u8; 1 << 20] = [0; 1 << 20];
    while from < until {
        let len = usize::try_from(until - from).unwrap_or(usize::MAX).min(ZEROS.len());
        file.write_all_at(&ZEROS[..len], from)?;
        from += len as u64;
    }
    Ok(())
}

//! A marker of the last segment in use, kept outside the log, so that the loss of the newest segment file is detected.
//!
//! The marker is an empty file named after the last segment that was written to. It is renamed after the first batch of
//! a segment and not synced separately, so after a crash it may name an older segment, but never a newer one.

use std::io;
use std::path::{Path, PathBuf};

use crate::disk::Disk;

pub(crate) struct SegmentMarker;

impl SegmentMarker {
    fn path(directory: &Path, id: u32) -> PathBuf {
        directory.join(format!("{id:010}.begun"))
    }

    fn id_of(name: &str) -> Option<u32> {
        let digits = name.strip_suffix(".begun")?;
        if digits.len() == 10 { digits.parse().ok() } else { None }
    }

    /// The newest segment that a marker file names.
    pub(crate) fn newest(names: &[String]) -> Option<u32> {
        names.iter().filter_map(|name| Self::id_of(name)).max()
    }

    /// Moves the marker from segment `before` to segment `id`, or creates it.
    pub(crate) fn advance(disk: &dyn Disk, directory: &Path, before: Option<u32>, id: u32) -> io::Result<()> {
        match before {
            Some(before) => disk.rename(&Self::path(directory, before), &Self::path(directory, id)),
            None => disk.create(&Self::path(directory, id)).map(drop),
        }
    }
}

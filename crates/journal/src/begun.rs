//! How far the log has come, besides the log itself: the file of a segment that was written and is missing is noticed.
//!
//! An empty file is named after the last segment that was begun. It follows behind the first batch of the segment and is not
//! synced by itself, so it may say less than there is, and never more.

use std::io;
use std::path::{Path, PathBuf};

use crate::disk::Disk;

pub(crate) struct Begun;

impl Begun {
    fn path(directory: &Path, id: u32) -> PathBuf {
        directory.join(format!("{id:010}.begun"))
    }

    fn id_of(name: &str) -> Option<u32> {
        let digits = name.strip_suffix(".begun")?;
        if digits.len() == 10 { digits.parse().ok() } else { None }
    }

    /// The last segment that was begun, as far as a file says so.
    pub(crate) fn newest(names: &[String]) -> Option<u32> {
        names.iter().filter_map(|name| Self::id_of(name)).max()
    }

    /// A segment was begun. `before` is what was said last.
    pub(crate) fn say(disk: &dyn Disk, directory: &Path, before: Option<u32>, id: u32) -> io::Result<()> {
        match before {
            Some(before) => disk.rename(&Self::path(directory, before), &Self::path(directory, id)),
            None => disk.create(&Self::path(directory, id)).map(drop),
        }
    }
}

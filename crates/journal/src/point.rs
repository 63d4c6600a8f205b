//! Recovery points: from where the log must be read.
//!
//! A point is a small file of its own, written aside, synced and then renamed: after a crash there is the
//! old one or the new one. The note in it is the caller's.

use std::io;
use std::path::{Path, PathBuf};

use crate::Seq;
use crate::disk::{Disk, read_all};
use crate::format::PointFile;

/// From where to read, and what the caller noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) from: Seq,
    pub(crate) note: Vec<u8>,
}

const SUFFIX: &str = ".point";
const UNFINISHED: &str = "unfinished.tmp";

impl Point {
    fn path(directory: &Path, from: Seq) -> PathBuf {
        directory.join(format!("{:020}{SUFFIX}", from.0))
    }

    /// The newest point that can be read. `damaged` gets those that cannot.
    pub(crate) fn newest(
        disk: &dyn Disk,
        directory: &Path,
        names: &[String],
        damaged: &mut Vec<PathBuf>,
    ) -> io::Result<Option<Self>> {
        let mut points: Vec<&String> = names.iter().filter(|name| name.ends_with(SUFFIX)).collect();
        points.sort();
        for name in points.into_iter().rev() {
            let path = directory.join(name);
            let bytes = read_all(disk.open(&path)?.as_ref())?;
            match PointFile::decode(&bytes) {
                Some((from, note)) => return Ok(Some(Self { from, note: note.to_vec() })),
                None => damaged.push(path),
            }
        }
        Ok(None)
    }

    /// Makes this the newest point, in one step, and forgets the older ones.
    pub(crate) fn write(&self, disk: &dyn Disk, directory: &Path) -> io::Result<()> {
        let unfinished = directory.join(UNFINISHED);
        Self::clear_unfinished(disk, directory)?;
        let file = disk.create(&unfinished)?;
        file.write_all_at(&PointFile::encode(self.from, &self.note), 0)?;
        file.sync()?;
        let path = Self::path(directory, self.from);
        disk.rename(&unfinished, &path)?;
        disk.sync_directory(directory)?;
        for name in disk.list(directory)?.iter().filter(|name| name.ends_with(SUFFIX)) {
            let other = directory.join(name);
            if other != path {
                disk.remove(&other)?;
            }
        }
        Ok(())
    }

    /// Removes what a crash left of a point that was being written.
    pub(crate) fn clear_unfinished(disk: &dyn Disk, directory: &Path) -> io::Result<()> {
        match disk.remove(&directory.join(UNFINISHED)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

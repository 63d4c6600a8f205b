//! Recovery points: from where the log must be read.
//!
//! A point is a small file of its own, written aside, synced and then renamed: after a crash there is the
//! old one or the new one. The note in it is the caller's.

use std::io;
use std::path::{Path, PathBuf};

use crate::Seq;
use crate::disk::{Disk, read_all};
use crate::error::OpenError;
use crate::format::PointFile;

/// From where to read, and what the caller noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) from: Seq,
    pub(crate) note: Vec<u8>,
}

const SUFFIX: &str = ".point";
const UNFINISHED: &str = "unfinished.tmp";
/// A note is no place for data.
const BYTES_MAX: usize = 64 << 20;

impl Point {
    pub(crate) fn path(directory: &Path, from: Seq) -> PathBuf {
        directory.join(format!("{:020}{SUFFIX}", from.0))
    }

    /// The number in a file's name, if it is a recovery point's.
    fn number_of(name: &str) -> Option<Seq> {
        let digits = name.strip_suffix(SUFFIX)?;
        if digits.len() == 20 { digits.parse().ok().map(Seq) } else { None }
    }

    /// The points of a directory, the newest last.
    fn all(names: &[String]) -> Vec<Seq> {
        let mut points: Vec<Seq> = names.iter().filter_map(|name| Self::number_of(name)).collect();
        points.sort_unstable();
        points
    }

    /// The newest point that can be read. `damaged` gets the numbers of newer ones that cannot.
    pub(crate) fn newest(
        disk: &dyn Disk,
        directory: &Path,
        names: &[String],
        damaged: &mut Vec<Seq>,
    ) -> Result<Option<Self>, OpenError> {
        let mut bytes = Vec::new();
        for from in Self::all(names).into_iter().rev() {
            let path = Self::path(directory, from);
            let read = disk.open(&path).and_then(|file| read_all(file.as_ref(), BYTES_MAX, &mut bytes));
            if let Err(source) = read {
                return Err(OpenError::Io { what: "read", path, source });
            }
            match PointFile::decode(&bytes) {
                Ok(Some((number, note))) if number == from => return Ok(Some(Self { from, note: note.to_vec() })),
                Ok(_) => damaged.push(from),
                Err(version) => return Err(OpenError::NewerVersion { file: path, version }),
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
        // The new point holds, whatever becomes of the older ones: they are removed now or by the next one.
        for older in disk.list(directory).map(|names| Self::all(&names)).unwrap_or_default() {
            if older < self.from {
                let _removed = disk.remove(&Self::path(directory, older));
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

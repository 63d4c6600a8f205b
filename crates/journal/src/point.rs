//! Recovery points: from where the log must be read.
//!
//! A point is a small file of its own, written aside, synced and then renamed: after a crash there is the
//! old one or the new one. The note in it is the caller's.
//!
//! Nothing can be dropped without a new point, so one must find room on a disk that is full to its last byte. The file that
//! is written aside is there before it is needed: it was the point before the last one. So a new journal has a point, too.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Seq;
use crate::disk::{Disk, DiskFile, read_all};
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
        let bytes = PointFile::encode(self.from, &self.note);
        let file = Self::unfinished(disk, directory, bytes.len())?;
        file.write_all_at(&bytes, 0)?;
        file.sync()?;
        let path = Self::path(directory, self.from);
        disk.rename(&unfinished, &path)?;
        disk.sync_directory(directory)?;
        // The new point holds, whatever becomes of the older ones: they are put aside or removed now, or by the next one.
        let points = disk.list(directory).map(|names| Self::all(&names)).unwrap_or_default();
        let mut older = points.into_iter().filter(|point| *point < self.from).rev();
        if let Some(last) = older.next() {
            let _put_aside = disk.rename(&Self::path(directory, last), &unfinished);
        }
        for point in older {
            let _removed = disk.remove(&Self::path(directory, point));
        }
        Ok(())
    }

    /// The file that a point of this length is written to: the one that is ready, if it is as long.
    fn unfinished(disk: &dyn Disk, directory: &Path, len: usize) -> io::Result<Arc<dyn DiskFile>> {
        let path = directory.join(UNFINISHED);
        if let Ok(ready) = disk.open(&path)
            && ready.size()? == len as u64
        {
            return Ok(ready);
        }
        Self::clear_unfinished(disk, directory)?;
        disk.create(&path)
    }

    /// Takes the room that the next point needs, if it has no note.
    pub(crate) fn make_ready(disk: &dyn Disk, directory: &Path) -> io::Result<()> {
        let file = disk.create(&directory.join(UNFINISHED))?;
        file.write_all_at(&vec![0; PointFile::encode(Seq::FIRST, &[]).len()], 0)?;
        file.sync()
    }

    /// Removes what a crash left of a point that was being written.
    pub(crate) fn clear_unfinished(disk: &dyn Disk, directory: &Path) -> io::Result<()> {
        match disk.remove(&directory.join(UNFINISHED)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

//! Recovery points: the record at which reading the log begins.
//!
//! A point is a small separate file. It is written under a temporary name, synced and then renamed, so that after a
//! crash either the old or the new point exists. It carries a note of the caller.
//!
//! Segments can only be dropped after a new point was set, so setting one must succeed on a disk without a free byte.
//! The temporary file is therefore allocated in advance: it is the point before the last one, renamed. For the same
//! reason a new journal has a point from the start.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Seq;
use crate::disk::{Disk, DiskFile, read_all};
use crate::error::OpenError;
use crate::format::PointFile;

/// A recovery point: the first record to read, and the caller's note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) from: Seq,
    pub(crate) note: Vec<u8>,
}

const SUFFIX: &str = ".point";
const UNFINISHED: &str = "unfinished.tmp";
/// The maximum size of a point file. A note is not meant for bulk data.
const BYTES_MAX: usize = 64 << 20;

impl Point {
    pub(crate) fn path(directory: &Path, from: Seq) -> PathBuf {
        directory.join(format!("{:020}{SUFFIX}", from.0))
    }

    /// The number in a file name, or `None` if the file is not a recovery point.
    fn number_of(name: &str) -> Option<Seq> {
        let digits = name.strip_suffix(SUFFIX)?;
        if digits.len() == 20 { digits.parse().ok().map(Seq) } else { None }
    }

    /// The points of a directory, oldest first.
    fn all(names: &[String]) -> Vec<Seq> {
        let mut points: Vec<Seq> = names.iter().filter_map(|name| Self::number_of(name)).collect();
        points.sort_unstable();
        points
    }

    /// The newest readable point. The numbers of newer, unreadable points are added to `damaged`.
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

    /// Makes this the newest point, atomically, and removes the older ones.
    pub(crate) fn write(&self, disk: &dyn Disk, directory: &Path) -> io::Result<()> {
        let unfinished = directory.join(UNFINISHED);
        let bytes = PointFile::encode(self.from, &self.note);
        let file = Self::unfinished(disk, directory, bytes.len())?;
        file.write_all_at(&bytes, 0)?;
        file.sync()?;
        let path = Self::path(directory, self.from);
        disk.rename(&unfinished, &path)?;
        disk.sync_directory(directory)?;
        // The new point is in force even if removing older ones fails: the next call removes them.
        let points = disk.list(directory).map(|names| Self::all(&names)).unwrap_or_default();
        let mut older = points.into_iter().filter(|point| *point < self.from).rev();
        if let Some(last) = older.next() {
            let _renamed = disk.rename(&Self::path(directory, last), &unfinished);
        }
        for point in older {
            let _removed = disk.remove(&Self::path(directory, point));
        }
        Ok(())
    }

    /// The temporary file for a point of this length: the allocated one if its length matches, else a new one.
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

    /// Allocates the temporary file for the next point, sized for a point without a note. A file that exists already is
    /// kept: on a full disk it could not be allocated again.
    pub(crate) fn make_ready(disk: &dyn Disk, directory: &Path) -> io::Result<()> {
        let zeros = vec![0; PointFile::encode(Seq::FIRST, &[]).len()];
        let file = Self::unfinished(disk, directory, zeros.len())?;
        if file.size()? == zeros.len() as u64 {
            return Ok(());
        }
        file.write_all_at(&zeros, 0)?;
        file.sync()
    }

    /// Removes a temporary file of another length.
    fn clear_unfinished(disk: &dyn Disk, directory: &Path) -> io::Result<()> {
        match disk.remove(&directory.join(UNFINISHED)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

//! Tests of the tests: a store on a disk that lies is caught.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redrive_journal::{Disk, DiskFile, DiskLock};

use super::actor::Tally;
use super::crowd::crowd;
use super::history::history;
use super::machine::Wrap;
use super::oracle::Checked;

const SEEDS: u64 = 60;

/// Whether some of the usual seeds notice the fault. A panic of the store is noticing, too.
fn is_caught(wrap: Wrap, run: fn(u64, Wrap) -> Checked<Tally>) -> bool {
    (0..SEEDS).any(|seed| !matches!(catch_unwind(AssertUnwindSafe(|| run(seed, wrap))), Ok(Ok(_))))
}

/// Acknowledging before the sync.
#[test]
fn a_sync_that_does_nothing_is_caught() {
    let wrap: Wrap = |disk| Liar::wrap(disk, Lie::NoSync);
    assert!(is_caught(wrap, history), "one after the other");
    assert!(is_caught(wrap, crowd), "many at once");
}

/// A recovery point or a file whose name is forgotten.
#[test]
fn a_sync_of_names_that_does_nothing_is_caught() {
    assert!(is_caught(|disk| Liar::wrap(disk, Lie::NoSyncOfNames), history));
}

/// A write that is acknowledged and never made: a lost write of a drive.
#[test]
fn a_write_that_is_lost_is_caught() {
    assert!(is_caught(|disk| Liar::wrap(disk, Lie::LostWrite), history));
}

/// Bytes of another place of the file: only checksums tell them from the right ones.
#[test]
fn a_read_of_another_place_is_caught() {
    assert!(is_caught(|disk| Liar::wrap(disk, Lie::StaleRead), history));
}

/// A file of the log that is not in the list any more.
#[test]
fn a_file_that_vanishes_is_caught() {
    assert!(is_caught(|disk| Liar::wrap(disk, Lie::LostFile), history));
}

/// The same histories on a disk that is wrapped and tells the truth: it is the lie that is caught.
#[test]
fn an_honest_disk_is_not_accused() {
    for seed in 0..SEEDS {
        history(seed, |disk| Liar::wrap(disk, Lie::None))
            .unwrap_or_else(|wrong| panic!("REDRIVE_SEED={seed}: {wrong}"));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lie {
    None,
    NoSync,
    NoSyncOfNames,
    LostWrite,
    StaleRead,
    LostFile,
}

/// A disk that does not always do what it says.
#[derive(Debug)]
struct Liar {
    disk: Arc<dyn Disk>,
    lie: Lie,
    /// Not every act is a lie, or nothing would ever work.
    acts: Arc<AtomicU64>,
}

impl Liar {
    fn wrap(disk: Arc<dyn Disk>, lie: Lie) -> Arc<dyn Disk> {
        Arc::new(Self { disk, lie, acts: Arc::default() })
    }

    fn file(&self, file: Arc<dyn DiskFile>) -> Arc<dyn DiskFile> {
        Arc::new(LyingFile { file, lie: self.lie, acts: Arc::clone(&self.acts) })
    }
}

impl Disk for Liar {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.create_directory(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        let mut names = self.disk.list(directory)?;
        names.sort();
        let files = names.iter().filter(|name| name.ends_with(".segment")).count();
        // Not the last ones: those may be spares, which nobody misses.
        if self.lie == Lie::LostFile && files > 3 {
            let first = names.iter().position(|name| name.ends_with(".segment"));
            first.into_iter().for_each(|first| drop(names.remove(first)));
        }
        Ok(names)
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.disk.create(path).map(|file| self.file(file))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.disk.open(path).map(|file| self.file(file))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.rename(from, to)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        if self.lie == Lie::NoSyncOfNames { Ok(()) } else { self.disk.sync_directory(path) }
    }

    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>> {
        self.disk.lock(path)
    }
}

#[derive(Debug)]
struct LyingFile {
    file: Arc<dyn DiskFile>,
    lie: Lie,
    acts: Arc<AtomicU64>,
}

impl LyingFile {
    /// Each act in so many is a lie.
    fn lies(&self, lie: Lie, one_in: u64) -> bool {
        self.lie == lie && self.acts.fetch_add(1, Ordering::Relaxed) % one_in == one_in - 1
    }
}

impl DiskFile for LyingFile {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let offset = if self.lies(Lie::StaleRead, 5) { offset.saturating_sub(512) } else { offset };
        self.file.read_at(buffer, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        // Zeros of new files may be lost; they are found as zeros.
        let is_batch = offset > 0 && bytes.iter().any(|byte| *byte != 0);
        if is_batch && self.lies(Lie::LostWrite, 10) { Ok(()) } else { self.file.write_all_at(bytes, offset) }
    }

    fn sync(&self) -> io::Result<()> {
        if self.lie == Lie::NoSync { Ok(()) } else { self.file.sync() }
    }
}

//! Tests of the tests: faults injected into the disk must be detected.

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

/// Whether any of the default seeds detects the fault. A panic of the store counts as detection.
fn is_detected(wrap: Wrap, run: fn(u64, Wrap) -> Checked<Tally>) -> bool {
    (0..SEEDS).any(|seed| !matches!(catch_unwind(AssertUnwindSafe(|| run(seed, wrap))), Ok(Ok(_))))
}

/// Equivalent to acknowledging before the sync.
#[test]
fn a_sync_that_does_nothing_is_detected() {
    let wrap: Wrap = |disk| FaultyDisk::wrap(disk, DiskFault::NoSync);
    assert!(is_detected(wrap, history), "sequential operations");
    assert!(is_detected(wrap, crowd), "concurrent operations");
}

/// The names of recovery points and segments may be lost.
#[test]
fn a_sync_of_names_that_does_nothing_is_detected() {
    assert!(is_detected(|disk| FaultyDisk::wrap(disk, DiskFault::NoSyncOfNames), history));
}

/// A write that the drive acknowledges but never performs.
#[test]
fn a_lost_write_is_detected() {
    assert!(is_detected(|disk| FaultyDisk::wrap(disk, DiskFault::LostWrite), history));
}

/// A read returns bytes from another offset: only checksums detect that.
#[test]
fn a_misdirected_read_is_detected() {
    assert!(is_detected(|disk| FaultyDisk::wrap(disk, DiskFault::StaleRead), history));
}

/// A segment is missing from the directory listing.
#[test]
fn a_missing_file_is_detected() {
    assert!(is_detected(|disk| FaultyDisk::wrap(disk, DiskFault::LostFile), history));
}

/// The same histories pass on a wrapped disk without a fault.
#[test]
fn a_disk_without_a_fault_passes() {
    for seed in 0..SEEDS {
        history(seed, |disk| FaultyDisk::wrap(disk, DiskFault::None))
            .unwrap_or_else(|wrong| panic!("REDRIVE_SEED={seed}: {wrong}"));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DiskFault {
    None,
    NoSync,
    NoSyncOfNames,
    LostWrite,
    StaleRead,
    LostFile,
}

/// A disk with an injected fault.
#[derive(Debug)]
struct FaultyDisk {
    disk: Arc<dyn Disk>,
    fault: DiskFault,
    /// Counts operations. Only some of them are faulty, or nothing would ever work.
    acts: Arc<AtomicU64>,
}

impl FaultyDisk {
    fn wrap(disk: Arc<dyn Disk>, fault: DiskFault) -> Arc<dyn Disk> {
        Arc::new(Self { disk, fault, acts: Arc::default() })
    }

    fn file(&self, file: Arc<dyn DiskFile>) -> Arc<dyn DiskFile> {
        Arc::new(FaultyFile { file, fault: self.fault, acts: Arc::clone(&self.acts) })
    }
}

impl Disk for FaultyDisk {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.create_directory(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        let mut names = self.disk.list(directory)?;
        names.sort();
        let files = names.iter().filter(|name| name.ends_with(".segment")).count();
        // Not the last ones: those may be spares, whose loss does no harm.
        if self.fault == DiskFault::LostFile && files > 3 {
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
        if self.fault == DiskFault::NoSyncOfNames { Ok(()) } else { self.disk.sync_directory(path) }
    }

    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>> {
        self.disk.lock(path)
    }
}

#[derive(Debug)]
struct FaultyFile {
    file: Arc<dyn DiskFile>,
    fault: DiskFault,
    acts: Arc<AtomicU64>,
}

impl FaultyFile {
    /// Whether this operation is faulty: one in `one_in` is.
    fn injects(&self, fault: DiskFault, one_in: u64) -> bool {
        self.fault == fault && self.acts.fetch_add(1, Ordering::Relaxed) % one_in == one_in - 1
    }
}

impl DiskFile for FaultyFile {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let offset = if self.injects(DiskFault::StaleRead, 5) { offset.saturating_sub(512) } else { offset };
        self.file.read_at(buffer, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        // Losing the zeros of new files has no effect.
        let is_batch = offset > 0 && bytes.iter().any(|byte| *byte != 0);
        if is_batch && self.injects(DiskFault::LostWrite, 10) { Ok(()) } else { self.file.write_all_at(bytes, offset) }
    }

    fn sync(&self) -> io::Result<()> {
        if self.fault == DiskFault::NoSync { Ok(()) } else { self.file.sync() }
    }
}

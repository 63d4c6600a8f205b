//! Tests of the tests: faults injected into the disk must be detected.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redrive_journal::{Disk, DiskFile};

use super::actor::HistoryCounts;
use super::crowd::crowd;
use super::history::history;
use super::machine::Wrap;
use super::oracle::Checked;
use crate::hooked_disk::{DiskHook, HookedDisk};

const SEEDS: u64 = 60;

/// Whether any of the default seeds detects the fault. A panic of the store counts as detection.
fn is_detected(wrap: Wrap, run: fn(u64, Wrap) -> Checked<HistoryCounts>) -> bool {
    (0..SEEDS).any(|seed| !matches!(catch_unwind(AssertUnwindSafe(|| run(seed, wrap))), Ok(Ok(_))))
}

/// Equivalent to acknowledging before the sync.
#[test]
fn a_sync_that_does_nothing_is_detected() {
    let wrap: Wrap = |disk| FaultHook::wrap(disk, DiskFault::NoSync);
    assert!(is_detected(wrap, history), "sequential operations");
    assert!(is_detected(wrap, crowd), "concurrent operations");
}

/// The names of recovery points and segments may be lost.
#[test]
fn a_sync_of_names_that_does_nothing_is_detected() {
    assert!(is_detected(|disk| FaultHook::wrap(disk, DiskFault::NoSyncOfNames), history));
}

/// A write that the drive acknowledges but never performs.
#[test]
fn a_lost_write_is_detected() {
    assert!(is_detected(|disk| FaultHook::wrap(disk, DiskFault::LostWrite), history));
}

/// A read returns bytes from another offset: only checksums detect that.
#[test]
fn a_misdirected_read_is_detected() {
    assert!(is_detected(|disk| FaultHook::wrap(disk, DiskFault::StaleRead), history));
}

/// A segment is missing from the directory listing.
#[test]
fn a_missing_file_is_detected() {
    assert!(is_detected(|disk| FaultHook::wrap(disk, DiskFault::LostFile), history));
}

/// The same histories pass on a wrapped disk without a fault.
#[test]
fn a_disk_without_a_fault_passes() {
    for seed in 0..SEEDS {
        history(seed, |disk| FaultHook::wrap(disk, DiskFault::None))
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

/// Injects a fault into the operations of a disk.
#[derive(Debug)]
struct FaultHook {
    fault: DiskFault,
    /// Counts operations. Only some of them are faulty, or nothing would ever work.
    acts: AtomicU64,
}

impl FaultHook {
    fn wrap(disk: Arc<dyn Disk>, fault: DiskFault) -> Arc<dyn Disk> {
        HookedDisk::wrap(disk, Self { fault, acts: AtomicU64::new(0) })
    }

    /// Whether this operation is faulty: one in `one_in` is.
    fn injects(&self, fault: DiskFault, one_in: u64) -> bool {
        self.fault == fault && self.acts.fetch_add(1, Ordering::Relaxed) % one_in == one_in - 1
    }
}

impl DiskHook for FaultHook {
    fn list(&self, disk: &dyn Disk, directory: &Path) -> io::Result<Vec<String>> {
        let mut names = disk.list(directory)?;
        names.sort();
        let files = names.iter().filter(|name| name.ends_with(".segment")).count();
        // Not the last ones: those may be spares, whose loss does no harm.
        if self.fault == DiskFault::LostFile && files > 3 {
            let first = names.iter().position(|name| name.ends_with(".segment"));
            first.into_iter().for_each(|first| drop(names.remove(first)));
        }
        Ok(names)
    }

    fn sync_directory(&self, disk: &dyn Disk, path: &Path) -> io::Result<()> {
        if self.fault == DiskFault::NoSyncOfNames { Ok(()) } else { disk.sync_directory(path) }
    }

    fn read_at(&self, file: &dyn DiskFile, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let offset = if self.injects(DiskFault::StaleRead, 5) { offset.saturating_sub(512) } else { offset };
        file.read_at(buffer, offset)
    }

    fn write_all_at(&self, file: &dyn DiskFile, bytes: &[u8], offset: u64) -> io::Result<()> {
        // Losing the zeros of new files has no effect.
        let is_batch = offset > 0 && bytes.iter().any(|byte| *byte != 0);
        if is_batch && self.injects(DiskFault::LostWrite, 10) { Ok(()) } else { file.write_all_at(bytes, offset) }
    }

    fn sync(&self, file: &dyn DiskFile) -> io::Result<()> {
        if self.fault == DiskFault::NoSync { Ok(()) } else { file.sync() }
    }
}

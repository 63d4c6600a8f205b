//! A disk that becomes full while a journal is opened: after every single change that opening makes.

use std::path::Path;
use std::sync::Arc;

use redrive_journal::{Crash, Disk, Journal, OpenError, SimDisk, SyncFault, Use};

use crate::{DIRECTORY, SMALL, append, batch_of, contents, new_journal, open};

/// A copy of the disk with the same files, all of them synced.
fn copy(disk: &SimDisk) -> SimDisk {
    let copy = SimDisk::new();
    for (path, len) in disk.files() {
        let mut bytes = vec![0; len];
        disk.open(&path).unwrap().read_at(&mut bytes, 0).unwrap();
        let file = copy.create(&path).unwrap();
        file.write_all_at(&bytes, 0).unwrap();
        file.sync().unwrap();
    }
    copy.sync_directory(Path::new(DIRECTORY)).unwrap();
    copy
}

fn try_open(disk: &SimDisk) -> Result<Journal, OpenError> {
    Journal::open(Arc::new(disk.clone()), Path::new(DIRECTORY), SMALL, |_| Ok(())).map(|(journal, _)| journal)
}

/// Opens copies of a disk, each of which becomes full one change later than the previous one, until opening completes
/// before the disk is full.
fn at_every_change(disk: &SimDisk, mut check: impl FnMut(u64, &SimDisk, Result<Journal, OpenError>)) {
    for after in 0.. {
        let copy = copy(disk);
        let before = copy.changes();
        copy.fill_after(after);
        let opened = try_open(&copy);
        let changes = copy.changes() - before;
        check(after, &copy, opened);
        if changes < after {
            assert!(changes > 0, "opening made no changes");
            return;
        }
    }
}

/// A journal with this many segments and all its spares.
fn written(segments: usize) -> (SimDisk, Journal) {
    let (disk, mut journal) = young();
    while journal.segments().len() < segments {
        append(&mut journal, &[&[7; 2_000]]);
    }
    journal.spares().fill().unwrap();
    (disk, journal)
}

/// A journal whose first segment is less than half full, so that it has no spares.
fn young() -> (SimDisk, Journal) {
    let (disk, mut journal) = new_journal();
    append(&mut journal, &[&[7; 2_000]]);
    append(&mut journal, &[&[7; 2_000]]);
    assert!(!journal.spares().are_wanted());
    (disk, journal)
}

/// Disks with journals in different states: closed, killed, and stopped in the middle of a batch; in the first segment
/// and in a later one; with all spares, without the last one, and before there are any; without the temporary file for
/// the next recovery point.
fn prepared() -> Vec<(String, SimDisk)> {
    let mut disks = Vec::new();
    let (disk, journal) = young();
    journal.close().unwrap();
    disks.push(("closed, no spares yet".to_owned(), disk));
    let (disk, journal) = young();
    disk.crash(Crash::ProcessOnly, 1);
    drop(journal);
    disks.push(("killed, no spares yet".to_owned(), disk));
    for segments in [1, 3] {
        let (disk, journal) = written(segments);
        journal.close().unwrap();
        disks.push((format!("closed, {segments} segments"), disk));
        let (disk, journal) = written(segments);
        disk.crash(Crash::ProcessOnly, 1);
        drop(journal);
        disks.push((format!("killed, {segments} segments"), disk));
        for seed in 0..5 {
            let (disk, mut journal) = written(segments);
            disk.fail_syncs_after(0, SyncFault::PowerLoss);
            journal.append(&mut batch_of(&[&[9; 3_000]]), Use::Ordinary).unwrap_err();
            disk.crash(Crash::Any, seed);
            disk.heal_syncs();
            drop(journal);
            disks.push((format!("stopped in a batch, seed {seed}, {segments} segments"), disk));
        }
        let (disk, journal) = written(segments);
        journal.close().unwrap();
        let files = disk.files();
        let (last, _) = files.iter().rfind(|(path, _)| path.extension().is_some_and(|end| end == "segment")).unwrap();
        disk.remove(last).unwrap();
        disks.push((format!("without its last spare, {segments} segments"), disk));
        let (disk, journal) = written(segments);
        journal.close().unwrap();
        disk.remove(&Path::new(DIRECTORY).join("unfinished.tmp")).unwrap();
        disks.push((format!("without the next point's file, {segments} segments"), disk));
    }
    disks
}

#[test]
fn an_existing_journal_opens_and_accepts_work_that_frees_space() {
    for (name, disk) in prepared() {
        let expected = contents(&copy(&disk));
        at_every_change(&disk, |after, disk, opened| {
            let what = format!("{name}, full after {after} changes");
            let mut journal = opened.unwrap_or_else(|error| panic!("{what}: {error}"));
            for _ in 0..3 {
                journal.append(&mut batch_of(&[b"a completion"]), Use::FreesSpace).unwrap();
            }
            let point = journal.next();
            journal.set_recovery_point(point, b"").unwrap_or_else(|error| panic!("{what}: {error}"));
            for info in journal.segments().iter().rev().skip(1) {
                journal.detach_segment(info.id).unwrap().remove().unwrap();
            }
            journal.append(&mut batch_of(&[b"and another"]), Use::FreesSpace).unwrap();
            journal.close().unwrap();
            disk.set_capacity(None);
            assert_eq!(contents(disk), [(point.0, b"and another".to_vec())], "{what}");
            assert_eq!(point.0, expected.len() as u64 + 4, "{what}");
        });
    }
}

#[test]
fn a_crash_after_opening_on_a_full_disk_loses_no_record() {
    for (name, disk) in prepared() {
        let expected = contents(&copy(&disk));
        for crash in [Crash::LoseAll, Crash::KeepAll, Crash::Any, Crash::ProcessOnly] {
            at_every_change(&disk, |after, disk, opened| {
                disk.crash(crash, after);
                drop(opened);
                disk.set_capacity(None);
                assert_eq!(contents(disk), expected, "{name}, full after {after} changes, {crash:?}");
            });
        }
    }
}

/// Creating the journal may succeed or fail; leftover files must not break the next start.
#[test]
fn a_failed_creation_on_a_full_disk_does_not_break_the_next_start() {
    at_every_change(&SimDisk::new(), |after, disk, opened| {
        let appended = match opened {
            Ok(mut journal) => journal.append(&mut batch_of(&[b"a"]), Use::Ordinary).is_ok(),
            Err(error) => {
                assert!(error.to_string().starts_with("the disk is full: "), "after {after} changes: {error}");
                false
            }
        };
        if let Err(error) = try_open(disk) {
            assert!(error.to_string().starts_with("the disk is full: "), "after {after} changes, again: {error}");
        }
        disk.set_capacity(None);
        let mut journal = open(disk);
        append(&mut journal, &[b"b"]);
        drop(journal);
        let bodies: Vec<Vec<u8>> = contents(disk).into_iter().map(|(_, body)| body).collect();
        let expected: &[&[u8]] = if appended { &[b"a", b"b"] } else { &[b"b"] };
        assert_eq!(bodies, expected, "after {after} changes");
    });
}

//! The journal on the real file system.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use redrive_journal::doctor::DamagedJournal;
use redrive_journal::{Journal, OpenError, RealDisk, Seq};
use redrive_testkit::folder;

use crate::{SMALL, append, open_with};

#[test]
fn appended_records_are_recovered_after_reopening() {
    let folder = folder("reopened");
    let disk = Arc::new(RealDisk);
    let (mut journal, _) = open_with(disk.clone(), folder.path(), SMALL, |_| {});
    let locations: Vec<_> =
        (0..200u32).map(|number| append(&mut journal, &[&number.to_le_bytes()]).locations[0]).collect();
    journal.set_recovery_point(Seq(101), b"half").unwrap();
    assert_eq!(journal.reader().read(locations[17]).unwrap().body[..], 17u32.to_le_bytes());
    journal.close().unwrap();

    let mut found = Vec::new();
    let (journal, report) = open_with(disk, folder.path(), SMALL, |record| found.push(record.body.to_vec()));
    let expected: Vec<_> = (100..200u32).map(|number| number.to_le_bytes().to_vec()).collect();
    assert_eq!(found, expected);
    assert_eq!((report.records, report.cut), (100, None));
    drop(journal);
    assert_eq!(DamagedJournal::open(&RealDisk, folder.path()).unwrap().read(|_| {}).unwrap().records, 200);
}

#[test]
fn a_damaged_journal_does_not_open_and_the_doctor_reads_it() {
    let folder = folder("damaged");
    let disk = Arc::new(RealDisk);
    let (mut journal, _) = open_with(disk.clone(), folder.path(), SMALL, |_| {});
    for number in 0..9u32 {
        append(&mut journal, &[&number.to_le_bytes()]);
    }
    journal.close().unwrap();
    let file = folder.path().join("0000000001.segment");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[40 + 3 * (48 + 24) + 60] ^= 1;
    std::fs::write(&file, &bytes).unwrap();

    let opened = Journal::open(disk.clone(), folder.path(), SMALL, |_| Ok(()));
    assert!(matches!(opened.map(|_| ()), Err(OpenError::Damaged(_))));
    let mut found = Vec::new();
    let damaged = DamagedJournal::open(&RealDisk, folder.path()).unwrap();
    let findings = damaged.read(|record| found.push(record.seq.0)).unwrap();
    assert_eq!((findings.records, findings.damages.len()), (8, 1));
    assert_eq!(found, [1, 2, 3, 5, 6, 7, 8, 9]);
    assert_eq!(findings.damages[0].lost, Some((Seq(4), Seq(5))));
}

#[test]
fn a_second_opening_finds_the_directory_locked() {
    let folder = folder("locked");
    let (journal, _) = open_with(Arc::new(RealDisk), folder.path(), SMALL, |_| {});
    let second = Journal::open(Arc::new(RealDisk), folder.path(), SMALL, |_| Ok(()));
    let error = second.map(|_| ()).unwrap_err();
    assert!(matches!(&error, OpenError::Locked { holder: Some(holder), .. } if holder.is_this()), "{error:?}");
    let expected = format!("{} is already open in this process; close that one first", folder.path().display());
    assert_eq!(error.to_string(), expected);
    // The id of a process in another container may be that of any process here.
    std::fs::write(folder.path().join("LOCK"), "1\n").unwrap();
    let second = Journal::open(Arc::new(RealDisk), folder.path(), SMALL, |_| Ok(()));
    assert!(matches!(second.map(|_| ()), Err(OpenError::Locked { holder: None, .. })));
    drop(journal);
}

#[test]
fn spares_are_created_from_another_thread() {
    let folder = folder("spares");
    let (mut journal, _) = open_with(Arc::new(RealDisk), folder.path(), SMALL, |_| {});
    let spares = journal.spares().clone();
    assert!(!spares.are_wanted(), "a new journal needs one segment only");
    while !spares.are_wanted() {
        append(&mut journal, &[&[7; 1_000]]);
    }
    std::thread::scope(|scope| {
        scope.spawn(|| spares.fill().unwrap());
        let body = vec![7; 3_000];
        for _ in 0..50 {
            append(&mut journal, &[&body]);
        }
    });
    let ids: Vec<_> = journal.segments().iter().map(|info| info.id).collect();
    let expected: Vec<_> = (1..=u32::try_from(ids.len()).unwrap()).collect();
    assert_eq!(ids, expected, "ids have no gaps");
}

/// A child process that is being started briefly holds copies of all open files, and with them their locks.
#[test]
fn a_lock_is_released_with_its_journal_even_while_processes_are_started() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = folder("relocked");
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                std::process::Command::new("true").status().unwrap();
            }
        });
        let locked = (0..300).find(|_| Journal::open(Arc::new(RealDisk), folder.path(), SMALL, |_| Ok(())).is_err());
        is_done.store(true, Ordering::Relaxed);
        assert_eq!(locked, None, "the lock of a closed journal was still held");
    });
}

#[test]
fn only_the_owner_can_read_the_files() {
    let folder = folder("modes");
    let directory = folder.path().join("new");
    let (mut journal, _) = open_with(Arc::new(RealDisk), &directory, SMALL, |_| {});
    append(&mut journal, &[b"a secret"]);
    journal.close().unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    for file in std::fs::read_dir(&directory).unwrap() {
        let file = file.unwrap().path();
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

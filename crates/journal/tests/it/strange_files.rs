//! Files changed from outside: swapped, shortened, foreign and forged ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use redrive_journal::doctor::{DamagedJournal, Findings, SalvageTarget};
use redrive_journal::{Crash, Disk, Journal, Location, OpenError, Options, ReadError, SimDisk};

use crate::{DIRECTORY, SMALL, append, contents, new_journal, open};

/// A journal of several segments, closed.
fn several_segments() -> SimDisk {
    let (disk, mut journal) = new_journal();
    let body = vec![7; 5_000];
    for _ in 0..12 {
        append(&mut journal, &[&body]);
    }
    journal.close().unwrap();
    disk
}

fn open_error(disk: &SimDisk) -> OpenError {
    let opened = Journal::open(Arc::new(disk.clone()), Path::new(DIRECTORY), SMALL, |_| Ok(()));
    opened.map(|_| ()).unwrap_err()
}

fn segment(id: u32) -> PathBuf {
    Path::new(DIRECTORY).join(format!("{id:010}.segment"))
}

fn read(disk: &SimDisk, path: &Path) -> Vec<u8> {
    let file = disk.open(path).unwrap();
    let mut bytes = vec![0; usize::try_from(file.size().unwrap()).unwrap()];
    file.read_at(&mut bytes, 0).unwrap();
    bytes
}

fn replace(disk: &SimDisk, path: &Path, bytes: &[u8]) {
    // The file may not exist.
    let _removed = disk.remove(path);
    disk.create(path).unwrap().write_all_at(bytes, 0).unwrap();
}

#[test]
fn swapped_segments_are_rejected_and_not_changed() {
    let disk = several_segments();
    let (two, three) = (read(&disk, &segment(2)), read(&disk, &segment(3)));
    replace(&disk, &segment(2), &three);
    replace(&disk, &segment(3), &two);
    assert!(matches!(open_error(&disk), OpenError::Damaged(_)));
    assert_eq!((read(&disk, &segment(2)), read(&disk, &segment(3))), (three, two));
}

#[test]
fn any_missing_segment_is_rejected() {
    for id in 1..=4 {
        let disk = several_segments();
        disk.remove(&segment(id)).unwrap();
        assert!(matches!(open_error(&disk), OpenError::Damaged(_)), "segment {id}");
    }
}

#[test]
fn a_shortened_segment_is_rejected() {
    let disk = several_segments();
    for id in 1..=4 {
        let whole = read(&disk, &segment(id));
        for len in [16_000, 10_000, 100] {
            replace(&disk, &segment(id), &whole[..len]);
            assert!(matches!(open_error(&disk), OpenError::Damaged(_)), "segment {id} cut to {len}");
        }
        replace(&disk, &segment(id), &whole);
    }
    assert_eq!(contents(&disk).len(), 12);
}

/// Two faults at once: the last batch of a segment, and the header of the next one.
#[test]
fn batches_after_two_faults_are_not_mistaken_for_an_interrupted_write() {
    let disk = several_segments();
    let last_batch = 40 + 2 * (48 + 5_024) + 60;
    disk.flip_bit(&segment(3), last_batch, 0);
    disk.flip_bit(&segment(4), 20, 0);
    let before = read(&disk, &segment(4));
    assert!(matches!(open_error(&disk), OpenError::Damaged(_)));
    assert_eq!(read(&disk, &segment(4)), before, "nothing was removed");
}

#[test]
fn an_unreadable_point_still_says_how_far_the_log_reached() {
    let (disk, mut journal) = new_journal();
    append(&mut journal, &[b"a", b"b", b"c"]);
    journal.set_recovery_point(journal.next(), b"").unwrap();
    drop(journal);
    let point = Path::new(DIRECTORY).join("00000000000000000004.point");
    disk.flip_bit(&point, 20, 0);
    assert_eq!(contents(&disk).len(), 3, "no segment was dropped, so all records are read");
    disk.flip_bit(&segment(1), 40 + 60, 0);
    assert!(matches!(open_error(&disk), OpenError::Damaged(_)), "records before the point are lost");
}

#[test]
fn foreign_point_files_are_ignored_and_newer_versions_are_rejected() {
    let disk = several_segments();
    let notes = Path::new(DIRECTORY).join("notes.point");
    replace(&disk, &notes, b"mine");
    let mut journal = open(&disk);
    journal.set_recovery_point(journal.next(), b"").unwrap();
    drop(journal);
    assert_eq!(read(&disk, &notes), b"mine");

    let path = Path::new(DIRECTORY).join("00000000000000000013.point");
    let mut bytes = read(&disk, &path);
    bytes[8] = 2;
    let checksum = crc32c::crc32c(&bytes[8..]);
    bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
    replace(&disk, &path, &bytes);
    assert!(matches!(open_error(&disk), OpenError::NewerVersion { version: 2, .. }));
}

#[test]
fn forged_headers_cause_no_overflow() {
    for (at, value) in [(16, u64::MAX), (32, u64::MAX), (16, u64::MAX - 5), (32, (1 << 62) - 1)] {
        let disk = several_segments();
        let mut bytes = read(&disk, &segment(4));
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        let checksum = crc32c::crc32c(&bytes[8..40]);
        bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
        replace(&disk, &segment(4), &bytes);
        assert!(matches!(open_error(&disk), OpenError::Damaged(_)), "{at}: {value}");
        assert!(!findings(&disk).damages.is_empty(), "{at}: {value}");
    }
    let disk = several_segments();
    replace(&disk, &segment(u32::MAX), b"x");
    assert_eq!(contents(&disk).len(), 12, "the highest number is not a segment id");
}

#[test]
fn a_location_with_an_excessive_length_is_an_error() {
    let (_, mut journal) = new_journal();
    let good = append(&mut journal, &[b"abc"]).locations[0];
    let wrong = Location { len: u32::MAX, ..good };
    assert!(matches!(journal.reader().read(wrong), Err(ReadError::Damaged { .. })));
}

#[test]
fn a_journal_opens_with_other_options_than_it_was_written_with() {
    let disk = several_segments();
    let large = Options { segment_bytes: 64 * 1024, spares: 2 };
    let open_large = |visit: &mut Vec<u64>| {
        let opened = Journal::open(Arc::new(disk.clone()), Path::new(DIRECTORY), large, |record| {
            visit.push(record.seq.0);
            Ok(())
        });
        opened.unwrap().0
    };
    let mut journal = open_large(&mut Vec::new());
    let body = vec![7; 5_000];
    for _ in 0..20 {
        append(&mut journal, &[&body]);
    }
    disk.crash(Crash::LoseAll, 1);
    drop(journal);
    let mut seen = Vec::new();
    drop(open_large(&mut seen));
    assert_eq!(seen, (1..=32).collect::<Vec<_>>());
    assert_eq!(contents(&disk).len(), 32, "and with the former options again");
}

#[test]
fn the_doctor_does_not_report_dropped_segments_as_damage() {
    let disk = several_segments();
    let mut journal = open(&disk);
    journal.set_recovery_point(journal.next(), b"").unwrap();
    journal.detach_segment(2).unwrap().remove().unwrap();
    let second = DamagedJournal::open(&disk, Path::new(DIRECTORY));
    assert!(matches!(second, Err(OpenError::Locked { .. })), "the journal is open");
    drop(journal);
    assert_eq!(findings(&disk).damages, []);
}

fn findings(disk: &SimDisk) -> Findings {
    DamagedJournal::open(disk, Path::new(DIRECTORY)).unwrap().read(|_| {}).unwrap()
}

#[test]
fn an_unfinished_salvage_cannot_be_opened() {
    let disk = SimDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let target = Path::new("/salvaged");
    drop(SalvageTarget::begin(Arc::clone(&shared), target, SMALL).unwrap());
    let opened = Journal::open(Arc::clone(&shared), target, SMALL, |_| Ok(()));
    assert!(matches!(opened.map(|_| ()), Err(OpenError::UnfinishedSalvage { .. })));
    let again = SalvageTarget::begin(Arc::clone(&shared), target, SMALL);
    assert!(again.is_err(), "a salvage overwrites nothing");
    let target = Path::new("/finished");
    SalvageTarget::begin(Arc::clone(&shared), target, SMALL).unwrap().finish().unwrap();
    assert!(Journal::open(shared, target, SMALL, |_| Ok(())).is_ok());
}

/// Each segment in turn is removed, or overwritten with zeros.
#[test]
fn the_loss_of_any_segment_is_detected() {
    for id in 1..=4 {
        for is_removed in [true, false] {
            let disk = several_segments();
            let len = read(&disk, &segment(id)).len();
            disk.remove(&segment(id)).unwrap();
            if !is_removed {
                replace(&disk, &segment(id), &vec![0; len]);
            }
            assert!(matches!(open_error(&disk), OpenError::Damaged(_)), "segment {id}, removed: {is_removed}");
            assert!(!findings(&disk).damages.is_empty(), "segment {id}, removed: {is_removed}");
        }
    }
}

#[test]
fn the_directory_stays_locked_while_segments_can_be_created_in_it() {
    let (disk, journal) = new_journal();
    let spares = journal.spares().clone();
    drop(journal);
    assert!(matches!(open_error(&disk), OpenError::Locked { .. }));
    drop(spares);
    open(&disk);
}

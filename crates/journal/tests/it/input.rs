//! Rejected input.

use std::path::Path;
use std::sync::Arc;

use redrive_journal::{AppendError, Batch, Disk, Journal, Location, OpenError, Options, ReadError, SimDisk, Use};

use crate::{DIRECTORY, SMALL, append, batch_of, new_journal, open};

#[test]
fn a_directory_cannot_be_opened_twice() {
    let (disk, journal) = new_journal();
    let second = Journal::open(Arc::new(disk.clone()), Path::new(DIRECTORY), SMALL, |_| Ok(()));
    let error = second.map(|_| ()).unwrap_err();
    assert!(matches!(error, OpenError::Locked { .. }));
    assert_eq!(error.to_string(), "/journal is already open, here or in another process; close that one first");
    drop(journal);
    open(&disk);
}

#[test]
fn options_out_of_range_are_rejected_before_any_file_is_changed() {
    let disk = SimDisk::new();
    let wrong = [
        Options { segment_bytes: 100, ..SMALL },
        Options { segment_bytes: 2 << 30, ..SMALL },
        Options { spares: 0, ..SMALL },
        Options { spares: 17, ..SMALL },
    ];
    for options in wrong {
        let opened = Journal::open(Arc::new(disk.clone()), Path::new(DIRECTORY), options, |_| Ok(()));
        assert!(matches!(opened.map(|_| ()), Err(OpenError::Options(..))), "{options:?}");
    }
    assert!(disk.files().is_empty());
}

#[test]
fn a_batch_larger_than_a_segment_is_rejected_as_a_whole() {
    let (_, mut journal) = new_journal();
    let body = vec![7; SMALL.segment_bytes];
    let rejected = journal.append(&mut batch_of(&[b"small", &body]), Use::Ordinary);
    assert!(matches!(rejected, Err(AppendError::TooLarge { .. })));
    assert_eq!(append(&mut journal, &[b"x"]).first.0, 1, "nothing was written");
}

#[test]
fn the_largest_batch_that_fits_is_accepted() {
    let (_, mut journal) = new_journal();
    // The headers of segment, batch and record take 40, 48 and 20 bytes; 4 bytes of padding align the record to 8.
    let largest = SMALL.segment_bytes - 40 - 48 - 20 - 4;
    let body = vec![7; largest];
    let appended = append(&mut journal, &[&body]);
    assert_eq!(journal.reader().read(appended.locations[0]).unwrap().body, body);
    assert!(journal.append(&mut batch_of(&[&vec![7; largest + 8]]), Use::Ordinary).is_err());
    assert_eq!(Batch::new().bytes_on_disk(), 48);
}

#[test]
fn an_error_of_the_visitor_aborts_opening() {
    let (disk, mut journal) = new_journal();
    append(&mut journal, &[b"a", b"b"]);
    drop(journal);
    let opened = Journal::open(Arc::new(disk.clone()), Path::new(DIRECTORY), SMALL, |record| {
        if record.seq.0 == 2 { Err("no".into()) } else { Ok(()) }
    });
    let error = opened.map(|_| ()).unwrap_err();
    assert!(matches!(&error, OpenError::Visit { seq, .. } if seq.0 == 2), "{error}");
    open(&disk);
}

#[test]
fn a_newer_format_is_rejected_with_its_version() {
    let (disk, mut journal) = new_journal();
    append(&mut journal, &[b"a"]);
    drop(journal);
    // A header of version 2, with its checksum.
    let file = disk.open(Path::new("/journal/0000000001.segment")).unwrap();
    let mut header = [0; 40];
    file.read_at(&mut header, 0).unwrap();
    header[8] = 2;
    let checksum = crc32c::crc32c(&header[8..]);
    header[4..8].copy_from_slice(&checksum.to_le_bytes());
    file.write_all_at(&header, 0).unwrap();
    let opened = Journal::open(Arc::new(disk.clone()), Path::new(DIRECTORY), SMALL, |_| Ok(()));
    let error = opened.map(|_| ()).unwrap_err();
    assert!(matches!(error, OpenError::NewerVersion { version: 2, .. }), "{error}");
}

#[test]
fn a_dropped_segment_and_an_invalid_location_are_different_errors() {
    let (_, mut journal) = new_journal();
    let good = append(&mut journal, &[b"abc"]).locations[0];
    let reader = journal.reader();
    let error = |location: Location| reader.read(location).unwrap_err();
    assert!(matches!(error(Location { segment: 99, ..good }), ReadError::Dropped { segment: 99 }));
    for wrong in [
        Location { offset: good.offset + 8, ..good },
        Location { len: good.len + 1, ..good },
        Location { offset: 16_380, ..good },
        Location { offset: u32::MAX, ..good },
        Location { len: 500_000, ..good },
    ] {
        assert!(matches!(error(wrong), ReadError::Damaged { .. }), "{wrong:?}");
    }
}

#[test]
fn unrelated_files_are_not_touched() {
    let disk = SimDisk::new();
    for name in ["notes.txt", "1.segment", "abcdefghij.segment"] {
        disk.create(&Path::new(DIRECTORY).join(name)).unwrap().write_all_at(b"mine", 0).unwrap();
    }
    let mut journal = open(&disk);
    append(&mut journal, &[b"a"]);
    drop(journal);
    open(&disk);
    let names: Vec<_> = disk.list(Path::new(DIRECTORY)).unwrap();
    assert!(["notes.txt", "1.segment", "abcdefghij.segment"].iter().all(|name| names.contains(&(*name).to_owned())));
}

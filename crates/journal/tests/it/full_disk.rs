//! A full disk: a clear answer, nothing lost, and what frees room still works.

use redrive_journal::{AppendError, SimDisk, Use};

use crate::{SMALL, append, batch_of, contents, open};

#[test]
fn ordinary_work_is_refused_and_work_that_frees_room_is_not() {
    let disk = SimDisk::new();
    let mut journal = open(&disk);
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used()));
    let body = vec![7; 2_000];
    let mut written = 0;
    let refused = loop {
        match journal.append(&mut batch_of(&[&body]), Use::Ordinary) {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, AppendError::Full { .. }), "{refused}");
    assert!(refused.to_string().starts_with("the disk is full: "), "{refused}");
    assert!(matches!(journal.reserve(3_000, Use::Ordinary), Err(AppendError::Full { .. })));

    journal.reserve(3_000, Use::FreesRoom).unwrap();
    for _ in 0..5 {
        journal.append(&mut batch_of(&[b"a completion"]), Use::FreesRoom).unwrap();
        written += 1;
    }
    journal.prove().unwrap();

    disk.set_capacity(None);
    let still = journal.append(&mut batch_of(&[&body]), Use::Ordinary);
    assert!(matches!(still, Err(AppendError::Full { .. })), "each try would fill the disk to its end");
    journal.spares().fill().unwrap();
    append(&mut journal, &[&body]);
    journal.close().unwrap();
    assert_eq!(contents(&disk).len(), written + 1);
}

#[test]
fn ordinary_work_does_not_use_up_the_reserve_once_it_is_begun() {
    let disk = SimDisk::new();
    let mut journal = open(&disk);
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used()));
    let body = vec![7; 2_000];
    while journal.append(&mut batch_of(&[&body]), Use::Ordinary).is_ok() {}
    // The next batch that frees room begins the last segment; what is small enough would fit there, too.
    journal.append(&mut batch_of(&[&body]), Use::FreesRoom).unwrap();
    let refused = journal.append(&mut batch_of(&[b"x"]), Use::Ordinary);
    assert!(matches!(refused, Err(AppendError::Full { .. })));
    journal.append(&mut batch_of(&[b"x"]), Use::FreesRoom).unwrap();
}

#[test]
fn a_recovery_point_can_be_set_and_room_be_made() {
    let disk = SimDisk::new();
    let mut journal = open(&disk);
    journal.spares().fill().unwrap();
    let body = vec![7; 2_000];
    for _ in 0..30 {
        append(&mut journal, &[&body]);
    }
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used()));
    while journal.append(&mut batch_of(&[&body]), Use::Ordinary).is_ok() {}
    journal.set_recovery_point(journal.next(), b"all of it").unwrap();
    let segments = journal.segments();
    for info in &segments[..segments.len() - 1] {
        journal.drop_segment(info.id).unwrap();
    }
    append(&mut journal, &[&body]);
}

#[test]
fn the_reserve_ends_too_and_says_so() {
    let disk = SimDisk::new();
    let mut journal = open(&disk);
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used()));
    let body = vec![7; 2_000];
    let in_a_segment = SMALL.segment_bytes / 2_100;
    let mut written = 0;
    while journal.append(&mut batch_of(&[&body]), Use::Ordinary).is_ok() {
        written += 1;
    }
    assert_eq!(written, in_a_segment, "all that was ready but the reserve");
    while journal.append(&mut batch_of(&[&body]), Use::FreesRoom).is_ok() {
        written += 1;
    }
    assert_eq!(written, 2 * in_a_segment, "the reserve, too");
    // It is full, not broken: room makes it work again.
    disk.set_capacity(None);
    journal.spares().fill().unwrap();
    append(&mut journal, &[&body]);
    drop(journal);
    assert_eq!(contents(&disk).len(), written + 1);
}

#[test]
fn a_segment_that_could_not_be_finished_leaves_nothing_behind() {
    let disk = SimDisk::new();
    let journal = open(&disk);
    journal.spares().fill().unwrap();
    let files = disk.files();
    disk.set_capacity(Some(disk.used() + SMALL.segment_bytes / 2));
    drop(journal);
    let mut journal = open(&disk);
    let body = vec![7; 12_000];
    for _ in 0..4 {
        let _full_or_not = journal.append(&mut batch_of(&[&body]), Use::Ordinary);
    }
    assert!(disk.files().len() <= files.len() + 1);
}

//! A full disk: a clear answer, nothing lost, and what frees room still works.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_journal::{AppendError, Disk, DiskFile, DiskLock, SimDisk, Use};

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

/// Whoever makes segments does so on another thread: what it finds between a promise and its batch must not break the
/// promise, since the batch records what was done already.
#[test]
fn room_that_was_promised_is_there_when_the_disk_is_found_full_in_between() {
    for len in [100, 3_000] {
        let disk = SimDisk::new();
        let mut journal = open(&disk);
        journal.spares().fill().unwrap();
        append(&mut journal, &[&[7; 2_000]]);
        journal.spares().fill().unwrap();
        journal.reserve(3_500, Use::Ordinary).unwrap();
        disk.set_capacity(Some(disk.used()));
        journal.spares().set_reserve(5);
        journal.spares().fill().unwrap_err();
        journal.append(&mut batch_of(&[&vec![8; len]]), Use::Ordinary).unwrap();
        let next = journal.append(&mut batch_of(&[b"x"]), Use::Ordinary);
        assert!(matches!(next, Err(AppendError::Full { .. })), "a promise is kept once");
    }
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

/// A description of everything that is lost for want of a few bytes has used the room that the next one needs.
#[test]
fn a_recovery_point_finds_room_on_a_disk_that_is_full_to_its_last_byte() {
    let disk = SimDisk::new();
    let mut journal = open(&disk);
    journal.spares().fill().unwrap();
    append(&mut journal, &[b"a"]);
    disk.set_capacity(Some(disk.used()));
    for round in 0..3 {
        while journal.append(&mut batch_of(&[&[7; 2_000]]), Use::FreesRoom).is_ok() {}
        assert_eq!(journal.spares().ready_count(), 0);
        let before = journal.segments();
        journal.set_recovery_point(journal.next(), b"").unwrap();
        if round == 1 {
            drop(journal);
            journal = open(&disk);
        }
        let (_, sealed) = before.split_last().unwrap();
        for info in sealed {
            journal.drop_segment(info.id).unwrap();
        }
    }
    append(&mut journal, &[b"b"]);
}

/// What a journal had kept for work that frees room when it was closed is not given to other work when it is opened.
#[test]
fn a_reserve_that_is_demanded_is_whole_before_ordinary_work_goes_on() {
    let disk = SimDisk::new();
    let mut journal = open(&disk);
    append(&mut journal, &[b"a"]);
    journal.spares().set_reserve(3);
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used()));
    // One of those that were kept is used up.
    for _ in 0..2 * SMALL.segment_bytes / 2_100 {
        journal.append(&mut batch_of(&[&[7; 2_000]]), Use::FreesRoom).unwrap();
    }
    drop(journal);

    let mut journal = open(&disk);
    journal.spares().demand_reserve(3);
    let refused = journal.append(&mut batch_of(&[b"b"]), Use::Ordinary);
    assert!(matches!(refused, Err(AppendError::Full { .. })));
    journal.append(&mut batch_of(&[b"b"]), Use::FreesRoom).unwrap();
    disk.set_capacity(None);
    journal.spares().fill().unwrap();
    append(&mut journal, &[b"c"]);
}

/// Whoever makes segments may be late. Until then what is wished for grows only by what one segment holds.
#[test]
fn ordinary_work_begins_no_segment_while_less_is_kept_than_was_wished_for() {
    let disk = SimDisk::new();
    let mut journal = open(&disk);
    append(&mut journal, &[b"a"]);
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used() + SMALL.segment_bytes));
    journal.spares().set_reserve(3);
    append(&mut journal, &[b"b"]);
    while journal.append(&mut batch_of(&[&[7; 2_000]]), Use::Ordinary).is_ok() {}
    assert_eq!(journal.segments().len(), 1);
    assert_eq!(journal.spares().ready_count(), 3);
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
    drop(journal);
    let mut journal = open(&disk);
    let body = vec![7; 12_000];
    journal.append(&mut batch_of(&[&body]), Use::Ordinary).unwrap();
    let files = disk.files();
    disk.set_capacity(Some(disk.used() + SMALL.segment_bytes / 2));
    // The next one needs a segment, of which only half would fit.
    let refused = journal.append(&mut batch_of(&[&body]), Use::Ordinary);
    assert!(matches!(refused, Err(AppendError::Full { .. })));
    assert_eq!(disk.files(), files);
}

/// A disk that does not let a segment be removed while this is set.
#[derive(Debug, Clone)]
struct KeepsFiles {
    disk: SimDisk,
    is_on: Arc<AtomicBool>,
}

impl Disk for KeepsFiles {
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.create_directory(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<String>> {
        self.disk.list(directory)
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.disk.create(path)
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        self.disk.open(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let is_kept = path.extension().is_some_and(|extension| extension == "segment");
        if is_kept && self.is_on.load(Ordering::Relaxed) {
            return Err(io::Error::other("it cannot be removed"));
        }
        self.disk.remove(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.rename(from, to)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.sync_directory(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Arc<dyn DiskLock>> {
        self.disk.lock(path)
    }
}

/// Else a number would be left out, and a good journal would look as if a segment were missing.
#[test]
fn a_spare_that_could_not_be_given_up_is_still_used() {
    let disk = KeepsFiles { disk: SimDisk::new(), is_on: Arc::default() };
    let mut journal = open(&disk);
    journal.spares().fill().unwrap();
    append(&mut journal, &[b"a"]);
    journal.spares().fill().unwrap();
    disk.disk.set_capacity(Some(disk.disk.used()));
    disk.is_on.store(true, Ordering::Relaxed);
    let refused = journal.set_recovery_point(journal.next(), &[7; 100]);
    assert!(refused.is_err(), "neither room for the note nor a spare to make some");

    disk.is_on.store(false, Ordering::Relaxed);
    disk.disk.set_capacity(None);
    journal.spares().fill().unwrap();
    let body = vec![7; 12_000];
    for _ in 0..5 {
        append(&mut journal, &[&body]);
    }
    let ids: Vec<_> = journal.segments().iter().map(|info| info.id).collect();
    drop(journal);
    assert!(ids.windows(2).all(|pair| pair[1] == pair[0] + 1), "{ids:?}");
    assert_eq!(contents(&disk).len(), 6);
}

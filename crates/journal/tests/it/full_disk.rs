//! A full disk: a clear error, no data loss, and work that frees space still succeeds.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_journal::{AppendError, Disk, DiskFile, DiskLock, SimDisk, Use};

use crate::{SMALL, append, batch_of, contents, new_journal, open};

#[test]
fn ordinary_work_is_rejected_and_work_that_frees_space_is_not() {
    let (disk, mut journal) = new_journal();
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used()));
    let body = vec![7; 2_000];
    let mut written = 0;
    let error = loop {
        match journal.append(&mut batch_of(&[&body]), Use::Ordinary) {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, AppendError::Full { .. }), "{error}");
    assert!(error.to_string().starts_with("the disk is full: "), "{error}");
    assert!(matches!(journal.reserve(3_000, Use::Ordinary), Err(AppendError::Full { .. })));

    journal.reserve(3_000, Use::FreesSpace).unwrap();
    for _ in 0..5 {
        journal.append(&mut batch_of(&[b"a completion"]), Use::FreesSpace).unwrap();
        written += 1;
    }
    journal.prove().unwrap();

    disk.set_capacity(None);
    let still = journal.append(&mut batch_of(&[&body]), Use::Ordinary);
    assert!(matches!(still, Err(AppendError::Full { .. })), "no attempt is made before spares are filled");
    journal.spares().fill().unwrap();
    append(&mut journal, &[&body]);
    journal.close().unwrap();
    assert_eq!(contents(&disk).len(), written + 1);
}

/// Spares are created on another thread. If that finds the disk full between a reservation and its batch, the
/// reservation must still hold, since the batch records changes that were already made.
#[test]
fn reserved_space_is_available_even_if_the_disk_is_found_full_in_between() {
    for len in [100, 3_000] {
        let (disk, mut journal) = new_journal();
        // Past the first segment, whose end is a reserve itself.
        while journal.segments().len() < 2 {
            append(&mut journal, &[&[7; 2_000]]);
        }
        journal.spares().fill().unwrap();
        journal.reserve(3_500, Use::Ordinary).unwrap();
        disk.set_capacity(Some(disk.used()));
        journal.spares().set_reserve(5);
        journal.spares().fill().unwrap_err();
        journal.append(&mut batch_of(&[&vec![8; len]]), Use::Ordinary).unwrap();
        let next = journal.append(&mut batch_of(&[b"x"]), Use::Ordinary);
        assert!(matches!(next, Err(AppendError::Full { .. })), "a reservation holds for one batch");
    }
}

#[test]
fn ordinary_work_does_not_use_the_reserve_after_it_was_opened_by_other_work() {
    let (disk, mut journal) = new_journal();
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used()));
    let body = vec![7; 2_000];
    while journal.append(&mut batch_of(&[&body]), Use::Ordinary).is_ok() {}
    // The next batch that frees space begins the last segment; a small ordinary batch would fit there, too.
    journal.append(&mut batch_of(&[&body]), Use::FreesSpace).unwrap();
    let rejected = journal.append(&mut batch_of(&[b"x"]), Use::Ordinary);
    assert!(matches!(rejected, Err(AppendError::Full { .. })));
    journal.append(&mut batch_of(&[b"x"]), Use::FreesSpace).unwrap();
}

#[test]
fn a_recovery_point_can_be_set_and_segments_dropped() {
    let (disk, mut journal) = new_journal();
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
        journal.detach_segment(info.id).unwrap().remove().unwrap();
    }
    append(&mut journal, &[&body]);
}

/// Otherwise a complete checkpoint would be wasted for lack of a few bytes, and would have used the space that the next
/// one needs.
#[test]
fn a_recovery_point_can_be_set_on_a_disk_without_a_free_byte() {
    let (disk, mut journal) = new_journal();
    journal.spares().fill().unwrap();
    append(&mut journal, &[b"a"]);
    disk.set_capacity(Some(disk.used()));
    for round in 0..3 {
        while journal.append(&mut batch_of(&[&[7; 2_000]]), Use::FreesSpace).is_ok() {}
        assert_eq!(journal.spares().ready_count(), 0);
        let before = journal.segments();
        journal.set_recovery_point(journal.next(), b"").unwrap();
        if round == 1 {
            drop(journal);
            journal = open(&disk);
        }
        let (_, sealed) = before.split_last().unwrap();
        for info in sealed {
            journal.detach_segment(info.id).unwrap().remove().unwrap();
        }
    }
    append(&mut journal, &[b"b"]);
}

/// The reserve of a journal that was closed is not given to ordinary work when the journal is opened.
#[test]
fn a_required_reserve_is_complete_before_ordinary_work_is_accepted() {
    let (disk, mut journal) = new_journal();
    append(&mut journal, &[b"a"]);
    journal.spares().set_reserve(3);
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used()));
    // One segment of the reserve is used up.
    for _ in 0..2 * SMALL.segment_bytes / 2_100 {
        journal.append(&mut batch_of(&[&[7; 2_000]]), Use::FreesSpace).unwrap();
    }
    drop(journal);

    let mut journal = open(&disk);
    journal.spares().require_reserve(3);
    let rejected = journal.append(&mut batch_of(&[b"b"]), Use::Ordinary);
    assert!(matches!(rejected, Err(AppendError::Full { .. })));
    journal.append(&mut batch_of(&[b"b"]), Use::FreesSpace).unwrap();
    disk.set_capacity(None);
    journal.spares().fill().unwrap();
    append(&mut journal, &[b"c"]);
}

/// The thread that creates segments may be late. Meanwhile the required reserve can grow only by what one segment
/// holds.
#[test]
fn ordinary_work_begins_no_segment_while_the_reserve_is_incomplete() {
    let (disk, mut journal) = new_journal();
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
fn work_that_frees_space_is_rejected_once_the_reserve_is_used_up() {
    let (disk, mut journal) = new_journal();
    journal.spares().fill().unwrap();
    disk.set_capacity(Some(disk.used()));
    let body = vec![7; 2_000];
    let in_a_segment = SMALL.segment_bytes / 2_100;
    let mut written = 0;
    while journal.append(&mut batch_of(&[&body]), Use::Ordinary).is_ok() {
        written += 1;
    }
    assert_eq!(written, in_a_segment, "all spares but the reserve");
    while journal.append(&mut batch_of(&[&body]), Use::FreesSpace).is_ok() {
        written += 1;
    }
    assert_eq!(written, 2 * in_a_segment, "the reserve, too");
    // The journal is full, not poisoned: it works again after space was freed.
    disk.set_capacity(None);
    journal.spares().fill().unwrap();
    append(&mut journal, &[&body]);
    drop(journal);
    assert_eq!(contents(&disk).len(), written + 1);
}

#[test]
fn a_segment_that_could_not_be_created_leaves_no_file_behind() {
    let (disk, journal) = new_journal();
    journal.spares().fill().unwrap();
    drop(journal);
    let mut journal = open(&disk);
    let body = vec![7; 12_000];
    journal.append(&mut batch_of(&[&body]), Use::Ordinary).unwrap();
    let files = disk.files();
    disk.set_capacity(Some(disk.used() + SMALL.segment_bytes / 2));
    // The next batch needs a segment, of which only half would fit.
    let rejected = journal.append(&mut batch_of(&[&body]), Use::Ordinary);
    assert!(matches!(rejected, Err(AppendError::Full { .. })));
    assert_eq!(disk.files(), files);
}

/// A disk on which removing a segment fails while `is_on` is set.
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
            return Err(io::Error::other("simulated failure to remove a file"));
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

/// Otherwise the ids would have a gap, and an intact journal would look as if a segment were missing.
#[test]
fn a_spare_that_could_not_be_discarded_is_still_used() {
    let disk = KeepsFiles { disk: SimDisk::new(), is_on: Arc::default() };
    let mut journal = open(&disk);
    journal.spares().fill().unwrap();
    append(&mut journal, &[b"a"]);
    journal.spares().fill().unwrap();
    disk.disk.set_capacity(Some(disk.disk.used()));
    disk.is_on.store(true, Ordering::Relaxed);
    let set = journal.set_recovery_point(journal.next(), &[7; 100]);
    assert!(set.is_err(), "there is no space for the note, and no spare can be discarded");

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

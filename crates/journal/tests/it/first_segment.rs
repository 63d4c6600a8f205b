//! A journal that is still in its first segment: it allocates no other, and has its reserve nevertheless.

use redrive_journal::{AppendError, Journal, SimDisk, Use};

use crate::{SMALL, append, batch_of, contents, new_journal, open};

const SEGMENT: usize = SMALL.segment_bytes;
/// The length of a body, and the size of a batch with one such record.
const BODY: usize = 932;
const BATCH: usize = 1_000;

fn segments(disk: &SimDisk) -> usize {
    disk.files().iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "segment")).count()
}

/// Appends ordinary batches until one is rejected, and returns how many were accepted.
fn fill_up(journal: &mut Journal) -> usize {
    let mut written = 0;
    loop {
        match journal.append(&mut batch_of(&[&[7; BODY]]), Use::Ordinary) {
            Ok(_) => written += 1,
            Err(error) => {
                assert!(matches!(error, AppendError::Full { .. }), "{error}");
                return written;
            }
        }
    }
}

#[test]
fn a_new_journal_has_one_segment_until_that_is_half_full() {
    let (disk, mut journal) = new_journal();
    for _ in 0..SEGMENT / 2 / BATCH {
        append(&mut journal, &[&[7; BODY]]);
        assert!(!journal.spares().are_wanted());
    }
    assert_eq!(segments(&disk), 1);
    drop(journal);
    let mut journal = open(&disk);
    assert!(!journal.spares().are_wanted(), "not after reopening either");
    append(&mut journal, &[&[7; BODY]]);
    assert!(journal.spares().are_wanted(), "the segment is half full");
    journal.spares().fill().unwrap();
    assert_eq!(segments(&disk), 3, "the active segment, the reserve, and one more spare");
}

/// The thread that creates segments may be late, or find the disk full: the reserve must be left in both cases.
#[test]
fn ordinary_work_leaves_the_reserve_no_matter_when_the_disk_becomes_full() {
    let in_a_segment = SEGMENT / BATCH;
    for is_tried in [true, false] {
        for reserve in [0, SEGMENT / 4, SEGMENT / 3, SEGMENT / 2, SEGMENT] {
            for written in 0..4 * in_a_segment {
                let (disk, mut journal) = new_journal();
                append(&mut journal, &[b"the first"]);
                journal.set_first_reserve(reserve);
                let fill_if_wanted = |journal: &Journal| {
                    if is_tried && journal.spares().are_wanted() {
                        let _is_full = journal.spares().fill();
                    }
                };
                for _ in 0..written {
                    append(&mut journal, &[&[7; BODY]]);
                    fill_if_wanted(&journal);
                }
                disk.set_capacity(Some(disk.used()));
                fill_if_wanted(&journal);
                fill_up(&mut journal);
                // The end of a segment may stay unused, if a batch does not fit into it.
                let left = journal.free_bytes() + BATCH;
                let least = reserve.clamp(SEGMENT / 4, SEGMENT - 2 * BATCH);
                assert!(left >= least, "{left} of {least} after {written} batches: {}", journal.segments().len());
                let frees = (0..).take_while(|_| {
                    let freed = journal.append(&mut batch_of(&[&[8; BODY]]), Use::FreesSpace);
                    freed.is_ok()
                });
                assert!((frees.count() + 1) * BATCH >= least, "after {written} batches");
            }
        }
    }
}

#[test]
fn ordinary_work_stops_in_the_first_segment_without_space_for_a_spare_and_resumes_with_it() {
    let (disk, mut journal) = new_journal();
    append(&mut journal, &[b"the first"]);
    disk.set_capacity(Some(disk.used() + SEGMENT / 2));
    let ordinary = fill_up(&mut journal);
    assert_eq!(ordinary, SEGMENT / 4 * 3 / BATCH, "a quarter is reserved");
    let mut written = 1 + ordinary;
    drop(journal);

    let mut journal = open(&disk);
    assert_eq!(fill_up(&mut journal), 0, "the reserve is kept after reopening, too");
    journal.append(&mut batch_of(&[b"a completion"]), Use::FreesSpace).unwrap();
    written += 1;
    disk.set_capacity(None);
    journal.spares().fill().unwrap();
    for _ in 0..3 * SEGMENT / BATCH {
        append(&mut journal, &[&[7; BODY]]);
        written += 1;
    }
    assert!(journal.segments().len() > 3);
    drop(journal);
    assert_eq!(contents(&disk).len(), written);
}

/// Once the disk proved too full for a spare, ordinary work that would need one later is rejected: half of the segment
/// is left.
#[test]
fn a_spare_that_could_not_be_created_stops_ordinary_work_at_once() {
    let (disk, mut journal) = new_journal();
    while !journal.spares().are_wanted() {
        append(&mut journal, &[&[7; BODY]]);
    }
    disk.set_capacity(Some(disk.used() + SEGMENT - 1));
    journal.spares().fill().unwrap_err();
    assert_eq!(fill_up(&mut journal), 0);
    assert!(journal.free_bytes() >= SEGMENT / 2 - BATCH);
    assert_eq!(segments(&disk), 1, "the incomplete segment was removed");
}

/// A first batch that fills the whole segment leaves no reserve in it, so spares must exist.
#[test]
fn a_first_batch_that_fills_the_segment_requires_spares() {
    let disk = SimDisk::new();
    disk.set_capacity(Some(SEGMENT + 1_000));
    let mut journal = open(&disk);
    let large = [7; SEGMENT - 1_000];
    let rejected = journal.append(&mut batch_of(&[&large]), Use::Ordinary);
    assert!(matches!(rejected, Err(AppendError::Full { .. })));
    disk.set_capacity(None);
    journal.spares().fill().unwrap();
    append(&mut journal, &[&large]);
    assert_eq!(journal.spares().ready_count(), 1, "the reserve exists in addition");
}

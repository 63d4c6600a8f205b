//! The cost of a batch: one write and one sync, regardless of the number of records.

use crate::{append, new_journal, open};

#[test]
fn a_batch_is_one_write_and_one_sync() {
    let (disk, mut journal) = new_journal();
    journal.spares().fill().unwrap();
    append(&mut journal, &[b"the first batch of a segment also carries its header"]);
    for records in [1, 2, 100] {
        let before = disk.writes_and_syncs();
        append(&mut journal, &vec![b"x".as_slice(); records]);
        assert_eq!(disk.writes_and_syncs(), (before.0 + 1, before.1 + 1), "{records} records");
    }
}

#[test]
fn beginning_a_spare_segment_costs_no_extra_write() {
    let (disk, mut journal) = new_journal();
    let body = vec![7; 3_000];
    for _ in 0..40 {
        journal.spares().fill().unwrap();
        let before = disk.writes_and_syncs();
        append(&mut journal, &[&body]);
        assert_eq!(disk.writes_and_syncs(), (before.0 + 1, before.1 + 1));
    }
    assert!(journal.segments().len() > 5, "several segments were written");
}

#[test]
fn an_empty_batch_costs_nothing() {
    let (disk, mut journal) = new_journal();
    let before = disk.writes_and_syncs();
    assert!(append(&mut journal, &[]).locations.is_empty());
    assert_eq!(disk.writes_and_syncs(), before);
}

#[test]
fn a_proof_is_written_once() {
    let (disk, mut journal) = new_journal();
    append(&mut journal, &[b"x"]);
    journal.prove().unwrap();
    let before = disk.writes_and_syncs();
    journal.prove().unwrap();
    journal.close().unwrap();
    assert_eq!(disk.writes_and_syncs(), before);
    let journal = open(&disk);
    let before = disk.writes_and_syncs();
    journal.close().unwrap();
    assert_eq!(disk.writes_and_syncs(), before, "nothing new to prove");
}

//! Reading by location, and walking over segments.

use redrive_journal::ReadError;

use crate::{append, new_journal};

#[test]
fn a_pinned_segment_is_readable_after_it_was_dropped() {
    let (_, mut journal) = new_journal();
    let first = append(&mut journal, &[b"needed"]);
    let pinned = journal.reader().pinned(first.locations.iter().copied()).unwrap();
    // Enough further records that the first segment can be dropped.
    for _ in 0..4 {
        append(&mut journal, &[&[1; 8 * 1024]]);
    }
    journal.set_recovery_point(journal.next(), &[]).unwrap();
    journal.detach_segment(first.locations[0].segment).unwrap().remove().unwrap();

    assert_eq!(pinned.read(first.locations[0]).unwrap().body, &b"needed"[..]);
    assert!(matches!(journal.reader().read(first.locations[0]), Err(ReadError::Dropped { .. })));
    assert!(journal.reader().pinned(first.locations).is_err(), "a dropped segment cannot be pinned");
}

#[test]
fn a_walk_visits_exactly_the_appended_records() {
    let (_, mut journal) = new_journal();
    let appended = append(&mut journal, &[b"one", b"two"]);
    append(&mut journal, &[b"three"]);
    let mut seen = Vec::new();
    let reader = journal.reader();
    reader.walk(appended.locations[0].segment, |record| seen.push((record.seq.0, record.body.to_vec()))).unwrap();
    assert_eq!(seen, [(1, b"one".to_vec()), (2, b"two".to_vec()), (3, b"three".to_vec())]);
    assert!(matches!(reader.walk(99, |_| {}), Err(ReadError::Dropped { segment: 99 })));
}

#[test]
fn a_walk_over_a_damaged_segment_fails() {
    let (disk, mut journal) = new_journal();
    let first = append(&mut journal, &[b"one"]);
    append(&mut journal, &[b"two"]);
    let (path, _) = disk
        .files()
        .into_iter()
        .find(|(path, _)| path.to_string_lossy().ends_with(&format!("{:010}.segment", first.locations[0].segment)))
        .unwrap();
    disk.flip_bit(&path, first.locations[0].offset as usize + 20, 3);
    let walked = journal.reader().walk(first.locations[0].segment, |_| {});
    assert!(matches!(walked, Err(ReadError::Damaged { .. })), "{walked:?}");
}

#[test]
fn a_record_of_a_sparse_read_does_not_retain_the_read_buffer() {
    let (_, mut journal) = new_journal();
    let bodies: Vec<Vec<u8>> = (0..20u8).map(|number| vec![number; 300]).collect();
    let appended = append(&mut journal, &bodies.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let read = |every: usize| {
        let locations: Vec<_> = appended.locations.iter().copied().step_by(every).collect();
        journal.reader().read_many(&locations).unwrap()
    };
    for every in [1, 2, 3, 7] {
        let expected: Vec<&[u8]> = bodies.iter().step_by(every).map(Vec::as_slice).collect();
        assert_eq!(read(every).iter().map(|record| &record.body[..]).collect::<Vec<_>>(), expected, "{every}");
    }
    // Copied bodies are unique; bodies of neighbouring records share one buffer.
    assert!(read(7).into_iter().all(|record| record.body.is_unique()));
    assert!(!read(1)[0].body.is_unique());
}

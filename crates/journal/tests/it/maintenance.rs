//! Recovery points, and dropping the segments before them.

use redrive_journal::{MaintainError, ReadError, Seq};

use crate::{append, contents, new_journal, open};

#[test]
fn reading_begins_at_the_recovery_point() {
    let (disk, mut journal) = new_journal();
    for number in 0..10u8 {
        append(&mut journal, &[&[number]]);
    }
    journal.set_recovery_point(Seq(7), b"state up to 6").unwrap();
    drop(journal);
    assert_eq!(contents(&disk).first(), Some(&(7, vec![6])));
    let journal = open(&disk);
    assert_eq!(journal.recovery_point(), (Seq(7), b"state up to 6".as_slice()));
}

#[test]
fn a_point_can_move_neither_back_nor_beyond_the_end() {
    let (disk, mut journal) = new_journal();
    append(&mut journal, &[b"a", b"b", b"c"]);
    journal.set_recovery_point(Seq(3), b"").unwrap();
    for wrong in [Seq(2), Seq(5)] {
        assert!(matches!(journal.set_recovery_point(wrong, b""), Err(MaintainError::NoSuchRecord(_))));
    }
    journal.set_recovery_point(Seq(4), b"everything").unwrap();
    drop(journal);
    assert!(contents(&disk).is_empty());
}

#[test]
fn only_segments_before_the_point_can_be_dropped() {
    let (disk, mut journal) = new_journal();
    let body = vec![7; 5_000];
    let locations: Vec<_> = (0..12).map(|_| append(&mut journal, &[&body]).locations[0]).collect();
    let segments = journal.segments();
    assert!(segments.len() >= 4);
    let second = segments[1];
    assert!(matches!(journal.detach_segment(second.id), Err(MaintainError::Needed { .. })));
    journal.set_recovery_point(second.end, b"").unwrap();

    // Segments can be dropped in any order.
    let reader = journal.reader();
    journal.detach_segment(second.id).unwrap().remove().unwrap();
    let dropped = locations.iter().find(|location| location.segment == second.id).unwrap();
    assert!(matches!(reader.read(*dropped), Err(ReadError::Dropped { .. })));
    assert_eq!(reader.read(locations[0]).unwrap().body, body, "the older segment is still readable");
    assert!(matches!(journal.detach_segment(second.id), Err(MaintainError::NoSuchSegment(_))));
    let last = segments.last().unwrap();
    assert!(matches!(journal.detach_segment(last.id), Err(MaintainError::Needed { .. })));

    let used = disk.used();
    journal.detach_segment(segments[0].id).unwrap().remove().unwrap();
    assert!(disk.used() < used);
    drop(journal);
    assert_eq!(contents(&disk).first().map(|(seq, _)| *seq), Some(second.end.0));
}

#[test]
fn records_are_returned_in_the_order_of_the_locations() {
    let (_, mut journal) = new_journal();
    let bodies: Vec<Vec<u8>> = (0..60u8).map(|number| vec![number; 37 * usize::from(number)]).collect();
    let mut locations = Vec::new();
    for body in &bodies {
        locations.extend(append(&mut journal, &[body]).locations);
    }
    let reader = journal.reader();
    let forwards: Vec<_> = reader.read_many(&locations).unwrap().into_iter().map(|record| record.body).collect();
    assert_eq!(forwards, bodies);
    locations.reverse();
    let backwards: Vec<_> = reader.read_many(&locations).unwrap().into_iter().rev().map(|record| record.body).collect();
    assert_eq!(backwards, bodies);
    assert!(reader.read_many(&[]).unwrap().is_empty());
}

//! The encoding of the facts of a checkpoint.

use redrive_core::{Ksuid, LetterId, QueueName};
use redrive_model::codec::{
    CorruptRecord, FieldReader, FieldWriter, read_fields, read_item, read_stamp, write_item, write_stamp,
};
use redrive_model::{DocumentEntry, DocumentKind, DocumentRef, Item, LifetimeCounts};

use super::fields::{MALFORMED_LIST, packed_slots, read_ref, small, write_ref, write_slots};
use super::{CheckpointEnd, ItemImage, QueueSnapshot};
use crate::feed::Change;

const UNKNOWN_KIND: CorruptRecord = CorruptRecord::new("it contains a document of an unknown kind");

/// Writes the same as [`Fact::Images`](super::Fact::Images) for these items, without copying them.
pub(super) fn write_images(writer: &mut FieldWriter<'_>, items: &[(u32, &Item)]) {
    for (slot, item) in items {
        writer.message(1, |writer| write_image(writer, *slot, item, item.place, item.docs()));
    }
}

pub(super) fn write_image(
    writer: &mut FieldWriter<'_>,
    slot: u32,
    item: &Item,
    place: DocumentRef,
    docs: impl Iterator<Item = DocumentEntry>,
) {
    writer.u32(1, slot);
    writer.message(2, |writer| write_item(writer, item));
    writer.message(3, |writer| write_ref(writer, place));
    for doc in docs {
        writer.message(4, |writer| {
            writer.u32(1, doc.kind as u32);
            writer.message(2, |writer| write_ref(writer, doc.place));
        });
    }
}

pub(super) fn read_image(mut reader: FieldReader<'_>) -> Result<ItemImage, CorruptRecord> {
    let (mut slot, mut item, mut place, mut docs) = (0, None, None, Vec::new());
    read_fields!(reader, value => {
        1 => slot = value.u32()?,
        2 => item = Some(read_item(value.message()?)?),
        3 => place = Some(read_ref(value.message()?)?),
        4 => docs.push(read_entry(value.message()?)?),
    });
    let (item, place) = item.zip(place).ok_or(CorruptRecord::new("an image has no item"))?;
    Ok(ItemImage { slot, item, place, docs })
}

fn read_entry(mut reader: FieldReader<'_>) -> Result<DocumentEntry, CorruptRecord> {
    let (mut kind, mut place) = (DocumentKind::ALL[0], None);
    read_fields!(reader, value => {
        1 => kind = DocumentKind::of_number(value.uint()?).ok_or(UNKNOWN_KIND)?,
        2 => place = Some(read_ref(value.message()?)?),
    });
    Ok(DocumentEntry { kind, place: place.ok_or(MALFORMED_LIST)? })
}

/// Writes counters as pairs of index and count; zeros are omitted.
fn write_counts(writer: &mut FieldWriter<'_>, counts: &LifetimeCounts) {
    for (field, counts) in [(1, counts.events.as_slice()), (2, counts.ends.as_slice())] {
        let pairs: Vec<u64> = (0..)
            .zip(counts)
            .filter(|(_, count)| **count > 0)
            .flat_map(|(number, count): (u64, _)| [number, *count])
            .collect();
        writer.packed(field, pairs.into_iter());
    }
}

fn read_counts(mut reader: FieldReader<'_>) -> Result<LifetimeCounts, CorruptRecord> {
    let mut counts = LifetimeCounts::default();
    while let Some((number, value)) = reader.field()? {
        let pairs = if matches!(number, 1 | 2) { value.packed()? } else { continue };
        let known = if number == 1 { counts.events.as_mut_slice() } else { counts.ends.as_mut_slice() };
        for pair in pairs.chunks(2) {
            let &[of, count] = pair else { return Err(MALFORMED_LIST) };
            let known = usize::try_from(of).ok().and_then(|of| known.get_mut(of));
            *known.ok_or(CorruptRecord::new("it has an unknown counter"))? = count;
        }
    }
    Ok(counts)
}

pub(super) fn write_snapshot(writer: &mut FieldWriter<'_>, snapshot: &QueueSnapshot) {
    writer.u32(1, snapshot.queue);
    writer.message(2, |writer| write_counts(writer, &snapshot.counts));
    write_slots(writer, 3, &snapshot.placement);
    writer.bytes(4, &snapshot.rotations);
}

pub(super) fn read_snapshot(mut reader: FieldReader<'_>) -> Result<QueueSnapshot, CorruptRecord> {
    let mut snapshot =
        QueueSnapshot { queue: 0, counts: LifetimeCounts::default(), placement: Vec::new(), rotations: Vec::new() };
    read_fields!(reader, value => {
        1 => snapshot.queue = value.u32()?,
        2 => snapshot.counts = read_counts(value.message()?)?,
        3 => snapshot.placement = packed_slots(value)?,
        4 => snapshot.rotations = value.bytes()?.to_vec(),
    });
    Ok(snapshot)
}

pub(super) fn write_end(writer: &mut FieldWriter<'_>, end: &CheckpointEnd) {
    writer.uint(1, end.number);
    writer.message(2, |writer| write_stamp(writer, end.last_stamp));
    writer.u32(3, end.next_queue);
    writer.message(4, |writer| write_counts(writer, &end.past));
    writer.uint(5, end.next_change);
    writer.uint(6, end.items);
}

pub(super) fn read_end(mut reader: FieldReader<'_>) -> Result<CheckpointEnd, CorruptRecord> {
    let mut end = CheckpointEnd::default();
    read_fields!(reader, value => {
        1 => end.number = value.uint()?,
        2 => end.last_stamp = read_stamp(value.message()?)?,
        3 => end.next_queue = value.u32()?,
        4 => end.past = read_counts(value.message()?)?,
        5 => end.next_change = value.uint()?,
        6 => end.items = value.uint()?,
    });
    Ok(end)
}

pub(super) fn write_change(writer: &mut FieldWriter<'_>, number: u64, change: &Change) {
    writer.uint(1, number);
    match change {
        // Counted from 1: 0 means no slot.
        Change::Letter { slot } => writer.uint(2, u64::from(*slot) + 1),
        Change::LetterGone { queue, letter } => {
            writer.text(3, queue.as_str());
            writer.bytes(4, letter.ksuid().as_bytes());
        }
        Change::QueueGone { queue } => writer.text(3, queue.as_str()),
    }
}

pub(super) fn read_change(mut reader: FieldReader<'_>) -> Result<(u64, Change), CorruptRecord> {
    let (mut position, mut slot, mut queue, mut letter) = (0, None, None, None);
    read_fields!(reader, value => {
        1 => position = value.uint()?,
        2 => slot = Some(small(value.uint()?.saturating_sub(1))?),
        3 => queue = QueueName::new(value.text()?).ok(),
        4 => letter = Some(LetterId::new(Ksuid::from_bytes(value.array()?))),
    });
    let change = match (slot, queue, letter) {
        (Some(slot), ..) => Change::Letter { slot },
        (None, Some(queue), Some(letter)) => Change::LetterGone { queue, letter },
        (None, Some(queue), None) => Change::QueueGone { queue },
        (None, None, _) => return Err(CorruptRecord::new("a change is unknown")),
    };
    Ok((position, change))
}

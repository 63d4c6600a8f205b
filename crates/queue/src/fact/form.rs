//! Facts as bytes, and back. The messages are in `proto/store/v1/records.proto`.

use bytes::Bytes;
use redrive_core::{Ksuid, LetterId, QueueName};
use redrive_model::codec::{
    CorruptRecord, FieldReader, FieldValue, FieldWriter, StoreFormat, read_item, read_stamp, write_item, write_stamp,
};
use redrive_model::{
    DocumentEntry, DocumentKind, DocumentRef, EndReason, Event, Item, KeyChange, LifetimeCounts, QueueSettings,
};

use super::{Attach, CheckpointEnd, Fact, ItemImage, LeaseFact, QueueSnapshot};
use crate::feed::Change;

/// The kinds of records. A number is never used again for something else; those below [`kind::FIRST`] were used before the
/// format was fixed.
mod kind {
    pub(super) const FIRST: u8 = 32;
    pub(super) const FORMAT: u8 = 32;
    pub(super) const QUEUE_SET: u8 = 33;
    pub(super) const QUEUE_GONE: u8 = 34;
    pub(super) const ITEM: u8 = 35;
    pub(super) const DOCUMENT: u8 = 36;
    pub(super) const LEASED: u8 = 37;
    pub(super) const EXTENDED: u8 = 38;
    pub(super) const GONE: u8 = 39;
    pub(super) const CLEARED: u8 = 40;
    pub(super) const RECLAIMED: u8 = 41;
    pub(super) const KEYS: u8 = 42;
    pub(super) const CURSOR: u8 = 43;
    pub(super) const RELOCATED: u8 = 44;
    pub(super) const CHECKPOINT_BEGAN: u8 = 45;
    pub(super) const IMAGES: u8 = 46;
    pub(super) const TOMBSTONES: u8 = 47;
    pub(super) const QUEUE_SNAPSHOT: u8 = 48;
    pub(super) const CHECKPOINT_ENDED: u8 = 49;
    pub(super) const CAPTURE_REJECTED: u8 = 50;
}

pub(super) const IMAGES: u8 = kind::IMAGES;

const MALFORMED_LIST: CorruptRecord = CorruptRecord::new("a list does not fit together");

impl Fact {
    pub(crate) const fn kind(&self) -> u8 {
        match self {
            Self::Format(_) => kind::FORMAT,
            Self::QueueSet { .. } => kind::QUEUE_SET,
            Self::QueueGone { .. } => kind::QUEUE_GONE,
            Self::Item { .. } => kind::ITEM,
            Self::Document { .. } => kind::DOCUMENT,
            Self::Leased(_) => kind::LEASED,
            Self::Extended { .. } => kind::EXTENDED,
            Self::Gone { .. } => kind::GONE,
            Self::Cleared { .. } => kind::CLEARED,
            Self::Reclaimed { .. } => kind::RECLAIMED,
            Self::Keys { .. } => kind::KEYS,
            Self::Cursor { .. } => kind::CURSOR,
            Self::Relocated { .. } => kind::RELOCATED,
            Self::CheckpointBegan { .. } => kind::CHECKPOINT_BEGAN,
            Self::Images { .. } => kind::IMAGES,
            Self::Tombstones { .. } => kind::TOMBSTONES,
            Self::QueueSnapshot(_) => kind::QUEUE_SNAPSHOT,
            Self::CheckpointEnded(_) => kind::CHECKPOINT_ENDED,
            Self::CaptureRejected { .. } => kind::CAPTURE_REJECTED,
        }
    }

    pub(crate) fn write(&self, writer: &mut FieldWriter<'_>) {
        match self {
            Self::Format(format) => format.write(writer),
            Self::QueueSet { queue, settings } => {
                writer.u32(1, *queue);
                // Only a map with keys that are not texts cannot be written as JSON, and there is none.
                writer.bytes(2, &serde_json::to_vec(settings).unwrap_or_default());
            }
            Self::QueueGone { queue, change } => {
                writer.u32(1, *queue);
                writer.uint(2, *change);
            }
            Self::Item { event, slot, item, attach } => {
                writer.u32(1, attach.number());
                writer.u32(2, *event as u32);
                writer.u32(3, *slot);
                writer.message(4, |writer| write_item(writer, item));
            }
            Self::Document { slot, attach } => {
                writer.u32(1, attach.number());
                writer.u32(3, *slot);
            }
            Self::Leased(leased) => {
                writer.u32(1, leased.queue);
                writer.u32(2, leased.partition);
                writer.uint(3, leased.assigned);
                writer.u32(4, u32::from(leased.turn));
                writer.time(5, leased.deadline);
                writer.uint(6, leased.change);
                write_slots(writer, 7, &leased.slots);
            }
            Self::Extended { deadlines } => {
                for (slot, deadline) in deadlines {
                    writer.message(1, |writer| {
                        writer.u32(1, *slot);
                        writer.time(2, *deadline);
                    });
                }
            }
            Self::Gone { ending, slots, change } => {
                writer.u32(1, *ending as u32);
                writer.uint(2, *change);
                write_slots(writer, 3, slots);
            }
            Self::Cleared { queue, ready, leased, scheduled, up_to } => {
                writer.u32(1, *queue);
                writer.flag(2, *ready);
                writer.flag(3, *leased);
                writer.flag(4, *scheduled);
                writer.uint(5, *up_to);
            }
            Self::Reclaimed { slots } => write_slots(writer, 1, slots),
            Self::Keys { changes } => {
                for change in changes {
                    writer.message(1, |writer| {
                        writer.bytes(1, &change.key);
                        if let Some(value) = &change.value {
                            writer.present_bytes(2, value);
                        }
                        writer.uint(3, change.version);
                    });
                }
            }
            Self::Cursor { name, position } => {
                writer.text(1, name);
                // Counted from 1: a cursor that is gone has none.
                writer.uint(2, position.map_or(0, |position| position.saturating_add(1)));
            }
            Self::Relocated { slot, old, is_filed } => {
                writer.flag(1, *is_filed);
                writer.u32(2, *slot);
                writer.message(3, |writer| write_ref(writer, *old));
            }
            Self::CheckpointBegan { number, format } => {
                writer.uint(1, *number);
                writer.message(2, |writer| format.write(writer));
            }
            Self::Images { images } => {
                for ItemImage { slot, item, place, docs } in images {
                    writer.message(1, |writer| write_image(writer, *slot, item, *place, docs.iter().copied()));
                }
            }
            Self::Tombstones { entries } => {
                for (number, change) in entries {
                    writer.message(1, |writer| write_change(writer, *number, change));
                }
            }
            Self::QueueSnapshot(snapshot) => write_snapshot(writer, snapshot),
            Self::CheckpointEnded(end) => write_end(writer, end),
            Self::CaptureRejected { queue } => writer.u32(1, *queue),
        }
    }

    pub(crate) fn read(kind: u8, body: &[u8]) -> Result<Self, CorruptRecord> {
        let reader = FieldReader::new(body);
        match kind {
            ..kind::FIRST => Err(CorruptRecord::OldFormat),
            kind::FORMAT => StoreFormat::read(reader).map(Self::Format),
            kind::QUEUE_SET => read_queue_set(reader),
            kind::QUEUE_GONE => {
                let [queue, change] = numbers(reader)?;
                Ok(Self::QueueGone { queue: small(queue)?, change })
            }
            kind::ITEM => read_item_fact(reader),
            kind::DOCUMENT => {
                let [attach, _, slot] = numbers(reader)?;
                Ok(Self::Document { slot: small(slot)?, attach: Attach::of(attach)? })
            }
            kind::LEASED => read_leased(reader).map(Self::Leased),
            kind::EXTENDED => Ok(Self::Extended { deadlines: repeated(reader, read_extension)? }),
            kind::GONE => read_gone(reader),
            kind::CLEARED => {
                let [queue, ready, leased, scheduled, up_to] = numbers(reader)?;
                let (ready, leased, scheduled) = (ready != 0, leased != 0, scheduled != 0);
                Ok(Self::Cleared { queue: small(queue)?, ready, leased, scheduled, up_to })
            }
            kind::RECLAIMED => Ok(Self::Reclaimed { slots: slots(reader, 1)? }),
            kind::KEYS => Ok(Self::Keys { changes: repeated(reader, read_key_change)? }),
            kind::CURSOR => read_cursor(reader),
            kind::RELOCATED => read_relocated(reader),
            kind::CHECKPOINT_BEGAN => read_checkpoint_began(reader),
            kind::IMAGES => Ok(Self::Images { images: repeated(reader, read_image)? }),
            kind::TOMBSTONES => Ok(Self::Tombstones { entries: repeated(reader, read_change)? }),
            kind::QUEUE_SNAPSHOT => read_snapshot(reader).map(|snapshot| Self::QueueSnapshot(Box::new(snapshot))),
            kind::CHECKPOINT_ENDED => read_end(reader).map(|end| Self::CheckpointEnded(Box::new(end))),
            kind::CAPTURE_REJECTED => {
                let [queue] = numbers(reader)?;
                Ok(Self::CaptureRejected { queue: small(queue)? })
            }
            _ => Err(CorruptRecord::new("its kind is unknown: it was written by a newer version")),
        }
    }
}

/// Whether a letter's header stands before the content in a record, given its fact.
pub(super) fn is_filed(kind: u8, fact: &[u8]) -> bool {
    // Field 1 comes first in both, and says so.
    let first = FieldReader::new(fact).field().ok().flatten();
    let Some((1, value)) = first else { return false };
    let number = value.uint().unwrap_or(0);
    kind == kind::RELOCATED && number != 0 || kind == kind::ITEM && number == u64::from(FILED)
}

const FILED: u32 = 3;
const OTHER: u32 = 16;

impl Attach {
    const fn number(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Content => 1,
            Self::Edited => 2,
            Self::Filed => FILED,
            Self::Other(kind) => OTHER + kind as u32,
        }
    }

    fn of(number: u64) -> Result<Self, CorruptRecord> {
        match u32::try_from(number).unwrap_or(u32::MAX) {
            0 => Ok(Self::Nothing),
            1 => Ok(Self::Content),
            2 => Ok(Self::Edited),
            FILED => Ok(Self::Filed),
            number => {
                let kind = number.checked_sub(OTHER).and_then(|at| DocumentKind::ALL.get(at as usize));
                kind.copied().map(Self::Other).ok_or(CorruptRecord::new("it holds a document of an unknown kind"))
            }
        }
    }
}

/// The numbers of the fields from 1 on; 0 for those that are missing.
fn numbers<const N: usize>(mut reader: FieldReader<'_>) -> Result<[u64; N], CorruptRecord> {
    let mut numbers = [0; N];
    while let Some((field, value)) = reader.field()? {
        let number = (field as usize).checked_sub(1).and_then(|at| numbers.get_mut(at));
        if let Some(number) = number {
            *number = value.uint()?;
        }
    }
    Ok(numbers)
}

fn small(number: u64) -> Result<u32, CorruptRecord> {
    u32::try_from(number).map_err(|_| CorruptRecord::new("a number is too large"))
}

/// The messages of field 1, in their order.
fn repeated<'b, T>(
    mut reader: FieldReader<'b>,
    mut read: impl FnMut(FieldReader<'b>) -> Result<T, CorruptRecord>,
) -> Result<Vec<T>, CorruptRecord> {
    let mut all = Vec::new();
    while let Some((number, value)) = reader.field()? {
        if number == 1 {
            all.push(read(value.message()?)?);
        }
    }
    Ok(all)
}

fn write_slots(writer: &mut FieldWriter<'_>, field: u32, slots: &[u32]) {
    writer.packed(field, slots.iter().map(|slot| u64::from(*slot)));
}

fn packed_slots(value: FieldValue<'_>) -> Result<Vec<u32>, CorruptRecord> {
    value.packed()?.into_iter().map(small).collect()
}

/// The slots in a field.
fn slots(mut reader: FieldReader<'_>, field: u32) -> Result<Vec<u32>, CorruptRecord> {
    let mut slots = Vec::new();
    while let Some((number, value)) = reader.field()? {
        if number == field {
            slots = packed_slots(value)?;
        }
    }
    Ok(slots)
}

fn read_queue_set(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut queue, mut settings) = (0, None);
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => queue = value.u32()?,
            2 => settings = serde_json::from_slice::<QueueSettings>(value.bytes()?).ok(),
            _ => {}
        }
    }
    let settings = settings.ok_or(CorruptRecord::new("the settings of a queue are unknown"))?;
    Ok(Fact::QueueSet { queue, settings: Box::new(settings) })
}

fn read_item_fact(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut event, mut slot, mut attach, mut item) = (Event::ALL[0], 0, Attach::Nothing, None);
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => attach = Attach::of(value.uint()?)?,
            2 => event = value.member(&Event::ALL)?,
            3 => slot = value.u32()?,
            4 => item = Some(read_item(value.message()?)?),
            _ => {}
        }
    }
    let item = item.ok_or(CorruptRecord::new("it is about an item and has none"))?;
    Ok(Fact::Item { event, slot, item, attach })
}

fn read_leased(mut reader: FieldReader<'_>) -> Result<LeaseFact, CorruptRecord> {
    let mut leased = LeaseFact {
        queue: 0,
        partition: 0,
        assigned: 0,
        turn: 0,
        deadline: redrive_core::Time::MAX,
        slots: Vec::new(),
        change: 0,
    };
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => leased.queue = value.u32()?,
            2 => leased.partition = value.u32()?,
            3 => leased.assigned = value.uint()?,
            4 => leased.turn = u8::try_from(value.uint()?).map_err(|_| CorruptRecord::new("a number is too large"))?,
            5 => leased.deadline = value.time()?,
            6 => leased.change = value.uint()?,
            7 => leased.slots = packed_slots(value)?,
            _ => {}
        }
    }
    Ok(leased)
}

fn read_extension(mut reader: FieldReader<'_>) -> Result<(u32, redrive_core::Time), CorruptRecord> {
    let (mut slot, mut deadline) = (0, redrive_core::Time::MAX);
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => slot = value.u32()?,
            2 => deadline = value.time()?,
            _ => {}
        }
    }
    Ok((slot, deadline))
}

fn read_gone(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut ending, mut change, mut slots) = (EndReason::ALL[0], 0, Vec::new());
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => ending = value.member(&EndReason::ALL)?,
            2 => change = value.uint()?,
            3 => slots = packed_slots(value)?,
            _ => {}
        }
    }
    Ok(Fact::Gone { ending, slots, change })
}

fn read_key_change(mut reader: FieldReader<'_>) -> Result<KeyChange, CorruptRecord> {
    let mut change = KeyChange { key: Box::default(), value: None, version: 0 };
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => change.key = value.bytes()?.into(),
            2 => change.value = Some(Bytes::copy_from_slice(value.bytes()?)),
            3 => change.version = value.uint()?,
            _ => {}
        }
    }
    Ok(change)
}

fn read_cursor(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut name, mut position) = (String::new(), None);
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => name = value.text()?.to_owned(),
            2 => position = value.uint()?.checked_sub(1),
            _ => {}
        }
    }
    Ok(Fact::Cursor { name, position })
}

fn read_relocated(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut slot, mut old, mut is_filed) = (0, None, false);
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => is_filed = value.flag()?,
            2 => slot = value.u32()?,
            3 => old = Some(read_ref(value.message()?)?),
            _ => {}
        }
    }
    Ok(Fact::Relocated { slot, old: old.ok_or(MALFORMED_LIST)?, is_filed })
}

fn read_checkpoint_began(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut number_of, mut format) = (0, None);
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => number_of = value.uint()?,
            2 => format = Some(StoreFormat::read(value.message()?)?),
            _ => {}
        }
    }
    let format = format.ok_or(CorruptRecord::new("a checkpoint has no format"))?;
    Ok(Fact::CheckpointBegan { number: number_of, format })
}

fn write_ref(writer: &mut FieldWriter<'_>, place: DocumentRef) {
    writer.u32(1, place.shelf);
    writer.u32(2, place.offset);
    writer.u32(3, place.len);
}

fn read_ref(reader: FieldReader<'_>) -> Result<DocumentRef, CorruptRecord> {
    let [shelf, offset, len] = numbers(reader)?;
    Ok(DocumentRef { shelf: small(shelf)?, offset: small(offset)?, len: small(len)? })
}

/// The same as [`Fact::Images`] of these items.
pub(super) fn write_images(writer: &mut FieldWriter<'_>, items: &[(u32, &Item)]) {
    for (slot, item) in items {
        writer.message(1, |writer| write_image(writer, *slot, item, item.place, item.docs()));
    }
}

fn write_image(
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

fn read_image(mut reader: FieldReader<'_>) -> Result<ItemImage, CorruptRecord> {
    let (mut slot, mut item, mut place, mut docs) = (0, None, None, Vec::new());
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => slot = value.u32()?,
            2 => item = Some(read_item(value.message()?)?),
            3 => place = Some(read_ref(value.message()?)?),
            4 => docs.push(read_entry(value.message()?)?),
            _ => {}
        }
    }
    let (item, place) = item.zip(place).ok_or(CorruptRecord::new("an image has no item"))?;
    Ok(ItemImage { slot, item, place, docs })
}

fn read_entry(mut reader: FieldReader<'_>) -> Result<DocumentEntry, CorruptRecord> {
    let (mut kind, mut place) = (DocumentKind::ALL[0], None);
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => kind = value.member(&DocumentKind::ALL)?,
            2 => place = Some(read_ref(value.message()?)?),
            _ => {}
        }
    }
    Ok(DocumentEntry { kind, place: place.ok_or(MALFORMED_LIST)? })
}

/// Counters as pairs of their number and how many: those that are zero are left out.
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
            *known.ok_or(CorruptRecord::new("it counts what is unknown"))? = count;
        }
    }
    Ok(counts)
}

fn write_snapshot(writer: &mut FieldWriter<'_>, snapshot: &QueueSnapshot) {
    writer.u32(1, snapshot.queue);
    writer.message(2, |writer| write_counts(writer, &snapshot.tally));
    write_slots(writer, 3, &snapshot.placement);
    writer.bytes(4, &snapshot.turns);
}

fn read_snapshot(mut reader: FieldReader<'_>) -> Result<QueueSnapshot, CorruptRecord> {
    let mut snapshot =
        QueueSnapshot { queue: 0, tally: LifetimeCounts::default(), placement: Vec::new(), turns: Vec::new() };
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => snapshot.queue = value.u32()?,
            2 => snapshot.tally = read_counts(value.message()?)?,
            3 => snapshot.placement = packed_slots(value)?,
            4 => snapshot.turns = value.bytes()?.to_vec(),
            _ => {}
        }
    }
    Ok(snapshot)
}

fn write_end(writer: &mut FieldWriter<'_>, end: &CheckpointEnd) {
    writer.uint(1, end.number);
    writer.message(2, |writer| write_stamp(writer, end.last_stamp));
    writer.u32(3, end.next_queue);
    writer.message(4, |writer| write_counts(writer, &end.past));
    writer.uint(5, end.next_change);
    writer.uint(6, end.items);
}

fn read_end(mut reader: FieldReader<'_>) -> Result<CheckpointEnd, CorruptRecord> {
    let mut end = CheckpointEnd::default();
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => end.number = value.uint()?,
            2 => end.last_stamp = read_stamp(value.message()?)?,
            3 => end.next_queue = value.u32()?,
            4 => end.past = read_counts(value.message()?)?,
            5 => end.next_change = value.uint()?,
            6 => end.items = value.uint()?,
            _ => {}
        }
    }
    Ok(end)
}

fn write_change(writer: &mut FieldWriter<'_>, number: u64, change: &Change) {
    writer.uint(1, number);
    match change {
        // Counted from 1: another change has no slot.
        Change::Letter { slot } => writer.uint(2, u64::from(*slot) + 1),
        Change::LetterGone { queue, letter } => {
            writer.text(3, queue.as_str());
            writer.bytes(4, letter.ksuid().as_bytes());
        }
        Change::QueueGone { queue } => writer.text(3, queue.as_str()),
    }
}

fn read_change(mut reader: FieldReader<'_>) -> Result<(u64, Change), CorruptRecord> {
    let (mut position, mut slot, mut queue, mut letter) = (0, None, None, None);
    while let Some((number, value)) = reader.field()? {
        match number {
            1 => position = value.uint()?,
            2 => slot = Some(small(value.uint()?.saturating_sub(1))?),
            3 => queue = QueueName::new(value.text()?).ok(),
            4 => letter = Some(LetterId::new(Ksuid::from_bytes(value.array()?))),
            _ => {}
        }
    }
    let change = match (slot, queue, letter) {
        (Some(slot), ..) => Change::Letter { slot },
        (None, Some(queue), Some(letter)) => Change::LetterGone { queue, letter },
        (None, Some(queue), None) => Change::QueueGone { queue },
        (None, None, _) => return Err(CorruptRecord::new("a change is unknown")),
    };
    Ok((position, change))
}

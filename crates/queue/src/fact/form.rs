//! Facts as bytes, and back. The layout is in `docs/store-format.md`; a new layout of a fact gets a new kind.

use redrive_core::{Category, DeathReason, Fingerprint, Ksuid, LetterId, Priority, QueueName};
use redrive_model::{
    CorruptRecord, DocumentEntry, DocumentKind, DocumentList, DocumentRef, EndReason, Event, FailureSummary, Item,
    ItemExtension, KeyChange, Letter, LifetimeCounts, Phase, RareFields, RecordReader, RecordWriter, Stamp,
};

use super::{Attach, CheckpointEnd, Fact, ItemImage, LeaseFact, QueueSnapshot};
use crate::feed::Change;

/// The kinds of records. A number is never used again for something else.
mod kind {
    pub(super) const QUEUE_SET: u8 = 1;
    pub(super) const QUEUE_GONE: u8 = 2;
    pub(super) const ITEM: u8 = 3;
    pub(super) const LEASED: u8 = 4;
    pub(super) const EXTENDED: u8 = 5;
    pub(super) const GONE: u8 = 6;
    pub(super) const CLEARED: u8 = 7;
    pub(super) const RECLAIMED: u8 = 8;
    pub(super) const KEYS: u8 = 9;
    pub(super) const CURSOR: u8 = 10;
    pub(super) const RELOCATED: u8 = 11;
    pub(super) const SWEEP_BEGAN: u8 = 12;
    pub(super) const IMAGES: u8 = 13;
    pub(super) const QUEUE_TOTALS: u8 = 14;
    pub(super) const SWEEP_ENDED: u8 = 15;
    pub(super) const TOMBSTONES: u8 = 16;
    pub(super) const CAPTURE_REFUSED: u8 = 17;
    pub(super) const RELOCATED_FILED: u8 = 18;
    pub(super) const IMAGES_FILED: u8 = 19;
    pub(super) const DOCUMENT: u8 = 20;
}

impl Fact {
    pub(crate) fn kind(&self) -> u8 {
        match self {
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
            Self::Relocated { is_filed: false, .. } => kind::RELOCATED,
            Self::Relocated { is_filed: true, .. } => kind::RELOCATED_FILED,
            Self::CheckpointBegan { .. } => kind::SWEEP_BEGAN,
            Self::Images { images } => images_kind(images.iter().map(|image| &image.item)),
            Self::Tombstones { .. } => kind::TOMBSTONES,
            Self::QueueSnapshot(_) => kind::QUEUE_TOTALS,
            Self::CheckpointEnded(_) => kind::SWEEP_ENDED,
            Self::CaptureRejected { .. } => kind::CAPTURE_REFUSED,
        }
    }

    pub(crate) fn write(&self, writer: &mut RecordWriter<'_>) {
        match self {
            Self::QueueSet { queue, settings } => {
                writer.u32(*queue);
                // Only a map with keys that are not texts cannot be written as JSON, and there is none.
                writer.bytes(&serde_json::to_vec(settings).unwrap_or_default());
            }
            Self::QueueGone { queue, change } => {
                writer.u32(*queue);
                writer.u64(*change);
            }
            Self::Document { slot, attach } => {
                writer.u8(attach.byte());
                writer.u32(*slot);
            }
            Self::Item { event, slot, item, attach } => {
                writer.u8(*event as u8);
                writer.u8(attach.byte());
                writer.u32(*slot);
                write_item(writer, item);
            }
            Self::Leased(leased) => {
                writer.u32(leased.queue);
                writer.u32(leased.partition);
                writer.u64(leased.assigned);
                writer.u8(leased.turn);
                writer.time(leased.deadline);
                writer.u64(leased.change);
                write_slots(writer, &leased.slots);
            }
            Self::Extended { deadlines } => {
                writer.u64(deadlines.len() as u64);
                for (slot, deadline) in deadlines {
                    writer.u32(*slot);
                    writer.time(*deadline);
                }
            }
            Self::Gone { ending, slots, change } => {
                writer.u8(*ending as u8);
                writer.u64(*change);
                write_slots(writer, slots);
            }
            Self::Cleared { queue, ready, leased, scheduled, up_to } => {
                writer.u32(*queue);
                writer.flag(*ready);
                writer.flag(*leased);
                writer.flag(*scheduled);
                writer.u64(*up_to);
            }
            Self::Reclaimed { slots } => write_slots(writer, slots),
            Self::Keys { changes } => {
                writer.u64(changes.len() as u64);
                for change in changes {
                    writer.bytes(&change.key);
                    writer.maybe(change.value.as_ref(), |writer, value| writer.bytes(value));
                    writer.u64(change.version);
                }
            }
            Self::Cursor { name, position } => {
                writer.text(name);
                writer.maybe(*position, RecordWriter::u64);
            }
            Self::Relocated { slot, old, is_filed: _ } => {
                writer.u32(*slot);
                write_place(writer, *old);
            }
            Self::CheckpointBegan { number } => writer.u64(*number),
            Self::Images { images } => {
                writer.u64(images.len() as u64);
                for ItemImage { slot, item, place, docs } in images {
                    write_image(writer, *slot, item, *place, docs.iter().copied());
                }
            }
            Self::Tombstones { entries } => {
                writer.u64(entries.len() as u64);
                for (number, change) in entries {
                    writer.u64(*number);
                    write_change(writer, change);
                }
            }
            Self::QueueSnapshot(totals) => write_totals(writer, totals),
            Self::CheckpointEnded(end) => write_end(writer, end),
            Self::CaptureRejected { queue } => writer.u32(*queue),
        }
    }

    pub(crate) fn read(kind: u8, body: &[u8]) -> Result<Self, CorruptRecord> {
        let mut reader = RecordReader::new(body);
        let fact = Self::read_fields(kind, &mut reader)?;
        if reader.is_empty() { Ok(fact) } else { Err(CorruptRecord("it is longer than it should be")) }
    }

    fn read_fields(kind: u8, reader: &mut RecordReader<'_>) -> Result<Self, CorruptRecord> {
        Ok(match kind {
            kind::QUEUE_SET => Self::QueueSet {
                queue: reader.u32()?,
                settings: serde_json::from_slice(reader.bytes()?)
                    .map_err(|_| CorruptRecord("the settings of a queue are unknown"))?,
            },
            kind::QUEUE_GONE => Self::QueueGone { queue: reader.u32()?, change: reader.u64()? },
            kind::ITEM => {
                let event = reader.member(&Event::ALL)?;
                let attach = Attach::of(reader.u8()?)?;
                Self::Item { event, attach, slot: reader.u32()?, item: read_item(reader)? }
            }
            kind::DOCUMENT => {
                let attach = Attach::of(reader.u8()?)?;
                Self::Document { attach, slot: reader.u32()? }
            }
            kind::LEASED => Self::Leased(LeaseFact {
                queue: reader.u32()?,
                partition: reader.u32()?,
                assigned: reader.u64()?,
                turn: reader.u8()?,
                deadline: reader.time()?,
                change: reader.u64()?,
                slots: read_slots(reader)?,
            }),
            kind::EXTENDED => {
                Self::Extended { deadlines: read_list(reader, |reader| Ok((reader.u32()?, reader.time()?)))? }
            }
            kind::GONE => Self::Gone {
                ending: reader.member(&EndReason::ALL)?,
                change: reader.u64()?,
                slots: read_slots(reader)?,
            },
            kind::CLEARED => Self::Cleared {
                queue: reader.u32()?,
                ready: reader.flag()?,
                leased: reader.flag()?,
                scheduled: reader.flag()?,
                up_to: reader.u64()?,
            },
            kind::RECLAIMED => Self::Reclaimed { slots: read_slots(reader)? },
            kind::KEYS => Self::Keys { changes: read_list(reader, read_key_change)? },
            kind::CURSOR => {
                Self::Cursor { name: reader.text()?.to_owned(), position: reader.maybe(RecordReader::u64)? }
            }
            kind::RELOCATED | kind::RELOCATED_FILED => {
                let is_filed = kind == kind::RELOCATED_FILED;
                Self::Relocated { slot: reader.u32()?, old: read_place(reader)?, is_filed }
            }
            kind::SWEEP_BEGAN => Self::CheckpointBegan { number: reader.u64()? },
            kind::IMAGES | kind::IMAGES_FILED => Self::Images { images: read_list(reader, read_image)? },
            kind::TOMBSTONES => {
                Self::Tombstones { entries: read_list(reader, |reader| Ok((reader.u64()?, read_change(reader)?)))? }
            }
            kind::QUEUE_TOTALS => Self::QueueSnapshot(Box::new(read_totals(reader)?)),
            kind::SWEEP_ENDED => Self::CheckpointEnded(Box::new(read_end(reader)?)),
            kind::CAPTURE_REFUSED => Self::CaptureRejected { queue: reader.u32()? },
            _ => return Err(CorruptRecord("its kind is unknown: it was written by a newer version")),
        })
    }
}

/// What says in a record that papers stand before the content.
const FILED: u8 = 3;

/// Whether papers stand before the content in a record, given its fact.
pub(super) fn is_filed(kind: u8, fact: &[u8]) -> bool {
    // Behind the reason comes what the document is.
    kind == kind::RELOCATED_FILED || kind == kind::ITEM && fact.get(1) == Some(&FILED)
}

impl Attach {
    fn byte(self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Content => 1,
            Self::Edited => 2,
            Self::Filed => FILED,
            Self::Other(kind) => 16 + kind as u8,
        }
    }

    fn of(byte: u8) -> Result<Self, CorruptRecord> {
        let unknown = CorruptRecord("it holds a document of an unknown kind");
        match byte {
            0 => Ok(Self::Nothing),
            1 => Ok(Self::Content),
            2 => Ok(Self::Edited),
            FILED => Ok(Self::Filed),
            _ => {
                let kind = byte.checked_sub(16).and_then(|at| DocumentKind::ALL.get(usize::from(at)));
                kind.copied().map(Self::Other).ok_or(unknown)
            }
        }
    }
}

/// Of a list's claimed length, so much memory is believed in advance.
const BELIEVED_MAX: u64 = 4096;

fn read_list<'b, T>(
    reader: &mut RecordReader<'b>,
    mut read: impl FnMut(&mut RecordReader<'b>) -> Result<T, CorruptRecord>,
) -> Result<Vec<T>, CorruptRecord> {
    let len = reader.u64()?;
    let mut list = Vec::with_capacity(usize::try_from(len.min(BELIEVED_MAX)).unwrap_or(0));
    for _ in 0..len {
        list.push(read(reader)?);
    }
    Ok(list)
}

fn write_slots(writer: &mut RecordWriter<'_>, slots: &[u32]) {
    writer.u64(slots.len() as u64);
    for slot in slots {
        writer.u32(*slot);
    }
}

fn read_slots(reader: &mut RecordReader<'_>) -> Result<Vec<u32>, CorruptRecord> {
    read_list(reader, RecordReader::u32)
}

fn write_place(writer: &mut RecordWriter<'_>, place: DocumentRef) {
    writer.u32(place.shelf);
    writer.u32(place.offset);
    writer.u32(place.len);
}

fn read_place(reader: &mut RecordReader<'_>) -> Result<DocumentRef, CorruptRecord> {
    Ok(DocumentRef { shelf: reader.u32()?, offset: reader.u32()?, len: reader.u32()? })
}

fn write_stamp(writer: &mut RecordWriter<'_>, stamp: Stamp) {
    writer.exactly(&stamp.secs.to_le_bytes());
    writer.u64(stamp.serial);
    writer.exactly(&stamp.random.to_le_bytes());
}

fn read_stamp(reader: &mut RecordReader<'_>) -> Result<Stamp, CorruptRecord> {
    Ok(Stamp {
        secs: u32::from_le_bytes(reader.array()?),
        serial: reader.u64()?,
        random: u32::from_le_bytes(reader.array()?),
    })
}

/// An item without the places of its documents.
fn write_item(writer: &mut RecordWriter<'_>, item: &Item) {
    write_stamp(writer, item.stamp);
    writer.u32(item.queue);
    writer.u32(item.partition);
    writer.u8(item.phase as u8);
    writer.u8(item.priority as u8);
    writer.flag(item.is_hand_over_only);
    writer.u32(item.attempts);
    writer.u32(item.deliveries);
    writer.u32(item.max_attempts);
    writer.time(item.created_at);
    writer.time(item.expires_at);
    writer.time(item.at);
    writer.maybe(item.source_id.as_deref(), RecordWriter::text);
    writer.maybe(item.letter(), |writer, letter| {
        letter.write(writer);
        writer.u64(item.waits_for().len() as u64);
        for id in item.waits_for() {
            writer.exactly(id.ksuid().as_bytes());
        }
    });
    let RareFields { failed, death, first, .. } = item.rare();
    writer.maybe(failed.as_ref(), |writer, failed| {
        writer.u8(failed.category as u8);
        writer.exactly(failed.fingerprint.as_bytes());
        writer.time(failed.first_at);
        writer.time(failed.last_at);
    });
    writer.maybe(*death, |writer, death| writer.u8(death as u8));
    writer.maybe(*first, write_stamp);
}

fn read_item(reader: &mut RecordReader<'_>) -> Result<Item, CorruptRecord> {
    Ok(Item {
        stamp: read_stamp(reader)?,
        queue: reader.u32()?,
        partition: reader.u32()?,
        phase: reader.member(&Phase::ALL)?,
        priority: reader.member(Priority::ALL)?,
        is_hand_over_only: reader.flag()?,
        attempts: reader.u32()?,
        deliveries: reader.u32()?,
        max_attempts: reader.u32()?,
        created_at: reader.time()?,
        expires_at: reader.time()?,
        at: reader.time()?,
        source_id: reader.maybe(RecordReader::text)?.map(Box::from),
        extra: read_extra(reader)?,
        place: DocumentRef::NONE,
        is_filed: false,
    })
}

fn read_extra(reader: &mut RecordReader<'_>) -> Result<Option<Box<ItemExtension>>, CorruptRecord> {
    let (letter, waits_for) = reader.maybe(|reader| Ok((Letter::read(reader)?, read_ids(reader)?)))?.unzip();
    let failed = reader.maybe(|reader| {
        Ok(FailureSummary {
            category: reader.member(Category::ALL)?,
            fingerprint: Fingerprint::from_bytes(reader.array()?),
            first_at: reader.time()?,
            last_at: reader.time()?,
        })
    })?;
    let death = reader.maybe(|reader| reader.member(DeathReason::ALL))?;
    let first = reader.maybe(read_stamp)?;
    let rare = RareFields { failed, death, first, waits_for: waits_for.unwrap_or_default() };
    let rare = (rare != RareFields::default()).then(|| Box::new(rare));
    let is_plain = letter.is_none() && rare.is_none();
    Ok((!is_plain).then(|| Box::new(ItemExtension { letter, rare, docs: DocumentList::default() })))
}

fn read_ids(reader: &mut RecordReader<'_>) -> Result<Vec<LetterId>, CorruptRecord> {
    let count = reader.u64()?;
    (0..count).map(|_| Ok(LetterId::new(Ksuid::from_bytes(reader.array()?)))).collect()
}

/// Whoever does not know of papers would take them for a content.
pub(super) fn images_kind<'i>(mut items: impl Iterator<Item = &'i Item>) -> u8 {
    if items.any(|item| item.is_filed) { kind::IMAGES_FILED } else { kind::IMAGES }
}

/// The same as [`Fact::Images`] of these items.
pub(super) fn write_images(writer: &mut RecordWriter<'_>, items: &[(u32, &Item)]) {
    writer.u64(items.len() as u64);
    for (slot, item) in items {
        write_image(writer, *slot, item, item.place, item.docs());
    }
}

fn write_image(
    writer: &mut RecordWriter<'_>,
    slot: u32,
    item: &Item,
    place: DocumentRef,
    docs: impl Iterator<Item = DocumentEntry> + Clone,
) {
    writer.u32(slot);
    write_item(writer, item);
    write_place(writer, place);
    writer.u64(docs.clone().count() as u64);
    for doc in docs {
        writer.u8(doc.kind as u8);
        write_place(writer, doc.place);
    }
}

fn read_image(reader: &mut RecordReader<'_>) -> Result<ItemImage, CorruptRecord> {
    Ok(ItemImage {
        slot: reader.u32()?,
        item: read_item(reader)?,
        place: read_place(reader)?,
        docs: read_list(reader, |reader| {
            Ok(DocumentEntry { kind: reader.member(&DocumentKind::ALL)?, place: read_place(reader)? })
        })?,
    })
}

fn read_key_change(reader: &mut RecordReader<'_>) -> Result<KeyChange, CorruptRecord> {
    Ok(KeyChange {
        key: reader.bytes()?.into(),
        value: reader.maybe(RecordReader::bytes)?.map(bytes::Bytes::copy_from_slice),
        version: reader.u64()?,
    })
}

fn write_tally(writer: &mut RecordWriter<'_>, tally: &LifetimeCounts) {
    for counts in [&tally.whys[..], &tally.endings[..]] {
        writer.u64(counts.len() as u64);
        for count in counts {
            writer.u64(*count);
        }
    }
}

/// A tally of an older version may know fewer counts; they are zero.
fn read_tally(reader: &mut RecordReader<'_>) -> Result<LifetimeCounts, CorruptRecord> {
    let mut tally = LifetimeCounts::default();
    for counts in [&mut tally.whys[..], &mut tally.endings[..]] {
        let read = read_list(reader, RecordReader::u64)?;
        let known = counts.get_mut(..read.len()).ok_or(CorruptRecord("it counts what is unknown"))?;
        known.copy_from_slice(&read);
    }
    Ok(tally)
}

fn write_totals(writer: &mut RecordWriter<'_>, totals: &QueueSnapshot) {
    writer.u32(totals.queue);
    write_tally(writer, &totals.tally);
    write_slots(writer, &totals.placement);
    writer.bytes(&totals.turns);
}

fn read_totals(reader: &mut RecordReader<'_>) -> Result<QueueSnapshot, CorruptRecord> {
    Ok(QueueSnapshot {
        queue: reader.u32()?,
        tally: read_tally(reader)?,
        placement: read_slots(reader)?,
        turns: reader.bytes()?.to_vec(),
    })
}

fn write_end(writer: &mut RecordWriter<'_>, end: &CheckpointEnd) {
    writer.u64(end.number);
    write_stamp(writer, end.last_stamp);
    writer.u32(end.next_queue);
    write_tally(writer, &end.past);
    writer.u64(end.next_change);
    writer.u64(end.items);
}

fn read_end(reader: &mut RecordReader<'_>) -> Result<CheckpointEnd, CorruptRecord> {
    Ok(CheckpointEnd {
        number: reader.u64()?,
        last_stamp: read_stamp(reader)?,
        next_queue: reader.u32()?,
        past: read_tally(reader)?,
        next_change: reader.u64()?,
        items: reader.u64()?,
    })
}

fn write_change(writer: &mut RecordWriter<'_>, change: &Change) {
    match change {
        Change::Letter { slot } => {
            writer.u8(0);
            writer.u32(*slot);
        }
        Change::LetterGone { queue, letter } => {
            writer.u8(1);
            writer.text(queue.as_str());
            writer.exactly(letter.ksuid().as_bytes());
        }
        Change::QueueGone { queue } => {
            writer.u8(2);
            writer.text(queue.as_str());
        }
    }
}

fn read_change(reader: &mut RecordReader<'_>) -> Result<Change, CorruptRecord> {
    let name = |reader: &mut RecordReader<'_>| {
        QueueName::new(reader.text()?).map_err(|_| CorruptRecord("a name is no queue's"))
    };
    Ok(match reader.u8()? {
        0 => Change::Letter { slot: reader.u32()? },
        1 => Change::LetterGone { queue: name(reader)?, letter: LetterId::new(Ksuid::from_bytes(reader.array()?)) },
        2 => Change::QueueGone { queue: name(reader)? },
        _ => return Err(CorruptRecord("a change is unknown")),
    })
}

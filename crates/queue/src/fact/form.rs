//! Facts as bytes, and back. The layout is in `docs/store-format.md`; a new layout of a fact gets a new kind.

use redrive_core::{Category, Fingerprint, Ksuid, LetterId, Priority, QueueName};

use super::{Attach, Fact, Image, Leased, QueueTotals, SweepEnd};
use crate::codec::{Broken, Reader, Writer};
use crate::feed::Change;
use crate::item::{Doc, DocKind, Docs, Extra, Failed, Item, Phase, Place, Rare};
use crate::keys::KeyChange;
use crate::letter::{DeathReason, Letter};
use crate::queue::{Ending, Tally, Why};
use crate::stamp::Stamp;

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
}

impl Fact {
    pub(crate) fn kind(&self) -> u8 {
        match self {
            Self::QueueSet { .. } => kind::QUEUE_SET,
            Self::QueueGone { .. } => kind::QUEUE_GONE,
            Self::Item { .. } => kind::ITEM,
            Self::Leased(_) => kind::LEASED,
            Self::Extended { .. } => kind::EXTENDED,
            Self::Gone { .. } => kind::GONE,
            Self::Cleared { .. } => kind::CLEARED,
            Self::Reclaimed { .. } => kind::RECLAIMED,
            Self::Keys { .. } => kind::KEYS,
            Self::Cursor { .. } => kind::CURSOR,
            Self::Relocated { is_filed: false, .. } => kind::RELOCATED,
            Self::Relocated { is_filed: true, .. } => kind::RELOCATED_FILED,
            Self::SweepBegan { .. } => kind::SWEEP_BEGAN,
            Self::Images { images } => images_kind(images.iter().map(|image| &image.item)),
            Self::Tombstones { .. } => kind::TOMBSTONES,
            Self::QueueTotals(_) => kind::QUEUE_TOTALS,
            Self::SweepEnded(_) => kind::SWEEP_ENDED,
            Self::CaptureRefused { .. } => kind::CAPTURE_REFUSED,
        }
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
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
            Self::Item { why, slot, item, attach } => {
                writer.u8(*why as u8);
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
                writer.maybe(*position, Writer::u64);
            }
            Self::Relocated { slot, old, is_filed: _ } => {
                writer.u32(*slot);
                write_place(writer, *old);
            }
            Self::SweepBegan { number } => writer.u64(*number),
            Self::Images { images } => {
                writer.u64(images.len() as u64);
                for Image { slot, item, place, docs } in images {
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
            Self::QueueTotals(totals) => write_totals(writer, totals),
            Self::SweepEnded(end) => write_end(writer, end),
            Self::CaptureRefused { queue } => writer.u32(*queue),
        }
    }

    pub(crate) fn read(kind: u8, body: &[u8]) -> Result<Self, Broken> {
        let mut reader = Reader::new(body);
        let fact = Self::read_fields(kind, &mut reader)?;
        if reader.is_empty() { Ok(fact) } else { Err(Broken("it is longer than it should be")) }
    }

    fn read_fields(kind: u8, reader: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(match kind {
            kind::QUEUE_SET => Self::QueueSet {
                queue: reader.u32()?,
                settings: serde_json::from_slice(reader.bytes()?)
                    .map_err(|_| Broken("the settings of a queue are unknown"))?,
            },
            kind::QUEUE_GONE => Self::QueueGone { queue: reader.u32()?, change: reader.u64()? },
            kind::ITEM => {
                let why = reader.member(&Why::ALL)?;
                let attach = Attach::of(reader.u8()?)?;
                Self::Item { why, attach, slot: reader.u32()?, item: read_item(reader)? }
            }
            kind::LEASED => Self::Leased(Leased {
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
            kind::GONE => {
                Self::Gone { ending: reader.member(&Ending::ALL)?, change: reader.u64()?, slots: read_slots(reader)? }
            }
            kind::CLEARED => Self::Cleared {
                queue: reader.u32()?,
                ready: reader.flag()?,
                leased: reader.flag()?,
                scheduled: reader.flag()?,
                up_to: reader.u64()?,
            },
            kind::RECLAIMED => Self::Reclaimed { slots: read_slots(reader)? },
            kind::KEYS => Self::Keys { changes: read_list(reader, read_key_change)? },
            kind::CURSOR => Self::Cursor { name: reader.text()?.to_owned(), position: reader.maybe(Reader::u64)? },
            kind::RELOCATED | kind::RELOCATED_FILED => {
                let is_filed = kind == kind::RELOCATED_FILED;
                Self::Relocated { slot: reader.u32()?, old: read_place(reader)?, is_filed }
            }
            kind::SWEEP_BEGAN => Self::SweepBegan { number: reader.u64()? },
            kind::IMAGES | kind::IMAGES_FILED => Self::Images { images: read_list(reader, read_image)? },
            kind::TOMBSTONES => {
                Self::Tombstones { entries: read_list(reader, |reader| Ok((reader.u64()?, read_change(reader)?)))? }
            }
            kind::QUEUE_TOTALS => Self::QueueTotals(Box::new(read_totals(reader)?)),
            kind::SWEEP_ENDED => Self::SweepEnded(Box::new(read_end(reader)?)),
            kind::CAPTURE_REFUSED => Self::CaptureRefused { queue: reader.u32()? },
            _ => return Err(Broken("its kind is unknown: it was written by a newer version")),
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
            Self::Doc(kind) => 16 + kind as u8,
        }
    }

    fn of(byte: u8) -> Result<Self, Broken> {
        let unknown = Broken("it holds a document of an unknown kind");
        match byte {
            0 => Ok(Self::Nothing),
            1 => Ok(Self::Content),
            2 => Ok(Self::Edited),
            FILED => Ok(Self::Filed),
            _ => {
                let kind = byte.checked_sub(16).and_then(|at| DocKind::ALL.get(usize::from(at)));
                kind.copied().map(Self::Doc).ok_or(unknown)
            }
        }
    }
}

/// Of a list's claimed length, so much memory is believed in advance.
const BELIEVED_MAX: u64 = 4096;

fn read_list<'b, T>(
    reader: &mut Reader<'b>,
    mut read: impl FnMut(&mut Reader<'b>) -> Result<T, Broken>,
) -> Result<Vec<T>, Broken> {
    let len = reader.u64()?;
    let mut list = Vec::with_capacity(usize::try_from(len.min(BELIEVED_MAX)).unwrap_or(0));
    for _ in 0..len {
        list.push(read(reader)?);
    }
    Ok(list)
}

fn write_slots(writer: &mut Writer<'_>, slots: &[u32]) {
    writer.u64(slots.len() as u64);
    for slot in slots {
        writer.u32(*slot);
    }
}

fn read_slots(reader: &mut Reader<'_>) -> Result<Vec<u32>, Broken> {
    read_list(reader, Reader::u32)
}

fn write_place(writer: &mut Writer<'_>, place: Place) {
    writer.u32(place.shelf);
    writer.u32(place.offset);
    writer.u32(place.len);
}

fn read_place(reader: &mut Reader<'_>) -> Result<Place, Broken> {
    Ok(Place { shelf: reader.u32()?, offset: reader.u32()?, len: reader.u32()? })
}

fn write_stamp(writer: &mut Writer<'_>, stamp: Stamp) {
    writer.exactly(&stamp.secs.to_le_bytes());
    writer.u64(stamp.serial);
    writer.exactly(&stamp.random.to_le_bytes());
}

fn read_stamp(reader: &mut Reader<'_>) -> Result<Stamp, Broken> {
    Ok(Stamp {
        secs: u32::from_le_bytes(reader.array()?),
        serial: reader.u64()?,
        random: u32::from_le_bytes(reader.array()?),
    })
}

/// An item without the places of its documents.
fn write_item(writer: &mut Writer<'_>, item: &Item) {
    write_stamp(writer, item.stamp);
    writer.u32(item.queue);
    writer.u32(item.partition);
    writer.u8(item.phase as u8);
    writer.u8(item.priority as u8);
    writer.flag(item.is_condemned);
    writer.u32(item.attempts);
    writer.u32(item.deliveries);
    writer.u32(item.max_attempts);
    writer.time(item.created_at);
    writer.time(item.expires_at);
    writer.time(item.at);
    writer.maybe(item.source_id.as_deref(), Writer::text);
    writer.maybe(item.letter(), |writer, letter| {
        letter.write(writer);
        writer.u64(item.waits_for().len() as u64);
        for id in item.waits_for() {
            writer.exactly(id.ksuid().as_bytes());
        }
    });
    let Rare { failed, death, first, .. } = item.rare();
    writer.maybe(failed.as_ref(), |writer, failed| {
        writer.u8(failed.category as u8);
        writer.exactly(failed.fingerprint.as_bytes());
        writer.time(failed.first_at);
        writer.time(failed.last_at);
    });
    writer.maybe(*death, |writer, death| writer.u8(death as u8));
    writer.maybe(*first, write_stamp);
}

fn read_item(reader: &mut Reader<'_>) -> Result<Item, Broken> {
    Ok(Item {
        stamp: read_stamp(reader)?,
        queue: reader.u32()?,
        partition: reader.u32()?,
        phase: reader.member(&Phase::ALL)?,
        priority: reader.member(Priority::ALL)?,
        is_condemned: reader.flag()?,
        attempts: reader.u32()?,
        deliveries: reader.u32()?,
        max_attempts: reader.u32()?,
        created_at: reader.time()?,
        expires_at: reader.time()?,
        at: reader.time()?,
        source_id: reader.maybe(Reader::text)?.map(Box::from),
        extra: read_extra(reader)?,
        place: Place::NONE,
        is_filed: false,
    })
}

fn read_extra(reader: &mut Reader<'_>) -> Result<Option<Box<Extra>>, Broken> {
    let (letter, waits_for) = reader.maybe(|reader| Ok((Letter::read(reader)?, read_ids(reader)?)))?.unzip();
    let failed = reader.maybe(|reader| {
        Ok(Failed {
            category: reader.member(Category::ALL)?,
            fingerprint: Fingerprint::from_bytes(reader.array()?),
            first_at: reader.time()?,
            last_at: reader.time()?,
        })
    })?;
    let death = reader.maybe(|reader| reader.member(DeathReason::ALL))?;
    let first = reader.maybe(read_stamp)?;
    let rare = Rare { failed, death, first, waits_for: waits_for.unwrap_or_default() };
    let rare = (rare != Rare::default()).then(|| Box::new(rare));
    let is_plain = letter.is_none() && rare.is_none();
    Ok((!is_plain).then(|| Box::new(Extra { letter, rare, docs: Docs::default() })))
}

fn read_ids(reader: &mut Reader<'_>) -> Result<Vec<LetterId>, Broken> {
    let count = reader.u64()?;
    (0..count).map(|_| Ok(LetterId::new(Ksuid::from_bytes(reader.array()?)))).collect()
}

/// Whoever does not know of papers would take them for a content.
pub(super) fn images_kind<'i>(mut items: impl Iterator<Item = &'i Item>) -> u8 {
    if items.any(|item| item.is_filed) { kind::IMAGES_FILED } else { kind::IMAGES }
}

/// The same as [`Fact::Images`] of these items.
pub(super) fn write_images(writer: &mut Writer<'_>, items: &[(u32, &Item)]) {
    writer.u64(items.len() as u64);
    for (slot, item) in items {
        write_image(writer, *slot, item, item.place, item.docs());
    }
}

fn write_image(writer: &mut Writer<'_>, slot: u32, item: &Item, place: Place, docs: impl Iterator<Item = Doc> + Clone) {
    writer.u32(slot);
    write_item(writer, item);
    write_place(writer, place);
    writer.u64(docs.clone().count() as u64);
    for doc in docs {
        writer.u8(doc.kind as u8);
        write_place(writer, doc.place);
    }
}

fn read_image(reader: &mut Reader<'_>) -> Result<Image, Broken> {
    Ok(Image {
        slot: reader.u32()?,
        item: read_item(reader)?,
        place: read_place(reader)?,
        docs: read_list(reader, |reader| Ok(Doc { kind: reader.member(&DocKind::ALL)?, place: read_place(reader)? }))?,
    })
}

fn read_key_change(reader: &mut Reader<'_>) -> Result<KeyChange, Broken> {
    Ok(KeyChange {
        key: reader.bytes()?.into(),
        value: reader.maybe(Reader::bytes)?.map(bytes::Bytes::copy_from_slice),
        version: reader.u64()?,
    })
}

fn write_tally(writer: &mut Writer<'_>, tally: &Tally) {
    for counts in [&tally.whys[..], &tally.endings[..]] {
        writer.u64(counts.len() as u64);
        for count in counts {
            writer.u64(*count);
        }
    }
}

/// A tally of an older version may know fewer counts; they are zero.
fn read_tally(reader: &mut Reader<'_>) -> Result<Tally, Broken> {
    let mut tally = Tally::default();
    for counts in [&mut tally.whys[..], &mut tally.endings[..]] {
        let read = read_list(reader, Reader::u64)?;
        let known = counts.get_mut(..read.len()).ok_or(Broken("it counts what is unknown"))?;
        known.copy_from_slice(&read);
    }
    Ok(tally)
}

fn write_totals(writer: &mut Writer<'_>, totals: &QueueTotals) {
    writer.u32(totals.queue);
    write_tally(writer, &totals.tally);
    write_slots(writer, &totals.placement);
    writer.bytes(&totals.turns);
}

fn read_totals(reader: &mut Reader<'_>) -> Result<QueueTotals, Broken> {
    Ok(QueueTotals {
        queue: reader.u32()?,
        tally: read_tally(reader)?,
        placement: read_slots(reader)?,
        turns: reader.bytes()?.to_vec(),
    })
}

fn write_end(writer: &mut Writer<'_>, end: &SweepEnd) {
    writer.u64(end.number);
    write_stamp(writer, end.last_stamp);
    writer.u32(end.next_queue);
    write_tally(writer, &end.past);
    writer.u64(end.next_change);
    writer.u64(end.items);
}

fn read_end(reader: &mut Reader<'_>) -> Result<SweepEnd, Broken> {
    Ok(SweepEnd {
        number: reader.u64()?,
        last_stamp: read_stamp(reader)?,
        next_queue: reader.u32()?,
        past: read_tally(reader)?,
        next_change: reader.u64()?,
        items: reader.u64()?,
    })
}

fn write_change(writer: &mut Writer<'_>, change: &Change) {
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

fn read_change(reader: &mut Reader<'_>) -> Result<Change, Broken> {
    let name = |reader: &mut Reader<'_>| QueueName::new(reader.text()?).map_err(|_| Broken("a name is no queue's"));
    Ok(match reader.u8()? {
        0 => Change::Letter { slot: reader.u32()? },
        1 => Change::LetterGone { queue: name(reader)?, letter: LetterId::new(Ksuid::from_bytes(reader.array()?)) },
        2 => Change::QueueGone { queue: name(reader)? },
        _ => return Err(Broken("a change is unknown")),
    })
}

//! The encoding of facts. The messages are defined in `proto/store/v1/records.proto`.

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::codec::{CorruptRecord, FieldReader, FieldWriter, StoreFormat, read_fields, read_item, write_item};
use redrive_model::{DocumentKind, EndReason, Event, KeyChange, QueueSettings};

use super::answer_form::{read_answered, write_answered};
use super::checkpoint_form::{
    read_change, read_end, read_image, read_snapshot, write_change, write_end, write_image, write_snapshot,
};
use super::fields::{MALFORMED_LIST, numbers, packed_slots, read_ref, repeated, slots, small, write_ref, write_slots};
use super::{Attach, Fact, ItemImage, LeaseFact};

/// The kinds of records. A number is never reused for another kind; numbers below [`kind::FIRST`] were used before the
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
    pub(super) const ANSWERED: u8 = 52;
}

pub(super) const IMAGES: u8 = kind::IMAGES;

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
            Self::Answered { .. } => kind::ANSWERED,
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
                writer.time(8, leased.at.unwrap_or(Time::MAX));
                writer.time(9, leased.received_at.unwrap_or(Time::MAX));
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
                // Counted from 1: 0 means a removed cursor.
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
            Self::Answered { answers, oldest } => write_answered(writer, answers, *oldest),
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
            kind::ANSWERED => read_answered(reader),
            _ => Err(CorruptRecord::new("its kind is unknown: it was written by a newer version")),
        }
    }
}

/// Whether a record with this fact contains the header of a letter before the content.
pub(super) fn is_filed(kind: u8, fact: &[u8]) -> bool {
    // In both kinds of records, field 1 comes first and contains the answer.
    let first = FieldReader::new(fact).field().ok().flatten();
    let Some((1, value)) = first else { return false };
    let number = value.uint().unwrap_or(0);
    kind == kind::RELOCATED && number != 0 || kind == kind::ITEM && number == u64::from(FILED)
}

/// The slot of the item that a record's document belongs to, if the record has one. Only that field is decoded.
pub(super) fn slot_of(kind: u8, fact: &[u8]) -> Option<u32> {
    let number = match kind {
        kind::ITEM | kind::DOCUMENT => 3,
        kind::RELOCATED => 2,
        _ => return None,
    };
    let mut reader = FieldReader::new(fact);
    while let Some((found, value)) = reader.field().ok()? {
        if found == number {
            return value.u32().ok();
        }
    }
    // Zero is not written.
    Some(0)
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
                let kind = number.checked_sub(OTHER).and_then(|kind| DocumentKind::of_number(kind.into()));
                kind.map(Self::Other).ok_or(CorruptRecord::new("it contains a document of an unknown kind"))
            }
        }
    }
}

fn read_queue_set(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut queue, mut settings) = (0, None);
    read_fields!(reader, value => {
        1 => queue = value.u32()?,
        2 => settings = serde_json::from_slice::<QueueSettings>(value.bytes()?).ok(),
    });
    let settings = settings.ok_or(CorruptRecord::new("the settings of a queue cannot be decoded"))?;
    Ok(Fact::QueueSet { queue, settings: Box::new(settings) })
}

fn read_item_fact(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut event, mut slot, mut attach, mut item) = (Event::ALL[0], 0, Attach::Nothing, None);
    read_fields!(reader, value => {
        1 => attach = Attach::of(value.uint()?)?,
        2 => event = value.member(&Event::ALL)?,
        3 => slot = value.u32()?,
        4 => item = Some(read_item(value.message()?)?),
    });
    let item = item.ok_or(CorruptRecord::new("its item is missing"))?;
    Ok(Fact::Item { event, slot, item, attach })
}

fn read_leased(mut reader: FieldReader<'_>) -> Result<LeaseFact, CorruptRecord> {
    let mut leased = LeaseFact {
        queue: 0,
        partition: 0,
        assigned: 0,
        turn: 0,
        deadline: Time::MAX,
        slots: Vec::new(),
        change: 0,
        at: None,
        received_at: None,
    };
    read_fields!(reader, value => {
        1 => leased.queue = value.u32()?,
        2 => leased.partition = value.u32()?,
        3 => leased.assigned = value.uint()?,
        4 => leased.turn = u8::try_from(value.uint()?).map_err(|_| CorruptRecord::new("a number is too large"))?,
        5 => leased.deadline = value.time()?,
        6 => leased.change = value.uint()?,
        7 => leased.slots = packed_slots(value)?,
        8 => leased.at = Some(value.time()?),
        9 => leased.received_at = Some(value.time()?),
    });
    Ok(leased)
}

fn read_extension(mut reader: FieldReader<'_>) -> Result<(u32, Time), CorruptRecord> {
    let (mut slot, mut deadline) = (0, Time::MAX);
    read_fields!(reader, value => {
        1 => slot = value.u32()?,
        2 => deadline = value.time()?,
    });
    Ok((slot, deadline))
}

fn read_gone(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut ending, mut change, mut slots) = (EndReason::ALL[0], 0, Vec::new());
    read_fields!(reader, value => {
        1 => ending = value.member(&EndReason::ALL)?,
        2 => change = value.uint()?,
        3 => slots = packed_slots(value)?,
    });
    Ok(Fact::Gone { ending, slots, change })
}

fn read_key_change(mut reader: FieldReader<'_>) -> Result<KeyChange, CorruptRecord> {
    let mut change = KeyChange { key: Box::default(), value: None, version: 0 };
    read_fields!(reader, value => {
        1 => change.key = value.bytes()?.into(),
        2 => change.value = Some(Bytes::copy_from_slice(value.bytes()?)),
        3 => change.version = value.uint()?,
    });
    Ok(change)
}

fn read_cursor(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut name, mut position) = (String::new(), None);
    read_fields!(reader, value => {
        1 => name = value.text()?.to_owned(),
        2 => position = value.uint()?.checked_sub(1),
    });
    Ok(Fact::Cursor { name, position })
}

fn read_relocated(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut slot, mut old, mut is_filed) = (0, None, false);
    read_fields!(reader, value => {
        1 => is_filed = value.flag()?,
        2 => slot = value.u32()?,
        3 => old = Some(read_ref(value.message()?)?),
    });
    Ok(Fact::Relocated { slot, old: old.ok_or(MALFORMED_LIST)?, is_filed })
}

fn read_checkpoint_began(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut number_of, mut format) = (0, None);
    read_fields!(reader, value => {
        1 => number_of = value.uint()?,
        2 => format = Some(StoreFormat::read(value.message()?)?),
    });
    let format = format.ok_or(CorruptRecord::new("a checkpoint has no format"))?;
    Ok(Fact::CheckpointBegan { number: number_of, format })
}

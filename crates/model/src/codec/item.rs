//! The encoding of an item, without the places of its documents.

use redrive_core::{Category, DeathReason, Fingerprint, Ksuid, LetterId, Priority, Time};

use super::{CorruptRecord, FieldReader, FieldWriter, read_fields};
use crate::{FailureSummary, FormerLetter, Item, ItemExtension, Letter, Phase, RareFields, Stamp};

const HAND_OVER_ONLY: u32 = 1;

pub fn write_item(writer: &mut FieldWriter<'_>, item: &Item) {
    writer.fixed32(1, item.stamp.secs);
    writer.uint(2, item.stamp.serial);
    writer.fixed32(3, item.stamp.random);
    writer.u32(4, item.queue);
    writer.u32(5, item.partition);
    writer.u32(6, item.phase as u32);
    writer.u32(7, item.priority as u32);
    writer.u32(8, if item.is_hand_over_only { HAND_OVER_ONLY } else { 0 });
    writer.u32(9, item.attempts);
    writer.u32(10, item.deliveries);
    writer.u32(11, item.max_attempts);
    writer.time(12, item.created_at);
    writer.time(13, item.expires_at);
    writer.time(14, item.at);
    writer.text(15, item.source_id.as_deref().unwrap_or_default());
    if let Some(extra) = &item.extra {
        write_extension(writer, extra);
    }
}

fn write_extension(writer: &mut FieldWriter<'_>, extra: &ItemExtension) {
    if let Some(letter) = &extra.letter {
        writer.message(16, |writer| letter.write(writer));
    }
    let Some(rare) = extra.rare.as_deref() else { return };
    let RareFields { failed, death, first, waits_for, imported_lease_deadline, first_received_at, handed_back } = rare;
    if let Some(failed) = failed {
        writer.message(17, |writer| {
            writer.u32(1, failed.category as u32);
            writer.bytes(2, failed.fingerprint.as_bytes());
            writer.time(3, failed.first_at);
            writer.time(4, failed.last_at);
        });
    }
    // Counted from 1: 0 is `None`.
    writer.u32(18, death.map_or(0, |death| death as u32 + 1));
    if let Some(first) = first {
        writer.message(19, |writer| write_stamp(writer, *first));
    }
    for id in waits_for {
        writer.bytes(20, id.ksuid().as_bytes());
    }
    writer.time(21, first_received_at.unwrap_or(Time::MAX));
    writer.time(22, imported_lease_deadline.unwrap_or(Time::MAX));
    if let Some(handed_back) = handed_back {
        writer.message(23, |writer| {
            writer.u32(1, handed_back.queue);
            writer.bytes(2, handed_back.letter.ksuid().as_bytes());
        });
    }
}

pub fn read_item(mut reader: FieldReader<'_>) -> Result<Item, CorruptRecord> {
    let mut item = Item::blank(Stamp::default());
    read_fields!(reader, value => {
        1 => item.stamp.secs = value.fixed32()?,
        2 => item.stamp.serial = value.uint()?,
        3 => item.stamp.random = value.fixed32()?,
        4 => item.queue = value.u32()?,
        5 => item.partition = value.u32()?,
        6 => item.phase = value.member(&Phase::ALL)?,
        7 => item.priority = value.member(Priority::ALL)?,
        8 => item.is_hand_over_only = value.u32()? & HAND_OVER_ONLY != 0,
        9 => item.attempts = value.u32()?,
        10 => item.deliveries = value.u32()?,
        11 => item.max_attempts = value.u32()?,
        12 => item.created_at = value.time()?,
        13 => item.expires_at = value.time()?,
        14 => item.at = value.time()?,
        15 => item.source_id = Some(value.text()?.into()),
        16 => item.extra.get_or_insert_default().letter = Some(Letter::read(value.message()?)?),
        17 => item.rare_mut().failed = Some(read_failed(value.message()?)?),
        18 => item.rare_mut().death = death(value.u32()?)?,
        19 => item.rare_mut().first = Some(read_stamp(value.message()?)?),
        20 => item.rare_mut().waits_for.push(LetterId::new(Ksuid::from_bytes(value.array()?))),
        21 => item.set_first_received_at(Some(value.time()?)),
        22 => item.set_imported_lease_deadline(Some(value.time()?)),
        23 => item.rare_mut().handed_back = Some(read_handed_back(value.message()?)?),
    });
    Ok(item)
}

fn read_failed(mut reader: FieldReader<'_>) -> Result<FailureSummary, CorruptRecord> {
    let mut failed = FailureSummary {
        category: Category::ALL[0],
        fingerprint: Fingerprint::from_bytes([0; 16]),
        first_at: Time::MAX,
        last_at: Time::MAX,
    };
    read_fields!(reader, value => {
        1 => failed.category = value.member(Category::ALL)?,
        2 => failed.fingerprint = Fingerprint::from_bytes(value.array()?),
        3 => failed.first_at = value.time()?,
        4 => failed.last_at = value.time()?,
    });
    Ok(failed)
}

fn read_handed_back(mut reader: FieldReader<'_>) -> Result<FormerLetter, CorruptRecord> {
    let mut handed_back = FormerLetter { queue: 0, letter: LetterId::new(Ksuid::MIN) };
    read_fields!(reader, value => {
        1 => handed_back.queue = value.u32()?,
        2 => handed_back.letter = LetterId::new(Ksuid::from_bytes(value.array()?)),
    });
    Ok(handed_back)
}

fn death(number: u32) -> Result<Option<DeathReason>, CorruptRecord> {
    let Some(position) = number.checked_sub(1) else { return Ok(None) };
    let reason = DeathReason::ALL.get(position as usize).copied();
    reason.map(Some).ok_or(CorruptRecord::new("a death reason is unknown"))
}

pub fn write_stamp(writer: &mut FieldWriter<'_>, stamp: Stamp) {
    writer.fixed32(1, stamp.secs);
    writer.uint(2, stamp.serial);
    writer.fixed32(3, stamp.random);
}

pub fn read_stamp(mut reader: FieldReader<'_>) -> Result<Stamp, CorruptRecord> {
    let mut stamp = Stamp::default();
    read_fields!(reader, value => {
        1 => stamp.secs = value.fixed32()?,
        2 => stamp.serial = value.uint()?,
        3 => stamp.random = value.fixed32()?,
    });
    Ok(stamp)
}

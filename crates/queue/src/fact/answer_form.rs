//! The encoding of stored answers.

use redrive_core::{ItemId, Ksuid, Time};
use redrive_model::Stamp;
use redrive_model::codec::{CorruptRecord, FieldReader, FieldWriter, read_fields, read_stamp, write_stamp};

use super::Fact;
use super::fields::{packed_slots, write_slots};
use crate::answers::{ProducedSlots, RememberedAnswer};

pub(super) fn write_answered(writer: &mut FieldWriter<'_>, answers: &[(u64, RememberedAnswer)], oldest: u64) {
    for (number, answer) in answers {
        writer.message(1, |writer| {
            writer.text(1, &answer.request_id);
            writer.message(2, |writer| write_produced(writer, &answer.produced));
            writer.time(3, answer.until);
            writer.u32(4, answer.queue);
            writer.bytes(5, &answer.digest);
            writer.uint(6, *number);
        });
    }
    writer.uint(2, oldest);
}

pub(super) fn read_answered(mut reader: FieldReader<'_>) -> Result<Fact, CorruptRecord> {
    let (mut answers, mut oldest) = (Vec::new(), 0);
    read_fields!(reader, value => {
        1 => answers.push(read_answer(value.message()?)?),
        2 => oldest = value.uint()?,
    });
    Ok(Fact::Answered { answers, oldest })
}

fn read_answer(mut reader: FieldReader<'_>) -> Result<(u64, RememberedAnswer), CorruptRecord> {
    let mut answer = RememberedAnswer {
        queue: 0,
        request_id: "".into(),
        digest: [0; 16],
        until: Time::MAX,
        produced: ProducedSlots::default(),
    };
    let mut number_of = 0;
    read_fields!(reader, value => {
        1 => answer.request_id = value.text()?.into(),
        2 => answer.produced = read_produced(value.message()?)?,
        3 => answer.until = value.time()?,
        4 => answer.queue = value.u32()?,
        5 => answer.digest = value.array()?,
        6 => number_of = value.uint()?,
    });
    Ok((number_of, answer))
}

fn write_produced(writer: &mut FieldWriter<'_>, produced: &ProducedSlots) {
    writer.u32(1, produced.partition);
    if produced.first != Stamp::default() {
        writer.message(2, |writer| write_stamp(writer, produced.first));
    }
    write_slots(writer, 3, &produced.slots);
    for id in &produced.duplicates {
        writer.bytes(4, id.ksuid().as_bytes());
    }
}

fn read_produced(mut reader: FieldReader<'_>) -> Result<ProducedSlots, CorruptRecord> {
    let mut produced = ProducedSlots::default();
    let mut duplicates = Vec::new();
    read_fields!(reader, value => {
        1 => produced.partition = value.u32()?,
        2 => produced.first = read_stamp(value.message()?)?,
        3 => produced.slots = packed_slots(value)?.into(),
        4 => duplicates.push(ItemId::new(Ksuid::from_bytes(value.array()?))),
    });
    produced.duplicates = duplicates.into();
    Ok(produced)
}

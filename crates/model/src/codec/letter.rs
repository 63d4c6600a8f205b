//! The encoding of a letter.

use std::sync::Arc;

use redrive_core::{Category, Fingerprint, Ksuid, LetterId, PolicySource, RetryPolicy, Status, Time, Trigger};

use super::{CorruptRecord, FieldReader, FieldWriter, read_fields};
use crate::letter::LetterFlags;
use crate::{ClaimHolder, Destination, Letter, MaybeTime, PriorState, retries};

impl Letter {
    pub(super) fn write(&self, writer: &mut FieldWriter<'_>) {
        writer.bytes(1, self.id.ksuid().as_bytes());
        writer.u32(2, self.generation);
        writer.uint(3, self.revision);
        writer.u32(4, self.status as u32);
        writer.u32(5, self.category as u32);
        writer.u32(6, self.policy as u32);
        writer.u32(7, self.policy_source as u32);
        writer.bytes(8, self.fingerprint.as_bytes());
        writer.u32(9, self.retries);
        writer.u32(10, u32::from(self.max_retries));
        writer.u32(11, self.total_attempts);
        writer.time(12, self.first_failed_at);
        writer.time(13, self.last_failed_at);
        writer.time(14, self.ended_at.get().unwrap_or(Time::MAX));
        writer.u32(15, u32::from(self.flags.bits()));
        if let Some(before) = &self.before {
            writer.message(16, |writer| {
                writer.u32(1, before.status as u32);
                writer.time(2, before.due.unwrap_or(Time::MAX));
                writer.time(3, before.since.unwrap_or(Time::MAX));
                writer.u32(4, before.holder as u32);
                writer.u32(5, u32::from(before.has_failed_again));
            });
        }
        writer.u32(17, self.trigger as u32);
        writer.text(18, &self.destination);
        writer.bytes(19, self.coordinates.get().as_ref().map_or(&[], <[u8; 16]>::as_slice));
        writer.bytes(20, self.digest.get().as_ref().map_or(&[], <[u8; 16]>::as_slice));
        writer.uint(21, self.change);
        writer.time(22, self.updated_at);
        writer.u32(23, self.replays);
        writer.bytes(24, self.edition.as_deref().map_or(&[], <[u8; 16]>::as_slice));
    }

    pub(super) fn read(mut reader: FieldReader<'_>) -> Result<Self, CorruptRecord> {
        let mut letter = Self {
            id: LetterId::new(Ksuid::MIN),
            generation: 0,
            revision: 0,
            status: Status::ALL[0],
            category: Category::ALL[0],
            policy: RetryPolicy::ALL[0],
            policy_source: PolicySource::ALL[0],
            fingerprint: Fingerprint::from_bytes([0; 16]),
            retries: 0,
            max_retries: 0,
            total_attempts: 0,
            replays: 0,
            first_failed_at: Time::MAX,
            last_failed_at: Time::MAX,
            ended_at: MaybeTime::NONE,
            updated_at: Time::MAX,
            flags: LetterFlags::default(),
            before: None,
            trigger: Trigger::ALL[0],
            destination: Destination::new(Arc::from("")),
            coordinates: None.into(),
            digest: None.into(),
            edition: None,
            change: 0,
        };
        read_fields!(reader, value => {
            1 => letter.id = LetterId::new(Ksuid::from_bytes(value.array()?)),
            2 => letter.generation = value.u32()?,
            3 => letter.revision = value.uint()?,
            4 => letter.status = value.member(Status::ALL)?,
            5 => letter.category = value.member(Category::ALL)?,
            6 => letter.policy = value.member(RetryPolicy::ALL)?,
            7 => letter.policy_source = value.member(PolicySource::ALL)?,
            8 => letter.fingerprint = Fingerprint::from_bytes(value.array()?),
            9 => letter.retries = value.u32()?,
            10 => letter.max_retries = retries(value.u32()?),
            11 => letter.total_attempts = value.u32()?,
            12 => letter.first_failed_at = value.time()?,
            13 => letter.last_failed_at = value.time()?,
            14 => letter.ended_at = Some(value.time()?).into(),
            15 => letter.flags = LetterFlags::from_bits(value.u32()?)?,
            16 => letter.before = Some(Box::new(read_before(value.message()?)?)),
            17 => letter.trigger = value.member(Trigger::ALL)?,
            18 => letter.destination = Destination::new(Arc::from(value.text()?)),
            19 => letter.coordinates = Some(value.array()?).into(),
            20 => letter.digest = Some(value.array()?).into(),
            21 => letter.change = value.uint()?,
            22 => letter.updated_at = value.time()?,
            23 => letter.replays = value.u32()?,
            24 => letter.edition = Some(Box::new(value.array()?)),
        });
        if letter.updated_at == Time::MAX {
            // Written before the field existed.
            letter.updated_at = letter.ended_at.get().unwrap_or(letter.last_failed_at);
        }
        Ok(letter)
    }
}

fn read_before(mut reader: FieldReader<'_>) -> Result<PriorState, CorruptRecord> {
    let mut before = PriorState {
        status: Status::ALL[0],
        due: None,
        since: None,
        holder: ClaimHolder::default(),
        has_failed_again: false,
    };
    read_fields!(reader, value => {
        1 => before.status = value.member(Status::ALL)?,
        2 => before.due = Some(value.time()?),
        3 => before.since = Some(value.time()?),
        4 => before.holder = value.member(ClaimHolder::ALL)?,
        5 => before.has_failed_again = value.u32()? != 0,
    });
    Ok(before)
}

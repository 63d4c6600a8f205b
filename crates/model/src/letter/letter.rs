//! What the state machine knows of a letter.
//!
//! Only what decides or is counted: texts, origin and the records of attempts are documents on disk.

use std::sync::Arc;

use redrive_core::{Category, Fingerprint, Ksuid, LetterId, PolicySource, RetryPolicy, Status, Time, Trigger};

use super::small::{Destination, MaybeHash, MaybeTime};
use crate::codec::{CorruptRecord, RecordReader, RecordWriter};

/// A letter, besides the item that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Given once; its last four bytes are the slot, which a letter never leaves, unless it was put back from a copy
    /// elsewhere when somebody else had that slot.
    pub id: LetterId,
    /// Which of the letters of one source id this is, from 1 on.
    pub generation: u32,
    /// One more at every change.
    pub revision: u64,
    pub status: Status,
    pub category: Category,
    pub policy: RetryPolicy,
    pub policy_source: PolicySource,
    pub fingerprint: Fingerprint,
    /// Retries that failed.
    pub retries: u32,
    /// At most [`QueueSettings::MAX_RETRIES_MAX`](crate::QueueSettings::MAX_RETRIES_MAX).
    pub max_retries: u8,
    /// 1 + retries that were settled, successes too.
    pub total_attempts: u32,
    pub first_failed_at: Time,
    pub last_failed_at: Time,
    /// When it became exhausted, completed or archived.
    pub ended_at: MaybeTime,
    /// An attempt was lost, and nobody knows whether it took effect.
    pub is_outcome_unknown: bool,
    /// It came when its queue was full, and is scheduled when there is room.
    pub is_overflow: bool,
    /// What it was before it was claimed or archived.
    pub before: Option<Box<PriorState>>,
    /// What started the running attempt.
    pub trigger: Trigger,
    /// Whose breaker holds it back.
    pub destination: Destination,
    /// Which message of which source it came from; two letters of one message are one.
    pub coordinates: MaybeHash,
    /// What was captured, so that another payload under the same name is noticed; unknown where a queue moved it.
    pub digest: MaybeHash,
    /// Its place in the feed of changes; 0 where nobody reads it.
    pub change: u64,
}

/// What a letter was before it was claimed or archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorState {
    pub status: Status,
    /// When it would have been retried by itself.
    pub due: Option<Time>,
    /// When it had become exhausted or completed.
    pub since: Option<Time>,
}

impl PriorState {
    /// What a letter is now, for when it comes back to it.
    pub fn of(letter: &Letter, due: Option<Time>) -> Self {
        Self { status: letter.status, due, since: letter.ended_at.get() }
    }

    fn read(reader: &mut RecordReader<'_>) -> Result<Self, CorruptRecord> {
        Ok(Self {
            status: reader.member(Status::ALL)?,
            due: reader.maybe(RecordReader::time)?,
            since: reader.maybe(RecordReader::time)?,
        })
    }
}

impl Letter {
    pub fn write(&self, writer: &mut RecordWriter<'_>) {
        writer.exactly(self.id.ksuid().as_bytes());
        writer.u32(self.generation);
        writer.u64(self.revision);
        writer.u8(self.status as u8);
        writer.u8(self.category as u8);
        writer.u8(self.policy as u8);
        writer.u8(self.policy_source as u8);
        writer.exactly(self.fingerprint.as_bytes());
        writer.u32(self.retries);
        writer.u32(u32::from(self.max_retries));
        writer.u32(self.total_attempts);
        writer.time(self.first_failed_at);
        writer.time(self.last_failed_at);
        writer.maybe(self.ended_at.get(), RecordWriter::time);
        writer.flag(self.is_outcome_unknown);
        writer.flag(self.is_overflow);
        writer.maybe(self.before.as_deref(), |writer, before| {
            writer.u8(before.status as u8);
            writer.maybe(before.due, RecordWriter::time);
            writer.maybe(before.since, RecordWriter::time);
        });
        writer.u8(self.trigger as u8);
        writer.text(&self.destination);
        writer.maybe(self.coordinates.get(), |writer, coordinates| writer.exactly(&coordinates));
        writer.maybe(self.digest.get(), |writer, digest| writer.exactly(&digest));
        writer.u64(self.change);
    }

    pub fn read(reader: &mut RecordReader<'_>) -> Result<Self, CorruptRecord> {
        Ok(Self {
            id: LetterId::new(Ksuid::from_bytes(reader.array()?)),
            generation: reader.u32()?,
            revision: reader.u64()?,
            status: reader.member(Status::ALL)?,
            category: reader.member(Category::ALL)?,
            policy: reader.member(RetryPolicy::ALL)?,
            policy_source: reader.member(PolicySource::ALL)?,
            fingerprint: Fingerprint::from_bytes(reader.array()?),
            retries: reader.u32()?,
            max_retries: reader.u32().map(retries)?,
            total_attempts: reader.u32()?,
            first_failed_at: reader.time()?,
            last_failed_at: reader.time()?,
            ended_at: reader.maybe(RecordReader::time)?.into(),
            is_outcome_unknown: reader.flag()?,
            is_overflow: reader.flag()?,
            before: reader.maybe(PriorState::read)?.map(Box::new),
            trigger: reader.member(Trigger::ALL)?,
            destination: Destination::new(Arc::from(reader.text()?)),
            coordinates: reader.maybe(RecordReader::array)?.into(),
            digest: reader.maybe(RecordReader::array)?.into(),
            change: reader.u64()?,
        })
    }
}

/// How often a letter may be retried, in the room that it has for it.
pub fn retries(most: u32) -> u8 {
    u8::try_from(most).unwrap_or(u8::MAX)
}

// The next size that memory is given out in is a fifth larger.
const _: () = assert!(size_of::<crate::item::ItemExtension>() <= 160);

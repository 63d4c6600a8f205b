//! What the state machine knows of a letter.
//!
//! Only what decides or is counted: texts, origin and the records of attempts are documents on disk.

use redrive_core::{Category, Fingerprint, LetterId, PolicySource, RetryPolicy, Status, Time, Trigger};

use super::letter_flags::LetterFlags;
use super::small::{Destination, MaybeHash, MaybeTime};

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
    pub flags: LetterFlags,
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
    /// Who holds it, while it is claimed.
    pub holder: ClaimHolder,
}

/// Who holds a claimed letter, and so whether the claim outlives the server.
///
/// The position is on disk. One server works on an embedded store; a store that several share has to name the server in a
/// field beside this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClaimHolder {
    /// A caller who leased it. It may be at work while the server is not.
    #[default]
    Caller,
    /// The processor of the server itself. Its work ends with the process.
    Server,
}

impl ClaimHolder {
    pub const ALL: &[Self] = &[Self::Caller, Self::Server];
}

impl PriorState {
    /// What a letter is now, for when it comes back to it. The holder is a caller, if there is one.
    pub fn of(letter: &Letter, due: Option<Time>) -> Self {
        Self { status: letter.status, due, since: letter.ended_at.get(), holder: ClaimHolder::default() }
    }
}

impl Letter {
    /// Whether it waits for room in its queue.
    pub const fn is_overflow(&self) -> bool {
        self.flags.has(LetterFlags::OVERFLOW)
    }
}

/// How often a letter may be retried, in the room that it has for it.
pub fn retries(most: u32) -> u8 {
    u8::try_from(most).unwrap_or(u8::MAX)
}

//! The in-memory part of a letter.
//!
//! It contains only what decisions and counters need: texts, origin and the records of attempts are documents on disk.

use redrive_core::{Category, Fingerprint, LetterId, PolicySource, RetryPolicy, Status, Time, Trigger};
use serde::{Deserialize, Serialize};

use super::letter_flags::LetterFlags;
use super::small::{Destination, MaybeHash, MaybeTime};

/// The letter part of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The permanent id. Its last four bytes are the slot of the letter, except for a letter that was reinstated from a
    /// copy while another item occupied that slot.
    pub id: LetterId,
    /// The number of the letter among those of its source id, counted from 1.
    pub generation: u32,
    /// Incremented by every change.
    pub revision: u64,
    pub status: Status,
    pub category: Category,
    pub policy: RetryPolicy,
    pub policy_source: PolicySource,
    pub fingerprint: Fingerprint,
    /// Failed retries.
    pub retries: u32,
    /// At most [`QueueSettings::MAX_RETRIES_MAX`](crate::QueueSettings::MAX_RETRIES_MAX).
    pub max_retries: u8,
    /// 1 + settled retries, including successful ones.
    pub total_attempts: u32,
    /// The highest [`Origin::replays`](crate::Origin::replays) of its failures. A failure with a higher one happened
    /// after the work was handed back.
    pub replays: u32,
    pub first_failed_at: Time,
    pub last_failed_at: Time,
    /// When it became exhausted, completed or archived.
    pub ended_at: MaybeTime,
    /// The time of the last change of the letter.
    pub updated_at: Time,
    pub flags: LetterFlags,
    /// The state before the letter was claimed or archived.
    pub before: Option<Box<PriorState>>,
    /// What started the current or latest attempt.
    pub trigger: Trigger,
    /// The destination whose circuit breaker may delay the retries.
    pub destination: Destination,
    /// Identifies the message at its source; a repeated capture of the same message is a duplicate.
    pub coordinates: MaybeHash,
    /// The digest of the captured payload, to detect another payload under the same source id. None for an item that
    /// died in a queue.
    pub digest: MaybeHash,
    /// The digest of the newest payload of an edited letter: what is handed back. Boxed, since few letters are edited.
    pub edition: Option<Box<[u8; 16]>>,
    /// The position in the feed of changes; 0 if no cursor reads the feed.
    pub change: u64,
}

/// The state of a letter before it was claimed or archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriorState {
    pub status: Status,
    /// When the letter would have been retried automatically.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::micros::option")]
    pub due: Option<Time>,
    /// When the letter became exhausted or completed.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::micros::option")]
    pub since: Option<Time>,
    /// The holder, while the letter is claimed.
    #[serde(rename = "is_held_by_server", default, skip_serializing_if = "crate::micros::is_default")]
    pub holder: ClaimHolder,
    /// The work was handed back by the running attempt and has failed again, before the attempt was settled.
    #[serde(default, skip_serializing_if = "crate::micros::is_default")]
    pub has_failed_again: bool,
}

/// The holder of a claimed letter, which determines whether the claim survives a restart of the server.
///
/// The position of the member is stored on disk, and in documents whether it is the server. An embedded store has one
/// server; a store shared by several servers needs an additional field that names the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum ClaimHolder {
    /// A caller that leased the letter. It may keep working while the server is down.
    #[default]
    Caller,
    /// The retry processor of the server. Its work ends with the server process.
    Server,
}

impl ClaimHolder {
    pub const ALL: &[Self] = &[Self::Caller, Self::Server];
}

impl From<bool> for ClaimHolder {
    fn from(is_server: bool) -> Self {
        if is_server { Self::Server } else { Self::Caller }
    }
}

impl From<ClaimHolder> for bool {
    fn from(holder: ClaimHolder) -> Self {
        holder == ClaimHolder::Server
    }
}

impl PriorState {
    /// The current state of a letter, to return to later. The holder is a caller.
    pub fn of(letter: &Letter, due: Option<Time>) -> Self {
        Self {
            status: letter.status,
            due,
            since: letter.ended_at.get(),
            holder: ClaimHolder::default(),
            has_failed_again: false,
        }
    }
}

impl Letter {
    /// Whether the letter waits until its queue has space.
    pub const fn is_overflow(&self) -> bool {
        self.flags.has(LetterFlags::OVERFLOW)
    }
}

/// Converts a retry limit to the width of [`Letter::max_retries`], saturating.
pub fn retries(most: u32) -> u8 {
    u8::try_from(most).unwrap_or(u8::MAX)
}

//! The views of items and letters that a store returns.

use std::sync::Arc;

use redrive_core::{
    Category, Fingerprint, ItemId, Ksuid, LetterId, PolicySource, Priority, RetryPolicy, Status, Time, Trigger,
};
use serde::{Deserialize, Serialize};

use crate::LetterFlags;
use crate::item::{Item, Phase};
use crate::letter::{Letter, PriorState};

/// An item without its content. Its serialised form is a part of a [`KeptLetter`](crate::KeptLetter).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemInfo {
    pub id: ItemId,
    /// For a plain item, the id of its first delivery, which identifies the work over all attempts. For a letter, the
    /// letter id.
    #[serde(skip, default = "unknown_id")]
    pub first_id: ItemId,
    pub partition: u32,
    pub source_id: Option<Box<str>>,
    #[serde(flatten)]
    pub state: ItemState,
    pub priority: Priority,
    /// Charged attempts.
    pub attempts: u32,
    /// All deliveries, including uncharged ones.
    pub deliveries: u32,
    pub max_attempts: u32,
    #[serde(with = "crate::micros")]
    pub created_at: Time,
    /// The time of the first delivery of a plain item, if its lease [noted](crate::LeaseSpec::notes_receipt) it.
    #[serde(skip)]
    pub first_received_at: Option<Time>,
    /// `None` for never.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::micros::option")]
    pub expires_at: Option<Time>,
    /// The lease deadline with which an item that was not leased was imported. Unset by the first lease.
    #[serde(skip)]
    pub imported_lease_deadline: Option<Time>,
    /// The item is delivered for its hand-over only.
    #[serde(rename = "is_condemned", default)]
    pub is_hand_over_only: bool,
    #[serde(skip)]
    pub letter: Option<Box<LetterInfo>>,
    /// The content was edited; the first content is kept as the original.
    #[serde(skip)]
    pub is_edited: bool,
}

/// The state of an item, with the time that belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ItemState {
    Ready,
    Leased {
        #[serde(rename = "at", default = "crate::micros::never", with = "crate::micros")]
        deadline: Time,
    },
    Scheduled {
        #[serde(default = "crate::micros::never", with = "crate::micros")]
        at: Time,
    },
    /// A letter that is retried automatically from `at` on.
    Due {
        #[serde(default = "crate::micros::never", with = "crate::micros")]
        at: Time,
    },
    /// The item died and waits for its missing dead queue.
    Stranded,
    /// A letter that is completed or archived.
    Finished,
    /// The record of the item is damaged. Unreadable fields are empty.
    Damaged,
}

/// The letter part of an item. Its serialised form is a part of a [`KeptLetter`](crate::KeptLetter).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetterInfo {
    pub id: LetterId,
    pub generation: u32,
    pub revision: u64,
    pub status: Status,
    pub category: Category,
    pub policy: RetryPolicy,
    pub policy_source: PolicySource,
    pub fingerprint: Fingerprint,
    /// Failed retries.
    pub retries: u32,
    pub max_retries: u32,
    pub total_attempts: u32,
    /// How often the work had been handed back before its newest failure.
    #[serde(default, skip_serializing_if = "crate::micros::is_default")]
    pub replays: u32,
    /// The time of the next automatic retry.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::micros::option")]
    pub next_retry_at: Option<Time>,
    #[serde(with = "crate::micros")]
    pub first_failed_at: Time,
    #[serde(with = "crate::micros")]
    pub last_failed_at: Time,
    /// When it became exhausted, completed or archived.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::micros::option")]
    pub ended_at: Option<Time>,
    /// The time of the last change.
    #[serde(default = "crate::micros::never", with = "crate::micros")]
    pub updated_at: Time,
    #[serde(default)]
    pub is_outcome_unknown: bool,
    /// The letter was captured into a full queue and is not retried automatically until the queue has space.
    #[serde(default)]
    pub is_overflow: bool,
    /// The letter is not retried automatically until its dependencies are completed.
    #[serde(default)]
    pub is_blocked: bool,
    /// The letter is an item that died in a queue of this store. A copy does not say so: its origin is only claimed.
    #[serde(skip)]
    pub has_own_origin: bool,
    /// A consumer of the server made the letter of a message of its topic or mailbox. A copy does not say so either.
    #[serde(skip)]
    pub is_of_source: bool,
    /// The state before the letter was claimed or archived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<PriorState>,
    pub trigger: Trigger,
    pub destination: Arc<str>,
}

impl ItemState {
    /// The deadline of the lease, if the item is leased.
    pub const fn lease_deadline(self) -> Option<Time> {
        match self {
            Self::Leased { deadline } => Some(deadline),
            _ => None,
        }
    }
}

impl ItemInfo {
    /// The number of the attempt of a leased or claimed item, over all attempts at the work: the failure that made it a
    /// letter was the first one.
    pub fn attempt(&self) -> u32 {
        self.letter.as_ref().map_or(self.attempts, |letter| letter.retries.saturating_add(2))
    }

    pub fn of(slot: u32, item: &Item) -> Self {
        Self {
            id: item.stamp.id(slot),
            first_id: first_id(slot, item),
            partition: item.partition,
            source_id: item.source_id.clone(),
            state: state_of(item),
            priority: item.priority,
            attempts: item.attempts,
            deliveries: item.deliveries,
            max_attempts: item.max_attempts,
            created_at: item.created_at,
            first_received_at: item.rare().first_received_at,
            expires_at: (item.expires_at < Time::MAX).then_some(item.expires_at),
            imported_lease_deadline: item.rare().imported_lease_deadline,
            is_hand_over_only: item.is_hand_over_only,
            letter: item.letter().map(|letter| Box::new(LetterInfo::of(item, letter))),
            is_edited: item.is_edited(),
        }
    }

    /// The source id; if there is none, the id of the letter or item.
    pub fn task_id(&self) -> String {
        let own = self.letter.as_ref().map_or(self.id.ksuid(), |letter| letter.id.ksuid());
        self.source_id.as_deref().map_or_else(|| own.to_string(), str::to_owned)
    }
}

impl LetterInfo {
    pub fn of(item: &Item, letter: &Letter) -> Self {
        Self {
            id: letter.id,
            generation: letter.generation,
            revision: letter.revision,
            status: letter.status,
            category: letter.category,
            policy: letter.policy,
            policy_source: letter.policy_source,
            fingerprint: letter.fingerprint,
            retries: letter.retries,
            max_retries: u32::from(letter.max_retries),
            total_attempts: letter.total_attempts,
            replays: letter.replays,
            next_retry_at: (item.phase == Phase::Due).then_some(item.at),
            first_failed_at: letter.first_failed_at,
            last_failed_at: letter.last_failed_at,
            ended_at: letter.ended_at.get(),
            updated_at: letter.updated_at,
            is_outcome_unknown: letter.flags.has(LetterFlags::OUTCOME_UNKNOWN),
            is_overflow: letter.flags.has(LetterFlags::OVERFLOW),
            has_own_origin: letter.flags.has(LetterFlags::OWN_ORIGIN),
            is_of_source: letter.flags.has(LetterFlags::OF_SOURCE),
            before: letter.before.as_deref().copied(),
            trigger: letter.trigger,
            destination: Arc::clone(letter.destination.name()),
            is_blocked: item.is_blocked(),
        }
    }

    /// Since when the letter has this status (exhausted, completed or archived), or had it before it was claimed or
    /// archived.
    pub fn since(&self, status: Status) -> Option<Time> {
        let before = self.before.filter(|before| before.status == status);
        if self.status == status { self.ended_at } else { before.and_then(|before| before.since) }
    }

    /// The status of an archived letter before it was archived.
    pub fn archived_from(&self) -> Option<Status> {
        self.before.filter(|_| self.status == Status::Archived).map(|before| before.status)
    }
}

const fn unknown_id() -> ItemId {
    ItemId::new(Ksuid::MIN)
}

fn first_id(slot: u32, item: &Item) -> ItemId {
    let first = item.rare().first;
    match item.letter() {
        Some(letter) => ItemId::new(letter.id.ksuid()),
        None => first.unwrap_or(item.stamp).id(slot),
    }
}

fn state_of(item: &Item) -> ItemState {
    match item.phase {
        Phase::Ready => ItemState::Ready,
        Phase::Leased => ItemState::Leased { deadline: item.at },
        Phase::Scheduled => ItemState::Scheduled { at: item.at },
        Phase::Due => ItemState::Due { at: item.at },
        Phase::Stranded => ItemState::Stranded,
        Phase::Finished => ItemState::Finished,
        Phase::Damaged => ItemState::Damaged,
    }
}

//! What is told about items and letters.

use crate::LetterFlags;
use std::sync::Arc;

use redrive_core::{
    Category, Fingerprint, ItemId, LetterId, PolicySource, Priority, RetryPolicy, Status, Time, Trigger,
};

use crate::item::{Item, Phase};
use crate::letter::{Letter, PriorState};

/// An item, apart from its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemInfo {
    pub id: ItemId,
    /// The id under which it was delivered first: while it is a plain item, it names its work over all attempts. A letter
    /// has its own.
    pub first_id: ItemId,
    pub partition: u32,
    pub source_id: Option<Box<str>>,
    pub state: ItemState,
    pub priority: Priority,
    /// Attempts that count.
    pub attempts: u32,
    /// All deliveries, those included that were given back.
    pub deliveries: u32,
    pub max_attempts: u32,
    pub created_at: Time,
    /// `None` for never.
    pub expires_at: Option<Time>,
    /// The lease deadline that it was imported with, although it was not leased; until somebody leases it.
    pub imported_lease_deadline: Option<Time>,
    /// Delivered for its hand-over only.
    pub is_hand_over_only: bool,
    pub letter: Option<Box<LetterInfo>>,
    /// Its content was edited; the first one is kept as the original.
    pub is_edited: bool,
}

/// Where an item is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemState {
    Ready,
    Leased {
        deadline: Time,
    },
    Scheduled {
        at: Time,
    },
    /// A letter that is retried by itself from then on.
    Due {
        at: Time,
    },
    /// It died, and waits for its missing dead queue.
    Stranded,
    /// A letter that is completed or archived.
    Finished,
    /// Its record is damaged. What could still be read is shown; the rest is empty.
    Damaged,
}

/// A letter, apart from the item that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterInfo {
    pub id: LetterId,
    pub generation: u32,
    pub revision: u64,
    pub status: Status,
    pub category: Category,
    pub policy: RetryPolicy,
    pub policy_source: PolicySource,
    pub fingerprint: Fingerprint,
    /// Retries that failed.
    pub retries: u32,
    pub max_retries: u32,
    pub total_attempts: u32,
    /// When it is retried by itself.
    pub next_retry_at: Option<Time>,
    pub first_failed_at: Time,
    pub last_failed_at: Time,
    /// When it became exhausted, completed or archived.
    pub ended_at: Option<Time>,
    pub is_outcome_unknown: bool,
    /// It came when its queue was full: nothing retries it by itself before there is room.
    pub is_overflow: bool,
    /// What it was before it was claimed or archived.
    pub before: Option<PriorState>,
    pub trigger: Trigger,
    pub destination: Arc<str>,
    /// Others must be completed before it is retried by itself.
    pub is_blocked: bool,
}

impl ItemState {
    /// When the lease ends, where there is one.
    pub const fn lease_deadline(self) -> Option<Time> {
        match self {
            Self::Leased { deadline } => Some(deadline),
            _ => None,
        }
    }
}

impl ItemInfo {
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
            expires_at: (item.expires_at < Time::MAX).then_some(item.expires_at),
            imported_lease_deadline: item.rare().imported_lease_deadline,
            is_hand_over_only: item.is_hand_over_only,
            letter: item.letter().map(|letter| Box::new(LetterInfo::of(item, letter))),
            is_edited: item.is_edited(),
        }
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
            next_retry_at: (item.phase == Phase::Due).then_some(item.at),
            first_failed_at: letter.first_failed_at,
            last_failed_at: letter.last_failed_at,
            ended_at: letter.ended_at.get(),
            is_outcome_unknown: letter.flags.has(LetterFlags::OUTCOME_UNKNOWN),
            is_overflow: letter.flags.has(LetterFlags::OVERFLOW),
            before: letter.before.as_deref().copied(),
            trigger: letter.trigger,
            destination: Arc::clone(letter.destination.name()),
            is_blocked: item.is_blocked(),
        }
    }
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

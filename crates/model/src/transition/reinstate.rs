//! A letter is reinstated from a copy.

use std::cmp::Ordering;
use std::sync::Arc;

use redrive_core::{Status, Time};

use super::QueueRules;
use crate::letter::FirstFailure;
use crate::{
    FailureSummary, FullLetter, Item, ItemExtension, ItemInfo, ItemState, Letter, LetterFlags, LetterInfo,
    OnOlderRevision, OpContext, Phase, Rejection, RetryTerms, Stamp, StampSource, retries,
};

/// The existing copy of a letter in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingCopy {
    None,
    /// The same or a newer revision: nothing to do.
    Current,
    /// An older or damaged revision, which is replaced.
    Older,
}

/// Compares a letter with the one of the same id in the queue.
///
/// # Errors
///
/// If the queue holds the same revision with different contents, or an older revision that must be kept.
pub fn existing_copy(held: Option<&Item>, new: &Item, older: OnOlderRevision) -> Result<ExistingCopy, Rejection> {
    let Some((item, letter)) = held.and_then(|item| Some((item, item.letter()?))) else {
        return Ok(ExistingCopy::None);
    };
    let Some(other) = new.letter() else { return Ok(ExistingCopy::None) };
    // Any copy is better than a damaged letter.
    if item.phase == Phase::Damaged {
        return Ok(ExistingCopy::Older);
    }
    match (letter.revision.cmp(&other.revision), older) {
        (Ordering::Greater, _) => Ok(ExistingCopy::Current),
        (Ordering::Equal, _) if is_same((item, letter), (new, other)) => Ok(ExistingCopy::Current),
        (Ordering::Equal, _) => Err(Rejection::OtherLetter { letter: other.id }),
        (Ordering::Less, OnOlderRevision::Replace) => Ok(ExistingCopy::Older),
        (Ordering::Less, OnOlderRevision::Keep) => {
            Err(Rejection::OlderLetter { letter: other.id, revision: letter.revision })
        }
    }
}

/// Whether two letters of the same revision are equal, as far as this is known without reading their documents.
fn is_same((one, letter): (&Item, &Letter), (other, twin): (&Item, &Letter)) -> bool {
    let is_same_payload = letter.digest.get().zip(twin.digest.get()).is_none_or(|(one, other)| one == other);
    let is_same_item = one.source_id == other.source_id && one.priority == other.priority;
    let letter = LetterInfo::of(one, letter);
    let LetterInfo { has_own_origin, is_of_source, .. } = letter;
    is_same_payload
        && is_same_item
        && letter == LetterInfo { has_own_origin, is_of_source, ..LetterInfo::of(other, twin) }
}

/// The letter as an item of this store, without a stamp yet.
pub fn reinstated(full: &FullLetter, rules: &QueueRules<'_>, queue: u32, op: OpContext) -> Option<Item> {
    let info = full.info.letter.as_deref()?;
    let (phase, at) = phase(&full.info, info, rules, op.now);
    let first = FirstFailure {
        id: info.id,
        generation: info.generation,
        terms: RetryTerms { policy: info.policy, source: info.policy_source, max_retries: info.max_retries },
        failed: FailureSummary {
            category: info.category,
            fingerprint: info.fingerprint,
            first_at: info.first_failed_at,
            last_at: info.last_failed_at,
        },
        destination: Arc::clone(&info.destination),
        coordinates: full.context.as_ref().and_then(|context| context.origin.coordinates()),
        replays: info.replays,
        digest: full.digest(),
    };
    let mut flags = LetterFlags::default();
    flags.set(LetterFlags::OUTCOME_UNKNOWN, info.is_outcome_unknown);
    flags.set(LetterFlags::OVERFLOW, info.is_overflow);
    let letter = Letter {
        revision: info.revision,
        status: info.status,
        retries: info.retries,
        // At least the failed attempts, or the counters would be inconsistent.
        total_attempts: info.total_attempts.max(info.retries.saturating_add(1)),
        max_retries: retries(info.max_retries),
        ended_at: info.ended_at.into(),
        updated_at: info.updated_at,
        flags,
        before: info.before.map(Box::new),
        trigger: info.trigger,
        edition: full.original.is_some().then(|| Box::new(full.content.digest())),
        ..Letter::new(first)
    };
    let mut item = Item {
        created_at: full.info.created_at,
        expires_at: full.info.expires_at.unwrap_or(Time::MAX),
        at,
        source_id: full.info.source_id.clone(),
        extra: Some(Box::new(ItemExtension { letter: Some(letter), ..ItemExtension::default() })),
        queue,
        partition: if full.info.partition < rules.settings.partitions { full.info.partition } else { 0 },
        attempts: full.info.attempts,
        deliveries: full.info.deliveries,
        max_attempts: full.info.max_attempts,
        phase,
        priority: full.info.priority,
        is_hand_over_only: full.info.is_hand_over_only,
        ..Item::blank(Stamp::default())
    };
    item.wait_for(full.waited_for());
    if item.is_blocked() && item.phase == Phase::Due {
        (item.phase, item.at) = (Phase::Ready, Time::MAX);
    }
    Some(item)
}

/// Assigns a reinstated letter its stamp. The id of a holder in another store is not valid here.
pub fn reinstate(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Item {
    item.stamp = stamps.next(op);
    if item.phase == Phase::Ready {
        item.at = rules.archived_at(&item, op.now);
    }
    item.rare_mut().first = Some(item.stamp);
    item
}

/// The phase and time of a letter by its status. If status and state contradict each other, it waits for an operator.
fn phase(info: &ItemInfo, letter: &LetterInfo, rules: &QueueRules<'_>, now: Time) -> (Phase, Time) {
    let ended_at = letter.ended_at.unwrap_or(now);
    match (letter.status, info.state) {
        (Status::Retrying, state) => (Phase::Leased, state.lease_deadline().unwrap_or(now)),
        (Status::Completed, _) => (Phase::Finished, ended_at.saturating_add(rules.letters.completed_retention)),
        (Status::Archived, _) => {
            let retention = rules.letters.archive_retention;
            (Phase::Finished, retention.map_or(Time::MAX, |retention| ended_at.saturating_add(retention)))
        }
        (Status::Pending, ItemState::Due { at }) => (Phase::Due, at),
        (Status::Pending | Status::Exhausted, ItemState::Scheduled { at }) => (Phase::Scheduled, at),
        (Status::Pending | Status::Exhausted, _) => (Phase::Ready, Time::MAX),
    }
}

//! An attempt failed, and the holder requests a retry.
//!
//! The limit of the queue overrides the request: an item without attempts left dies. A letter counts the failed retry
//! and is scheduled by its policy, which either the holder or the store has evaluated.

use redrive_core::Time;

use super::{NewDocument, PendingDeath, QueueRules, Schedule, Step, Transition};
use crate::{Attempt, Event, Item, OpContext, Phase, RetryAt, StampSource};

/// The report of a failed attempt.
#[derive(Debug, Clone, Copy)]
pub struct FailedAttempt<'a> {
    pub at: RetryAt,
    /// Whether the attempt counts towards the limit.
    pub charged: bool,
    pub record: Option<&'a Attempt>,
}

/// Requeues a plain item. `cleared_up_to` is the last serial number at which the scheduled items of its partition were
/// cleared.
pub fn retry_item(
    mut item: Item,
    rules: &QueueRules<'_>,
    failed: FailedAttempt<'_>,
    cleared_up_to: u64,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Step {
    let FailedAttempt { at, charged, record } = failed;
    // Without a dead queue, the item becomes no letter that would show the attempt.
    let is_recorded = charged && rules.settings.dead_queue.is_some();
    let documents = NewDocument::of_failure(&item, record, is_recorded, op.now);
    let reason = rules.death_after_attempt(&item, charged, op.now);
    item.record_failure(record, op.now);
    if let Some(reason) = reason {
        return Step::Dies(item, PendingDeath { reason, documents });
    }
    let at = at.time(op.now).filter(|at| *at > op.now);
    // A scheduled item keeps its id, unless the id would count as cleared.
    if at.is_none() || item.stamp.serial <= cleared_up_to {
        item.restamp(stamps.next(op));
    }
    (item.phase, item.at) = at.map_or((Phase::Ready, Time::MAX), |at| (Phase::Scheduled, at));
    if !charged {
        item.uncharge_attempt();
    }
    Transition::of(item, Event::Retried, op.now).with(documents).into()
}

/// Counts a failed retry of a letter and schedules the next one.
pub fn retry_letter(
    mut item: Item,
    rules: &QueueRules<'_>,
    failed: FailedAttempt<'_>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let FailedAttempt { at, charged, record } = failed;
    let documents = NewDocument::of_failure(&item, record, charged, op.now);
    item.count_failed_retry(record, charged, op.now);
    let stamp = stamps.next(op);
    let (schedule, offered) = match at {
        RetryAt::Decided(_) | RetryAt::After(_) if rules.is_letter_spent(&item) => (Schedule::EXHAUSTED, None),
        RetryAt::Decided(at) => (Schedule::due(at.max(op.now)), None),
        RetryAt::After(delay) => (Schedule::due(op.now.saturating_add(delay)), None),
        RetryAt::Undecided(at) => match rules.decide_after_uncharged(&item, u32::from(!charged), op.for_stamp(stamp)) {
            Schedule { due: Some(due), .. } => (Schedule::due(at.unwrap_or(due).max(op.now)), None),
            // No automatic retry: the letter becomes available at the requested time.
            manual => (manual, at.filter(|at| *at > op.now)),
        },
    };
    item.park(schedule, rules, stamp, op.now);
    if let Some(at) = offered {
        (item.phase, item.at) = (Phase::Scheduled, at);
    }
    Transition::of(item, Event::RetryFailed, op.now).with(documents)
}

//! An attempt failed, and the work is to be tried again.
//!
//! The queue's own limit stands above the holder's wish: an item whose attempts are spent dies. A letter counts the failed
//! retry and waits as its policy says, whether its holder asked the policy or left that to the store.

use redrive_core::{Outcome, Time};

use super::{NewDocument, PendingDeath, QueueRules, Schedule, Step, Transition};
use crate::{Attempt, Event, Item, OpContext, Phase, RetryAt, StampSource};

/// How a failed attempt is reported.
#[derive(Debug, Clone, Copy)]
pub struct FailedAttempt<'a> {
    pub at: RetryAt,
    /// Whether the attempt counts. One that does not is given back.
    pub charged: bool,
    pub record: Option<&'a Attempt>,
}

/// Requeues a plain item. `cleared_up_to` is the last serial number that was cleared from the scheduled items of its
/// partition.
pub fn retry_item(
    mut item: Item,
    rules: &QueueRules<'_>,
    failed: FailedAttempt<'_>,
    cleared_up_to: u64,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Step {
    let FailedAttempt { at, charged, record } = failed;
    let documents: Vec<NewDocument> = NewDocument::of_failure(record).collect();
    let reason = rules.death_after_attempt(&item, charged, op.now);
    item.note_failure(record, op.now);
    if let Some(reason) = reason {
        return Step::Dies(item, PendingDeath { reason, documents });
    }
    let at = at.time().filter(|at| *at > op.now);
    // A scheduled item keeps its id, unless that would look like one that was cleared.
    if at.is_none() || item.stamp.serial <= cleared_up_to {
        item.restamp(stamps.next(op));
    }
    (item.phase, item.at) = at.map_or((Phase::Ready, Time::MAX), |at| (Phase::Scheduled, at));
    if !charged {
        item.give_attempt_back();
    }
    Transition::of(item, Event::Retried).with(documents).into()
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
    let documents: Vec<NewDocument> = match charged {
        true => NewDocument::of_charged(&item, record, Outcome::Failure, op.now).collect(),
        false => NewDocument::of_failure(record).collect(),
    };
    item.count_failed_retry(record, charged, op.now);
    let stamp = stamps.next(op);
    let (schedule, offered) = match at {
        RetryAt::Decided(_) if rules.is_letter_spent(&item) => (Schedule::EXHAUSTED, None),
        RetryAt::Decided(at) => (Schedule::due(at.max(op.now)), None),
        RetryAt::Undecided(at) => match rules.decide_after_free(&item, u32::from(!charged), op.for_stamp(stamp)) {
            Schedule { due: Some(due), .. } => (Schedule::due(at.unwrap_or(due).max(op.now)), None),
            // No automatic retry: the holder wants it offered later.
            manual => (manual, at.filter(|at| *at > op.now)),
        },
    };
    item.park(schedule, rules, stamp, op.now);
    if let Some(at) = offered {
        (item.phase, item.at) = (Phase::Scheduled, at);
    }
    Transition::of(item, Event::RetryFailed).with(documents)
}

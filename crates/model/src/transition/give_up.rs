//! The holder reports that the work failed permanently.

use redrive_core::DeathReason;

use super::{NewDocument, PendingDeath, QueueRules, Schedule, Step, Transition};
use crate::{Attempt, DeadCause, Event, Item, OpContext, StampSource};

/// Lets a plain item die.
pub fn give_up_item(mut item: Item, cause: DeadCause, attempt: Option<&Attempt>, op: OpContext) -> Step {
    let is_charged = cause != DeadCause::Spent;
    let documents = NewDocument::of_failure(&item, attempt, is_charged, op.now);
    if !is_charged {
        item.uncharge_attempt();
    }
    item.record_failure(attempt, op.now);
    Step::Dies(item, PendingDeath { reason: DeathReason::GivenUp, documents })
}

/// Exhausts a letter, or leaves it pending for an operator.
pub fn give_up_letter(
    mut item: Item,
    rules: &QueueRules<'_>,
    cause: DeadCause,
    attempt: Option<&Attempt>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let is_charged = cause != DeadCause::Spent;
    let documents = NewDocument::of_failure(&item, attempt, is_charged, op.now);
    match is_charged {
        true => item.count_failed_retry(attempt, true, op.now),
        false => item.uncharge_attempt(),
    }
    let stamp = stamps.next(op);
    let schedule = match cause {
        DeadCause::Exhausted | DeadCause::Spent => Schedule::EXHAUSTED,
        DeadCause::Permanent => Schedule { due: None, ..rules.decide(&item, op.for_stamp(stamp)) },
    };
    item.park(schedule, rules, stamp, op.now);
    Transition::of(item, Event::RetryFailed, op.now).with(documents)
}

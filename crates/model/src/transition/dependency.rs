//! Changes of what a letter waits for: its dependencies, or space in its queue.

use redrive_core::{Cause, LetterId, Outcome, Status, Time, Trigger};

use super::{NewDocument, QueueRules, Schedule, Transition};
use crate::{Attempt, Event, Item, LetterFlags, OpContext, Phase, StampSource};

/// Schedules a letter that was captured into a full queue, once the queue has space.
pub fn admit(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Transition {
    if let Some(letter) = item.letter_mut() {
        letter.flags.set(LetterFlags::OVERFLOW, false);
    }
    item.reschedule(rules, op, stamps);
    Transition::of(item, Event::Admitted, op.now)
}

/// Removes dependencies that were completed or released. A letter without remaining dependencies gets the schedule that
/// it would have had without them.
pub fn dependency_completed(
    mut item: Item,
    rules: &QueueRules<'_>,
    done: &[LetterId],
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    item.wait_for(item.waits_for().iter().copied().filter(|id| !done.contains(id)).collect());
    if !item.is_blocked() && item.letter().is_some_and(|letter| !letter.is_overflow()) {
        unblock(&mut item, rules, op, stamps);
    }
    Transition::of(item, Event::Unblocked, op.now)
}

fn unblock(item: &mut Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) {
    let is_waiting = item.phase == Phase::Ready && item.letter().is_some_and(|letter| letter.status == Status::Pending);
    let stamp = if is_waiting { stamps.next(op) } else { item.stamp };
    let schedule = rules.decide(item, op.for_stamp(stamp));
    let since = item.letter().map_or(op.now, |letter| letter.last_failed_at.min(op.now));
    let due = schedule.due.map(|due| since.saturating_add(due.since(op.now)).max(op.now));
    if is_waiting {
        item.park(Schedule { due, ..schedule }, rules, stamp, op.now);
    } else if let Some(before) = item.letter_mut().and_then(|letter| letter.before.as_mut())
        && before.status == Status::Pending
    {
        // The letter is claimed or archived: it gets this schedule when it returns to its previous state.
        before.due = before.due.or(due);
    }
}

/// Exhausts a letter whose dependencies are exhausted, archived or deleted, and removes these dependencies. `status` is
/// that of the first lost one; `None` if it is deleted.
pub fn dependency_lost(
    mut item: Item,
    rules: &QueueRules<'_>,
    lost: &[LetterId],
    status: Option<Status>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let record = lost.first().map(|first| NewDocument::attempt(&lost_record(*first, status, op.now)));
    item.wait_for(item.waits_for().iter().copied().filter(|id| !lost.contains(id)).collect());
    if item.phase == Phase::Damaged {
        return Transition::of(item, Event::Unblocked, op.now);
    }
    item.park(Schedule::EXHAUSTED, rules, stamps.next(op), op.now);
    Transition::of(item, Event::DependencyLost, op.now).with(record)
}

/// A record of why a letter was exhausted without an attempt.
fn lost_record(lost: LetterId, status: Option<Status>, now: Time) -> Attempt {
    let became = status.map_or_else(|| "gone".to_owned(), |status| status.to_string());
    Attempt {
        cause: Some(Cause::LostDependency),
        ended_at: Some(now),
        error: format!("letter {lost}, which it waited for, is {became}"),
        ..Attempt::new(Trigger::Automatic, Outcome::Failure)
    }
}

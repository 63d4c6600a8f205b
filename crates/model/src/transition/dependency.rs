//! What a letter waits for changes: other letters, or room in its queue.

use redrive_core::{Cause, LetterId, Outcome, Status, Time, Trigger};

use super::{NewDocument, QueueRules, Schedule, Transition};
use crate::{Attempt, Event, Item, LetterFlags, OpContext, Phase, StampSource};

/// There is room for a letter that was over the size of its queue: it gets its schedule.
pub fn admit(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Transition {
    if let Some(letter) = item.letter_mut() {
        letter.flags.set(LetterFlags::OVERFLOW, false);
    }
    let stamp = stamps.next(op);
    let schedule = rules.decide(&item, op.for_stamp(stamp));
    item.park(schedule, rules, stamp, op.now);
    Transition::of(item, Event::Admitted)
}

/// Letters that this one waits for were completed, or are not waited for any more. A letter that waits for nothing else
/// gets the schedule that it would have had.
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
    Transition::of(item, Event::Unblocked)
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
        // It is claimed or archived: it finds its schedule when it comes back.
        before.due = before.due.or(due);
    }
}

/// Letters that this one waits for are exhausted, archived or gone: it is exhausted as well. `status` is that of the first,
/// `None` where it is gone. It no longer waits for the lost ones.
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
        return Transition::of(item, Event::Unblocked);
    }
    item.park(Schedule::EXHAUSTED, rules, stamps.next(op), op.now);
    Transition::of(item, Event::DependencyLost).with(record)
}

/// Why a letter is exhausted that was not tried.
fn lost_record(lost: LetterId, status: Option<Status>, now: Time) -> Attempt {
    let became = status.map_or_else(|| "gone".to_owned(), |status| status.to_string());
    Attempt {
        cause: Some(Cause::LostDependency),
        ended_at: Some(now),
        error: format!("letter {lost}, which it waited for, is {became}"),
        ..Attempt::new(Trigger::Automatic, Outcome::Failure)
    }
}

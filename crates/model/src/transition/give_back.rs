//! The holder gives an item back untried: no attempt is spent.

use redrive_core::{DeathReason, Time, Trigger};

use super::{PendingDeath, QueueRules, Step, Transition};
use crate::{Event, Item, OpContext, Phase, StampSource};

/// The item can be leased again at once.
pub fn release(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Step {
    if item.has_expired(op.now) {
        return Step::Dies(item, PendingDeath::of(DeathReason::Expired));
    }
    let rest = rules.archived_at(&item, op.now);
    item.restamp(stamps.next(op));
    item.give_attempt_back();
    let due = item.letter().and_then(|letter| letter.before.as_ref()?.due).filter(|_| !item.is_blocked());
    (item.phase, item.at) = due.map_or((Phase::Ready, rest), |due| (Phase::Due, due));
    item.unclaim();
    Transition::of(item, Event::Released).into()
}

/// The item is not offered before `until`. A letter that was claimed manually goes back to its old schedule.
pub fn defer(
    mut item: Item,
    rules: &QueueRules<'_>,
    until: Time,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Step {
    if item.has_expired(op.now) {
        return Step::Dies(item, PendingDeath::of(DeathReason::Expired));
    }
    let rest = rules.archived_at(&item, op.now);
    item.restamp(stamps.next(op));
    item.give_attempt_back();
    (item.phase, item.at) = match item.letter() {
        // It goes back to those that wait for room, or for other letters.
        Some(letter) if letter.is_overflow() || item.is_blocked() => (Phase::Ready, rest),
        Some(letter) => match letter.trigger {
            Trigger::Manual => {
                let due = letter.before.as_ref().and_then(|before| before.due);
                due.map_or((Phase::Ready, rest), |due| (Phase::Due, due))
            }
            Trigger::Automatic | Trigger::Replay => (Phase::Due, until),
        },
        None if until > op.now => (Phase::Scheduled, until),
        None => (Phase::Ready, Time::MAX),
    };
    item.unclaim();
    Transition::of(item, Event::Deferred).into()
}

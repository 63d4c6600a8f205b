//! The holder returns an item without an attempt: no attempt is charged.

use redrive_core::{DeathReason, Time, Trigger};

use super::{PendingDeath, QueueRules, Step, Transition};
use crate::{Event, Item, OpContext, Phase, StampSource};

/// Makes the item available immediately. A plain item is as if it had not been delivered, except for its id: it has its
/// earlier number of deliveries and its earlier place. `cleared_up_to` is the last serial number at which the ready items
/// of its partition were cleared.
pub fn release(
    mut item: Item,
    rules: &QueueRules<'_>,
    cleared_up_to: u64,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Step {
    if item.has_expired(op.now) {
        return Step::Dies(item, PendingDeath::of(DeathReason::Expired));
    }
    let rest = rules.archived_at(&item, op.now);
    // An id with its earlier place would count as cleared if the items before it were.
    let keeps_place = item.letter().is_none() && item.stamp.serial > cleared_up_to;
    item.restamp(if keeps_place { item.stamp.renewed() } else { stamps.next(op) });
    if item.letter().is_none() {
        item.deliveries = item.deliveries.saturating_sub(1);
        if item.deliveries == 0 {
            item.set_first_received_at(None);
        }
    }
    item.uncharge_attempt();
    let due = item.letter().and_then(|letter| letter.before.as_ref()?.due).filter(|_| !item.is_blocked());
    (item.phase, item.at) = due.map_or((Phase::Ready, rest), |due| (Phase::Due, due));
    item.unclaim();
    Transition::of(item, Event::Released, op.now).into()
}

/// Makes the item available at `until`. A letter that was claimed manually returns to its previous schedule.
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
    item.uncharge_attempt();
    (item.phase, item.at) = match item.letter() {
        // The letter waits for space or for its dependencies again.
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
    Transition::of(item, Event::Deferred, op.now).into()
}

//! A claim ran out, or its holder is gone: what its attempt did is unknown.

use redrive_core::{Time, Trigger};

use super::{NewDocument, PendingDeath, QueueRules, Step, Transition};
use crate::{Attempt, Event, Item, LetterFlags, OpContext, Phase, StampSource};

/// A plain item is offered again; or it dies, where its attempts or its time are spent.
pub fn lose_item(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Step {
    let lost = NewDocument::attempt(&Attempt::lost(Trigger::Automatic, op.now));
    if let Some(reason) = rules.death_after_attempt(&item, true, op.now) {
        return Step::Dies(item, PendingDeath { reason, documents: vec![lost] });
    }
    item.restamp(stamps.next(op));
    (item.phase, item.at) = (Phase::Ready, Time::MAX);
    Transition::of(item, Event::LeaseExpired).with([lost]).into()
}

/// A letter counts the attempt as failed and is scheduled anew.
pub fn lose_letter(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Transition {
    let trigger = item.letter().map_or(Trigger::Manual, |letter| letter.trigger);
    item.count_failed_retry(None, true, op.now);
    if let Some(letter) = item.letter_mut() {
        letter.flags.set(LetterFlags::OUTCOME_UNKNOWN, true);
    }
    let stamp = stamps.next(op);
    let schedule = rules.decide(&item, op.for_stamp(stamp));
    item.park(schedule, rules, stamp, op.now);
    Transition::of(item, Event::LeaseExpired).with([NewDocument::attempt(&Attempt::lost(trigger, op.now))])
}

//! A claim expired or its holder disappeared: the effect of the attempt is unknown.

use redrive_core::{Time, Trigger};

use super::{NewDocument, PendingDeath, QueueRules, Step, Transition};
use crate::{Attempt, Event, Item, LetterFlags, OpContext, Phase, StampSource};

/// Requeues a plain item, or lets it die if it has no attempts left or has expired.
pub fn lose_item(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Step {
    let lost = NewDocument::attempt(&Attempt::lost(Trigger::Automatic, op.now));
    if let Some(reason) = rules.death_after_attempt(&item, true, op.now) {
        return Step::Dies(item, PendingDeath { reason, documents: vec![lost] });
    }
    item.restamp(stamps.next(op));
    (item.phase, item.at) = (Phase::Ready, Time::MAX);
    Transition::of(item, Event::LeaseExpired, op.now).with([lost]).into()
}

/// Charges the attempt of a letter as failed and schedules the letter again.
pub fn lose_letter(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Transition {
    let trigger = item.letter().map_or(Trigger::Manual, |letter| letter.trigger);
    item.count_failed_retry(None, true, op.now);
    if let Some(letter) = item.letter_mut() {
        letter.flags.set(LetterFlags::OUTCOME_UNKNOWN, true);
    }
    item.reschedule(rules, op, stamps);
    Transition::of(item, Event::LeaseExpired, op.now).with([NewDocument::attempt(&Attempt::lost(trigger, op.now))])
}

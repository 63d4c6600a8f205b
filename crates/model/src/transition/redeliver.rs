//! The work failed permanently and its hand-over failed.

use redrive_core::{Time, Trigger};

use super::{NewDocument, Transition};
use crate::{Attempt, Event, Item, LetterFlags, OpContext, Phase, StampSource};

/// Delivers an item again for its hand-over only, not before `at`: the handler does not run again.
pub fn redeliver_for_hand_over(
    mut item: Item,
    at: Time,
    attempt: Option<&Attempt>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let documents = NewDocument::of_failure(&item, attempt, true, op.now);
    item.restamp(stamps.next(op));
    // A letter from an automatic claim becomes due for automatic claims again.
    let is_claimed_again = item.letter().is_some_and(|letter| letter.trigger != Trigger::Manual);
    (item.phase, item.at) = match is_claimed_again {
        true => (Phase::Due, at.max(op.now)),
        false if at > op.now => (Phase::Scheduled, at),
        false => (Phase::Ready, Time::MAX),
    };
    item.mark_hand_over_only();
    // The letter waits for its hand-over, not for space in the queue.
    if let Some(letter) = item.letter_mut() {
        letter.flags.set(LetterFlags::OVERFLOW, false);
    }
    item.count_failed_retry(attempt, true, op.now);
    item.unclaim();
    Transition::of(item, Event::RedeliveredForHandOver, op.now).with(documents)
}

//! The work failed for good, and could not be handed over.

use redrive_core::{Outcome, Time, Trigger};

use super::{NewDocument, Transition};
use crate::{Attempt, Event, Item, LetterFlags, OpContext, Phase, StampSource};

/// Delivers an item again for its hand-over only: the handler does not run again.
pub fn redeliver_for_hand_over(
    mut item: Item,
    attempt: Option<&Attempt>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let documents: Vec<NewDocument> = NewDocument::of_charged(&item, attempt, Outcome::Failure, op.now).collect();
    item.restamp(stamps.next(op));
    // A letter that an automatic claim had goes back to the automatic claims.
    let is_claimed_again = item.letter().is_some_and(|letter| letter.trigger != Trigger::Manual);
    (item.phase, item.at) = if is_claimed_again { (Phase::Due, op.now) } else { (Phase::Ready, Time::MAX) };
    item.is_hand_over_only = true;
    // It was tried: it waits for its hand-over, not for room.
    if let Some(letter) = item.letter_mut() {
        letter.flags.set(LetterFlags::OVERFLOW, false);
    }
    item.count_failed_retry(attempt, true, op.now);
    item.unclaim();
    Transition::of(item, Event::RedeliveredForHandOver).with(documents)
}

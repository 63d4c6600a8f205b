//! What a change of a letter is counted under, besides the reason that its fact gives.

use redrive_core::Trigger;

use super::{Ending, Why};
use crate::letter::Letter;

/// At most so many counts come of one change.
const NEWS_MAX: usize = 2;

/// What is new about a letter, by what it was in this queue before.
pub(crate) fn news(why: Why, before: Option<&Letter>, after: Option<&Letter>) -> [Option<Why>; NEWS_MAX] {
    let Some(after) = after else { return [None; NEWS_MAX] };
    let Some(before) = before else { return [Some(Why::LetterMade), None] };
    let by_hand = after.trigger != Trigger::Automatic;
    let is_charged = after.retries > before.retries;
    match why {
        Why::Claimed if by_hand => [Some(Why::RetriedByHand), None],
        Why::LetterCompleted if by_hand => [Some(Why::SucceededByHand), None],
        Why::Deferred => [Some(Why::LetterDeferred), None],
        // The attempt was under way when the claim ran out, or when the letter was archived.
        Why::LeaseExpired | Why::Restored if is_charged => [Some(Why::AttemptLost), None],
        _ if is_charged => [Some(Why::RetryCharged), by_hand.then_some(Why::ChargedByHand)],
        _ => [None; NEWS_MAX],
    }
}

/// How a letter went that ceased to be.
pub(crate) const fn parting(ending: Ending) -> [Option<Why>; NEWS_MAX] {
    match ending {
        Ending::Purged => [Some(Why::LetterCleared), None],
        Ending::Completed => [Some(Why::LetterForgotten), Some(Why::CompletedForgotten)],
        Ending::Expired => [Some(Why::LetterForgotten), Some(Why::LetterExpired)],
        // Archived ones are counted by their ending: no others have it.
        Ending::Forgotten | Ending::Dropped | Ending::Duplicate => [Some(Why::LetterForgotten), None],
    }
}

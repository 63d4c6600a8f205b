//! A result that comes when its claim is over.
//!
//! It changes nothing: another holder may be at work by now, or the letter was archived. But it says what an attempt did of
//! which nothing was known, so it is kept with the letter.

use redrive_core::{Cause, Outcome, Time, Trigger};

use super::{NewDocument, Transition};
use crate::{Attempt, Event, Item, SettleAction, Stamp};

/// Keeps what was reported under an id that a letter had earlier. Which of its ids a holder had is not remembered; a record
/// under another one does no harm.
pub fn late_result(item: Item, id: Stamp, action: SettleAction, now: Time) -> Option<Transition> {
    let letter = item.letter()?;
    // A reinstated letter has its ids since then, whatever its own id says.
    let first = item.rare().first.unwrap_or_else(|| Stamp::split(letter.id.ksuid()).0);
    if !(first.serial..item.stamp.serial).contains(&id.serial) {
        return None;
    }
    let late = NewDocument::attempt(&attempt_of(action, letter.trigger, now)?);
    Some(Transition::of(item, Event::Annotated).with([late]))
}

/// The record of the attempt; `None` where the action reports none.
fn attempt_of(action: SettleAction, trigger: Trigger, now: Time) -> Option<Attempt> {
    let attempt = match action {
        SettleAction::Complete { attempt } => {
            attempt.map_or_else(|| Attempt::ended(trigger, Outcome::Success, now), |attempt| *attempt)
        }
        SettleAction::Retry { attempt, .. } | SettleAction::Dead { attempt, .. } => *attempt?,
        SettleAction::Release
        | SettleAction::Defer { .. }
        | SettleAction::Lost
        | SettleAction::RedeliverForHandOver { .. } => return None,
    };
    Some(Attempt { cause: Some(Cause::Late), ..attempt })
}

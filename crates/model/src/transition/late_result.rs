//! A result that arrives after its claim has ended.
//!
//! It does not change the letter: another holder may be working on it, or it was archived. But it is information about
//! an attempt with an unknown result, so it is recorded on the letter.

use redrive_core::{Cause, Outcome, Time, Trigger};

use super::{NewDocument, Transition};
use crate::{Attempt, Event, Item, SettleAction, Stamp};

/// Records a result that was reported under an earlier id of a letter. Which of those ids belonged to a claim is not
/// stored; a record under another one does no harm.
pub fn late_result(item: Item, id: Stamp, action: SettleAction, now: Time) -> Option<Transition> {
    let letter = item.letter()?;
    // The ids of a reinstated letter start at its reinstatement, not at its letter id.
    let first = item.rare().first.unwrap_or_else(|| Stamp::split(letter.id.ksuid()).0);
    if !(first.serial..item.stamp.serial).contains(&id.serial) {
        return None;
    }
    let late = NewDocument::attempt(&attempt_of(action, letter.trigger, now)?);
    Some(Transition::of(item, Event::Annotated, now).with([late]))
}

/// The record of the attempt; `None` if the action reports none.
fn attempt_of(action: SettleAction, trigger: Trigger, now: Time) -> Option<Attempt> {
    let attempt = match action {
        SettleAction::Complete { attempt } => {
            attempt.map_or_else(|| Attempt::ended(trigger, Outcome::Success, now), |attempt| *attempt)
        }
        SettleAction::Retry { attempt, .. } | SettleAction::Dead { attempt, .. } => *attempt?,
        SettleAction::Release
        | SettleAction::Defer { .. }
        | SettleAction::Lost
        | SettleAction::RedeliverForHandOver { .. }
        | SettleAction::Note { .. } => return None,
    };
    Some(Attempt { cause: Some(Cause::Late), ..attempt })
}

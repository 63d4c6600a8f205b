//! A result that comes when its claim is over.
//!
//! It changes nothing: somebody else may be at work by now, or nobody wants the work any more. But it says what an
//! attempt did of which nothing was known, so it is kept with the letter.

use redrive_core::{ItemId, Outcome, Time, Trigger};

use super::Verb;
use crate::fact::Facts;
use crate::queue::Why;
use crate::stamp::Stamp;
use crate::state::attempt_document;
use crate::{Attempt, Cause, Moment, State};

impl State {
    /// Keeps what is said under an id that a letter of this queue had once. Which of its ids were given to a holder
    /// is not remembered; an attempt's record under one that was not does no harm.
    pub(super) fn keep_late(&mut self, queue: u32, id: ItemId, verb: Verb, moment: Moment, facts: &mut Facts) {
        let (stamp, slot) = Stamp::split(id.ksuid());
        let Some(item) = self.live(slot).filter(|item| item.queue == queue) else { return };
        let Some(letter) = item.letter() else { return };
        // One that was put back has had its ids since then, whatever its own says.
        let put_back = item.rare().first;
        let first = put_back.unwrap_or_else(|| Stamp::split(letter.id.ksuid()).0);
        if !(first.serial..item.stamp.serial).contains(&stamp.serial) {
            return;
        }
        if let Some(late) = verb.late(letter.trigger, moment.now) {
            self.revise(slot, Why::Annotated, attempt_document(Some(&late)), facts, |_| {});
        }
    }
}

impl Verb {
    /// The record of an attempt whose result comes late; `None` where nothing is said of one.
    fn late(self, trigger: Trigger, now: Time) -> Option<Attempt> {
        let attempt = match self {
            Self::Complete { attempt } => {
                attempt.map_or_else(|| Attempt::ended(trigger, Outcome::Success, now), |attempt| *attempt)
            }
            Self::Retry { attempt, .. } | Self::Dead { attempt, .. } => *attempt?,
            Self::Release | Self::Defer { .. } | Self::Condemn { .. } => return None,
        };
        Some(Attempt { cause: Some(Cause::Late), ..attempt })
    }
}

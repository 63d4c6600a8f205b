//! A letter is completed. A completed plain item is removed instead.

use redrive_core::{Outcome, Status};

use super::{NewDocument, QueueRules, Transition};
use crate::{Attempt, Event, Item, LetterFlags, OpContext, Phase};

/// Completes a letter. It is kept for the queue's `completed_retention`, so that a repeated capture of the same failure
/// is recognised.
pub fn complete_letter(mut item: Item, rules: &QueueRules<'_>, attempt: Option<&Attempt>, op: OpContext) -> Transition {
    let documents = NewDocument::of_charged(&item, attempt, Outcome::Success, op.now).collect::<Vec<_>>();
    item.phase = Phase::Finished;
    item.at = op.now.saturating_add(rules.letters.completed_retention);
    item.wait_for(Vec::new());
    if let Some(letter) = item.letter_mut() {
        letter.status = Status::Completed;
        letter.total_attempts = letter.total_attempts.saturating_add(1);
        letter.ended_at = Some(op.now).into();
        letter.before = None;
        letter.flags.set(LetterFlags::OVERFLOW, false);
    }
    Transition::of(item, Event::LetterCompleted, op.now).with(documents)
}

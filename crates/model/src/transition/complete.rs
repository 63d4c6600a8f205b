//! A letter is completed. A completed plain item is removed instead.

use redrive_core::{Outcome, Status};

use super::{NewDocument, QueueRules, Transition};
use crate::{Attempt, Event, Item, Letter, LetterFlags, OpContext, Phase, StampSource};

/// Completes a letter. It is kept for the queue's `completed_retention`, so that a repeated capture of the same failure
/// is recognised.
///
/// If the attempt handed the work back, the work may have failed again already: then the retry has failed.
pub fn complete_letter(
    mut item: Item,
    rules: &QueueRules<'_>,
    attempt: Option<&Attempt>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let record = [NewDocument::record(&item, attempt, Outcome::Success, op.now)];
    if let Some(letter) = item.letter_mut().filter(|letter| letter.has_failed_again()) {
        letter.retries = letter.retries.saturating_add(1);
        letter.total_attempts = letter.total_attempts.saturating_add(1);
        letter.flags.set(LetterFlags::OVERFLOW, false);
        item.reschedule(rules, op, stamps);
        return Transition::of(item, Event::RetryFailed, op.now).with(record);
    }
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
    Transition::of(item, Event::LetterCompleted, op.now).with(record)
}

impl Letter {
    /// Whether the work has failed again before the running attempt was settled.
    fn has_failed_again(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.has_failed_again)
    }
}

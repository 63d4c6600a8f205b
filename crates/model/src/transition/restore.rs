//! An archived letter is restored to its previous state.

use redrive_core::{Status, Time};

use super::{NewDocument, QueueRules, Schedule, Transition};
use crate::{Attempt, Event, Item, Letter, LetterFlags, OpContext, Phase, StampSource};

/// Restores a letter. If it was archived during a retry, that attempt is charged as failed.
pub fn restore(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Transition {
    let Some(letter) = item.letter_mut() else { return Transition::of(item, Event::Restored, op.now) };
    let before = letter.before.take().map(|before| *before);
    let was_retrying = before.is_some_and(|before| before.status == Status::Retrying);
    letter.retries = letter.retries.saturating_add(u32::from(was_retrying));
    letter.total_attempts = letter.total_attempts.saturating_add(u32::from(was_retrying));
    if was_retrying {
        letter.flags.set(LetterFlags::OUTCOME_UNKNOWN, true);
        letter.flags.set(LetterFlags::OVERFLOW, false);
    }
    // An end before the archiving keeps its time.
    letter.ended_at = before.and_then(|before| before.since).into();
    let lost = was_retrying.then(|| NewDocument::attempt(&Attempt::lost(letter.trigger, op.now)));
    let is_overflow = letter.is_overflow();

    match before.map(|before| before.status) {
        Some(Status::Completed) => {
            letter.status = Status::Completed;
            item.phase = Phase::Finished;
            item.at = op.now.saturating_add(rules.letters.completed_retention);
        }
        Some(Status::Pending) if !is_overflow => {
            let due = before.and_then(|before| before.due).map(|due| due.max(op.now));
            item.park(Schedule { status: Status::Pending, due }, rules, stamps.next(op), op.now);
        }
        Some(Status::Exhausted) => item.park(Schedule::EXHAUSTED, rules, stamps.next(op), op.now),
        // A pending letter here is an overflow letter, which keeps waiting for space.
        Some(Status::Pending | Status::Retrying | Status::Archived) | None => item.reschedule(rules, op, stamps),
    }
    // A queue that archives exhausted letters immediately would archive it again now.
    if item.phase == Phase::Ready && item.at <= op.now {
        item.at = Time::MAX;
    }
    Transition::of(item, Event::Restored, op.now).with(lost)
}

/// Whether two archived letters can be restored together: not if both would be live with the same source id or the same
/// coordinates.
pub fn restorable_beside((item, letter): (&Item, &Letter), (other, twin): (&Item, &Letter)) -> bool {
    let is_same_message = letter.coordinates.is_some() && twin.coordinates == letter.coordinates;
    let is_same_source = item.source_id.is_some() && item.source_id == other.source_id;
    !(letter.is_live_once_restored() && twin.is_live_once_restored() && (is_same_source || is_same_message))
}

impl Letter {
    /// Whether an archived letter is live again once it is restored.
    pub fn is_live_once_restored(&self) -> bool {
        self.before.as_ref().is_none_or(|before| before.status.is_live())
    }
}

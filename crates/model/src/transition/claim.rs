//! A letter is claimed for a retry.

use redrive_core::{Span, Status, Trigger};

use super::Transition;
use crate::{
    ClaimHolder, Event, Item, Letter, LetterFlags, LetterSelector, OpContext, Phase, PriorState, Rejection, StampSource,
};

/// Checks that a letter can be claimed by its id, regardless of policy, schedule and retry limit.
///
/// # Errors
///
/// - [`Rejection::LetterConflict`] if the letter is claimed, completed or archived
/// - [`Rejection::LetterDamaged`] if its record is damaged
/// - [`Rejection::LetterHeld`] if it is held
/// - [`Rejection::LetterChanged`] if it does not have the revision of the selector
pub fn claimable(phase: Phase, letter: &Letter, selector: LetterSelector) -> Result<(), Rejection> {
    if !matches!(letter.status, Status::Pending | Status::Exhausted) {
        return Err(Rejection::LetterConflict { letter: letter.id, status: letter.status, verb: "retried" });
    }
    if phase == Phase::Damaged {
        return Err(Rejection::LetterDamaged(letter.id));
    }
    if letter.flags.has(LetterFlags::HELD) {
        return Err(Rejection::LetterHeld(letter.id));
    }
    if selector.revision.is_some_and(|revision| revision != letter.revision) {
        return Err(Rejection::LetterChanged { letter: letter.id, revision: letter.revision });
    }
    Ok(())
}

/// Claims a letter for the retry processor of the server, under a new id: the id of an earlier holder becomes stale.
pub fn claim(
    mut item: Item,
    trigger: Trigger,
    lease: Span,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let due = (item.phase == Phase::Due).then_some(item.at);
    item.restamp(stamps.next(op));
    item.phase = Phase::Leased;
    item.at = op.now.saturating_add(lease);
    item.attempts = item.attempts.saturating_add(1);
    item.deliveries = item.deliveries.saturating_add(1);
    if let Some(letter) = item.letter_mut() {
        letter.before = Some(Box::new(PriorState { holder: ClaimHolder::Server, ..PriorState::of(letter, due) }));
        letter.status = Status::Retrying;
        letter.trigger = trigger;
    }
    Transition::of(item, Event::Claimed, op.now)
}

//! A letter is claimed to be retried.

use redrive_core::{Span, Status, Trigger};

use super::Transition;
use crate::{
    ClaimHolder, Event, Item, Letter, LetterFlags, LetterSelector, OpContext, Phase, PriorState, Rejection, StampSource,
};

/// Whether a letter can be claimed by its id. Policy, schedule and budget do not matter then.
///
/// # Errors
///
/// With [`Rejection::LetterConflict`] where it is claimed, completed or archived; with [`Rejection::LetterHeld`] where it
/// is held; with [`Rejection::LetterDamaged`] where its record is damaged; with [`Rejection::LetterChanged`] where it no
/// longer has the revision that the selector names.
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
    if selector.revision.is_some_and(|seen| seen != letter.revision) {
        return Err(Rejection::LetterChanged { letter: letter.id, revision: letter.revision });
    }
    Ok(())
}

/// The letter gets a holder, the processor of the server, and a new id: an earlier holder's id is stale.
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
    Transition::of(item, Event::Claimed)
}

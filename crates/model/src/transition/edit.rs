//! An operator edits or annotates a letter.

use bytes::Bytes;
use redrive_core::{PolicySource, Status};

use super::{NewDocument, QueueRules, Transition};
use crate::{Edit, Event, Item, OpContext, Phase, QueueSettings, Rejection, StampSource, check_size, retries};

/// Changes the fields of the request and schedules the letter again. The first content is kept as the original.
///
/// # Errors
///
/// If the letter is claimed, completed, archived or damaged, or a value is out of range for its queue.
pub fn edit(
    mut item: Item,
    request: &Edit,
    rules: &QueueRules<'_>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Result<Transition, Rejection> {
    let Some(letter) = item.letter() else { return Err(Rejection::NoSuchLetter(request.letter)) };
    if !matches!(letter.status, Status::Pending | Status::Exhausted) {
        return Err(Rejection::LetterConflict { letter: request.letter, status: letter.status, verb: "edited" });
    }
    if item.phase == Phase::Damaged {
        return Err(Rejection::LetterDamaged(request.letter));
    }
    let Some(letter) = item.letter_mut() else { return Err(Rejection::NoSuchLetter(request.letter)) };
    if request.max_retries.is_some_and(|most| most > QueueSettings::MAX_RETRIES_MAX) {
        return Err(Rejection::TooManyRetries);
    }
    request.policy.map_or(Ok(()), |policy| rules.letters.check_policy(policy))?;
    if let Some(content) = &request.content {
        content.check()?;
        check_size(content, rules.letters.letter_bytes_max)?;
        letter.edition = Some(Box::new(content.digest()));
    }
    letter.max_retries = request.max_retries.map_or(letter.max_retries, retries);
    if let Some(policy) = request.policy {
        letter.policy = policy;
        letter.policy_source = PolicySource::Explicit;
    }
    item.priority = request.priority.unwrap_or(item.priority);
    item.reschedule(rules, op, stamps);
    Ok(Transition::of(item, Event::Edited, op.now).with(request.content.clone().map(NewDocument::Edited)))
}

/// Adds a note to a letter in any state.
pub fn annotate(item: Item, note: Bytes, op: OpContext) -> Transition {
    Transition::of(item, Event::Annotated, op.now).with([NewDocument::note(note)])
}

//! A letter is archived: it is no longer retried, and its source id is freed.

use redrive_core::{Status, Time};

use super::{QueueRules, Transition};
use crate::{Event, Item, OpContext, Phase, PriorState, StampSource};

/// Archives a letter in any state, under a new id: the id of a holder becomes stale, and its result is late.
pub fn archive(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Transition {
    let due = (item.phase == Phase::Due).then_some(item.at);
    item.restamp(stamps.next(op));
    item.phase = Phase::Finished;
    item.at = rules.letters.archive_retention.map_or(Time::MAX, |retention| op.now.saturating_add(retention));
    if let Some(letter) = item.letter_mut() {
        letter.before = Some(Box::new(PriorState::of(letter, due)));
        letter.status = Status::Archived;
        letter.ended_at = Some(op.now).into();
    }
    Transition::of(item, Event::Archived, op.now)
}

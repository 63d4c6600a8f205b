//! The time of an item has come.

use redrive_core::{DeathReason, Status};

use super::{PendingDeath, QueueRules, Step, Transition, archive, lose_item, lose_letter};
use crate::{EndReason, Event, Item, OpContext, Phase, StampSource};

/// What happens to an item whose timer has passed: it is promoted, expires, loses its claim, is archived or removed, or its
/// dead queue is looked for again.
pub fn due(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Step {
    match item.phase {
        Phase::Ready if item.at <= item.expires_at => archive(item, rules, op, stamps).into(),
        Phase::Ready => expire(item),
        Phase::Leased if item.letter().is_some() => lose_letter(item, rules, op, stamps).into(),
        Phase::Leased => lose_item(item, rules, op, stamps),
        Phase::Scheduled if item.expires_at < op.now => expire(item),
        // A letter that is due waits for a claim, not for its time, and has no timer.
        Phase::Scheduled | Phase::Due => {
            let rest = rules.archived_at(&item, op.now);
            item.restamp(stamps.next(op));
            (item.phase, item.at) = (Phase::Ready, rest);
            Transition::of(item, Event::Promoted).into()
        }
        Phase::Stranded => {
            let reason = item.rare().death.unwrap_or(DeathReason::GivenUp);
            Step::Dies(item, PendingDeath::of(reason))
        }
        // It has no timer either: it stays as it is.
        Phase::Damaged => Transition::of(item, Event::SetAside).into(),
        Phase::Finished => {
            let is_completed = item.letter().is_some_and(|letter| letter.status == Status::Completed);
            Transition::Gone(if is_completed { EndReason::Completed } else { EndReason::Forgotten }).into()
        }
    }
}

/// A letter has no dead queue to go to.
fn expire(item: Item) -> Step {
    match item.letter() {
        Some(_) => Transition::Gone(EndReason::Expired).into(),
        None => Step::Dies(item, PendingDeath::of(DeathReason::Expired)),
    }
}

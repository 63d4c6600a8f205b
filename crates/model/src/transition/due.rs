//! The timer of an item has fired.

use redrive_core::{DeathReason, Status};

use super::{PendingDeath, QueueRules, Step, Transition, archive, lose_item, lose_letter};
use crate::{EndReason, Event, Item, OpContext, Phase, StampSource};

/// Applies the timer of an item: it is promoted, expires, loses its claim, is archived or removed, or its missing dead
/// queue is looked up again.
pub fn due(mut item: Item, rules: &QueueRules<'_>, op: OpContext, stamps: &mut impl StampSource) -> Step {
    match item.phase {
        Phase::Ready if item.at <= item.expires_at => archive(item, rules, op, stamps).into(),
        Phase::Ready => expire(item),
        Phase::Leased if item.letter().is_some() => lose_letter(item, rules, op, stamps).into(),
        Phase::Leased => lose_item(item, rules, op, stamps),
        Phase::Scheduled if item.expires_at < op.now => expire(item),
        // A due letter has no timer: it waits for a claim.
        Phase::Scheduled | Phase::Due => {
            let rest = rules.archived_at(&item, op.now);
            item.restamp(stamps.next(op));
            (item.phase, item.at) = (Phase::Ready, rest);
            Transition::of(item, Event::Promoted, op.now).into()
        }
        Phase::Stranded => {
            let reason = item.rare().death.unwrap_or(DeathReason::GivenUp);
            Step::Dies(item, PendingDeath::of(reason))
        }
        // A damaged item has no timer either and stays unchanged.
        Phase::Damaged => Transition::of(item, Event::SetAside, op.now).into(),
        Phase::Finished => {
            let is_completed = item.letter().is_some_and(|letter| letter.status == Status::Completed);
            Transition::Gone(if is_completed { EndReason::Completed } else { EndReason::Forgotten }).into()
        }
    }
}

/// Expires an item. A letter has no dead queue and is removed.
fn expire(item: Item) -> Step {
    match item.letter() {
        Some(_) => Transition::Gone(EndReason::Expired).into(),
        None => Step::Dies(item, PendingDeath::of(DeathReason::Expired)),
    }
}

//! An operator gives an exhausted letter its retries back.
//!
//! The letter is scheduled as after its capture. Its attempts so far stay recorded and counted; the record of the resume
//! among them tells why there are more of them than its retries allow.

use std::sync::Arc;

use redrive_core::{Cause, Outcome, Status, Trigger};

use super::{NewDocument, QueueRules, Transition};
use crate::{Attempt, BulkResult, Event, Item, Letter, OpContext, Phase, StampSource};

/// Why a letter cannot be resumed; `None` if it can.
pub fn resume_obstacle(phase: Phase, letter: &Letter) -> Option<BulkResult> {
    if letter.status != Status::Exhausted {
        Some(BulkResult::NotExhausted)
    } else if phase == Phase::Damaged {
        Some(BulkResult::Damaged)
    } else if letter.max_retries == 0 {
        Some(BulkResult::NoRetries)
    } else {
        None
    }
}

/// Resumes an exhausted letter. Its handler runs again, even if only its hand-over was left to do.
pub fn resume(
    mut item: Item,
    rules: &QueueRules<'_>,
    actor: Option<&Arc<str>>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let record = Attempt {
        cause: Some(Cause::Resumed),
        actor: actor.cloned(),
        ..Attempt::ended(Trigger::Manual, Outcome::Deferred, op.now)
    };
    item.attempts = 0;
    item.is_hand_over_only = false;
    if let Some(letter) = item.letter_mut() {
        letter.retries = 0;
    }
    item.reschedule(rules, op, stamps);
    Transition::of(item, Event::Resumed, op.now).with([NewDocument::attempt(&record)])
}

//! A letter is handed back to its queue, and fails there again.

use std::sync::Arc;

use redrive_core::{Category, DeathReason, DelayHint, Outcome, QueueName, Trigger};

use super::die::{summary_of, text_of};
use super::{NewDocument, PendingDeath, QueueRules, Transition, complete_letter};
use crate::capture::FurtherFailure;
use crate::{Attempt, DocumentKind, Item, Letter, OpContext, Phase, StampSource};

/// Completes a letter whose work is produced into a queue in the same step.
pub fn hand_back(
    mut item: Item,
    rules: &QueueRules<'_>,
    to: &QueueName,
    actor: Option<&Arc<str>>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let record = Attempt {
        started_at: Some(op.now),
        actor: actor.cloned(),
        handed_back_to: Some(to.as_str().into()),
        ..Attempt::ended(Trigger::Manual, Outcome::Success, op.now)
    };
    item.restamp(stamps.next(op));
    item.attempts = item.attempts.saturating_add(1);
    item.deliveries = item.deliveries.saturating_add(1);
    if let Some(letter) = item.letter_mut() {
        letter.trigger = Trigger::Manual;
    }
    complete_letter(item, rules, Some(&record), op, stamps)
}

/// Whether the failure of an item that was handed back belongs to its letter: the letter was completed by that. Not if
/// another live item has its source id by now.
pub fn takes_further_failure(phase: Phase, letter: &Letter, is_source_id_free: bool) -> bool {
    phase != Phase::Damaged && letter.is_done() && is_source_id_free
}

impl FurtherFailure {
    /// The death of an item that was handed back. Of its attempts, the hand-back counted one.
    pub fn death(letter: &Letter, item: &Item, death: &PendingDeath, op: OpContext) -> Self {
        let (reason, mut documents) = (death.reason, death.documents.clone());
        let failed = item.rare().failed.unwrap_or_else(|| summary_of(reason, op.now));
        if !documents.iter().any(|document| matches!(document, NewDocument::Other(DocumentKind::Attempt, _))) {
            documents.push(NewDocument::attempt(&attempt_of(reason, failed.category, op)));
        }
        Self {
            category: failed.category,
            fingerprint: failed.fingerprint,
            failed_at: failed.last_at,
            hint: DelayHint::NONE,
            replays: letter.replays.saturating_add(1),
            other_attempts: item.attempts.saturating_sub(1),
            documents,
        }
    }
}

/// The record of a death without a reported failure.
fn attempt_of(reason: DeathReason, category: Category, op: OpContext) -> Attempt {
    Attempt {
        error: text_of(reason).to_owned(),
        category: Some(category),
        ..Attempt::ended(Trigger::Automatic, Outcome::Failure, op.now)
    }
}

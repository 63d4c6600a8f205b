//! Turns a failure into a new letter, or merges it into an existing one.

use redrive_core::{Attempts, CaptureReason, LetterId, PolicySource, RetryPolicy, Status, Time};
use std::sync::Arc;

use super::NewLetterStep;
use crate::letter::FirstFailure;
use crate::transition::{NewDocument, QueueRules, Transition};
use crate::{
    Captured, DocumentRef, Event, FailureSummary, Item, ItemExtension, Letter, LetterFlags, NewLetter, OpContext,
    PendingLetter, Phase, RetryTerms, StampSource,
};

/// Creates a letter. Its header and content are stored in one record.
pub fn captured(
    pending: PendingLetter<'_>,
    step: NewLetterStep,
    rules: &QueueRules<'_>,
    (queue, partition, slot): (u32, u32, u32),
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Item {
    let (new, prepared) = (pending.letter, pending.prepared());
    let stamp = stamps.next(op);
    let terms = RetryTerms { policy: new.policy, source: new.policy_source, max_retries: new.max_retries };
    let mut letter = Letter::new(FirstFailure {
        id: stamp.letter_id(slot),
        generation: step.generation,
        terms,
        failed: FailureSummary {
            category: new.category,
            fingerprint: new.fingerprint,
            first_at: new.failed_at,
            last_at: new.failed_at,
        },
        destination: Arc::clone(&new.destination),
        coordinates: pending.coordinates().copied(),
        digest: Some(prepared.digest),
    });
    letter.revision = 1;
    letter.updated_at = op.now;
    letter.flags.set(LetterFlags::OVERFLOW, step.is_over);
    let mut item = Item {
        stamp,
        created_at: op.now,
        expires_at: rules.letter_expiry(op.now),
        at: Time::MAX,
        source_id: Some(new.source_id.clone()),
        extra: Some(Box::new(ItemExtension { letter: Some(letter), ..ItemExtension::default() })),
        place: DocumentRef::NONE,
        queue,
        partition,
        attempts: 0,
        deliveries: 0,
        max_attempts: rules.settings.max_attempts,
        phase: Phase::Ready,
        priority: new.priority,
        is_hand_over_only: false,
        is_filed: false,
    };
    item.wait_for(step.waits_for);
    let schedule = rules.schedule(terms, new.hint, Attempts::charged(1, op.now), op.for_stamp(stamp));
    item.park(schedule, rules, stamp, op.now);
    item
}

/// Merges a further failure of the same work into its live letter: adds the record of the attempt, without charging a
/// retry.
pub fn merged(
    mut item: Item,
    new: &NewLetter,
    rules: &QueueRules<'_>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let mut is_rescheduled = false;
    if let Some(letter) = item.letter_mut().filter(|letter| letter.status != Status::Retrying) {
        letter.category = new.category;
        letter.fingerprint = new.fingerprint;
        letter.last_failed_at = new.failed_at.max(letter.last_failed_at);
        // A derived policy, and with it the schedule, follows the latest failure.
        let derived = new.category.derived_policy();
        is_rescheduled = letter.policy_source == PolicySource::Derived && letter.policy != derived;
        letter.policy = if is_rescheduled { derived } else { letter.policy };
    }
    if is_rescheduled {
        let stamp = stamps.next(op);
        let schedule = rules.decide_hinted(&item, new.hint, op.for_stamp(stamp));
        item.park(schedule, rules, stamp, op.now);
    }
    Transition::of(item, Event::Merged, op.now).with([NewDocument::attempt(&new.attempt)])
}

impl Captured {
    /// The reply for a failure whose letter, or the plain item that holds its source id, is in this slot.
    pub fn of(item: &Item, slot: u32, reason: CaptureReason) -> Self {
        match item.letter() {
            Some(letter) => Self {
                letter: letter.id,
                generation: letter.generation,
                status: letter.status,
                policy: letter.policy,
                max_retries: u32::from(letter.max_retries),
                reason,
            },
            None => Self {
                letter: LetterId::new(item.stamp.id(slot).ksuid()),
                generation: 0,
                status: Status::Pending,
                policy: RetryPolicy::Never,
                max_retries: 0,
                reason,
            },
        }
    }
}

//! Turns a failure into a new letter, or merges it into an existing one.

use std::sync::Arc;

use redrive_core::{
    Attempts, CaptureReason, Category, DelayHint, Fingerprint, LetterId, PolicySource, RetryPolicy, Status, Time,
};

use super::NewLetterStep;
use crate::letter::FirstFailure;
use crate::transition::{NewDocument, QueueRules, Transition};
use crate::{
    Captured, Event, FailureSummary, Item, ItemExtension, Letter, LetterFlags, MaybeTime, NewLetter, OpContext,
    PendingLetter, RetryTerms, StampSource,
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
        replays: new.context.origin.replays,
        digest: Some(prepared.digest),
    });
    letter.revision = 1;
    letter.updated_at = op.now;
    letter.flags.set(LetterFlags::OVERFLOW, step.is_over);
    letter.flags.set(LetterFlags::OF_SOURCE, new.is_of_source);
    let mut item = Item {
        created_at: op.now,
        expires_at: rules.letter_expiry(op.now),
        source_id: Some(new.source_id.clone()),
        extra: Some(Box::new(ItemExtension { letter: Some(letter), ..ItemExtension::default() })),
        queue,
        partition,
        max_attempts: rules.settings.max_attempts,
        priority: new.priority,
        ..Item::blank(stamp)
    };
    item.wait_for(step.waits_for);
    let schedule = rules.schedule(terms, new.hint, Attempts::charged(1, op.now), op.for_stamp(stamp));
    item.park(schedule, rules, stamp, op.now);
    item
}

/// A further failure of the work of a letter.
#[derive(Debug)]
pub struct FurtherFailure {
    pub category: Category,
    pub fingerprint: Fingerprint,
    pub failed_at: Time,
    /// The delay that the failure requests.
    pub hint: DelayHint,
    /// How often the work had been handed back before it failed.
    pub replays: u32,
    /// Attempts of the work beside the one that this failure ended.
    pub other_attempts: u32,
    /// The documents of the failure, the record of the attempt among them.
    pub documents: Vec<NewDocument>,
}

impl FurtherFailure {
    /// A failure that was reported by a caller.
    pub fn captured(new: &NewLetter) -> Self {
        Self {
            category: new.category,
            fingerprint: new.fingerprint,
            failed_at: new.failed_at,
            hint: new.hint,
            replays: new.context.origin.replays,
            other_attempts: 0,
            documents: vec![NewDocument::attempt(&new.attempt)],
        }
    }
}

/// Merges a further failure of the same work into its live letter: adds the record of the attempt, without charging a
/// retry.
pub fn merged(
    mut item: Item,
    failure: FurtherFailure,
    rules: &QueueRules<'_>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let mut is_rescheduled = false;
    if let Some(letter) = item.letter_mut().filter(|letter| letter.status != Status::Retrying) {
        is_rescheduled = letter.note_newest(&failure);
    }
    if is_rescheduled {
        let stamp = stamps.next(op);
        let schedule = rules.decide_hinted(&item, failure.hint, op.for_stamp(stamp));
        item.park(schedule, rules, stamp, op.now);
    }
    Transition::of(item, Event::Merged, op.now).with(failure.documents)
}

/// Records that work which was handed back has failed again. If its letter was completed by that, it is open again, and
/// its retry has failed. A letter that was archived unsolved stays archived.
pub fn failed_again(
    mut item: Item,
    failure: FurtherFailure,
    rules: &QueueRules<'_>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let Some(letter) = item.letter_mut() else { return merged(item, failure, rules, op, stamps) };
    letter.replays = letter.replays.max(failure.replays);
    letter.total_attempts = letter.total_attempts.saturating_add(failure.other_attempts);
    match letter.status {
        Status::Pending | Status::Exhausted => return merged(item, failure, rules, op, stamps),
        // The result of the running attempt decides: it may be that the work was handed back.
        Status::Retrying => {
            letter.note_newest(&failure);
            if let Some(before) = &mut letter.before {
                before.has_failed_again = true;
            }
        }
        Status::Completed | Status::Archived if letter.is_done() => {
            letter.note_newest(&failure);
            letter.retries = letter.retries.saturating_add(1);
            letter.ended_at = MaybeTime::NONE;
            item.is_hand_over_only = false;
            // As of a new letter: it would be removed at once if its time had passed meanwhile.
            item.expires_at = rules.letter_expiry(op.now);
            let stamp = stamps.next(op);
            let schedule = rules.decide_hinted(&item, failure.hint, op.for_stamp(stamp));
            item.park(schedule, rules, stamp, op.now);
        }
        Status::Completed | Status::Archived => {}
    }
    Transition::of(item, Event::Merged, op.now).with(failure.documents)
}

impl Letter {
    /// Notes the newest failure. Returns whether the policy changed: a derived one, and with it the schedule, follows the
    /// newest failure.
    fn note_newest(&mut self, failure: &FurtherFailure) -> bool {
        self.category = failure.category;
        self.fingerprint = failure.fingerprint;
        self.last_failed_at = failure.failed_at.max(self.last_failed_at);
        let derived = failure.category.derived_policy();
        let is_changed = self.policy_source == PolicySource::Derived && self.policy != derived;
        self.policy = if is_changed { derived } else { self.policy };
        is_changed
    }

    /// Whether the letter is completed, or was before it was archived.
    pub(crate) fn is_done(&self) -> bool {
        let archived_from = self.before.as_ref().filter(|_| self.status == Status::Archived);
        self.status == Status::Completed || archived_from.is_some_and(|before| before.status == Status::Completed)
    }
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

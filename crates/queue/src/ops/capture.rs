//! Capture failures as letters.

use std::sync::Arc;

use redrive_core::CaptureReason;
use redrive_model::capture::{
    CaptureStep, FurtherFailure, NewLetterStep, Target, captured, check, failed_again, merged, plan,
};
use redrive_model::{Capture, Captured, Event, OpContext, PendingLetter, Rejection, check_count};

use crate::fact::{Attach, Fact};
use crate::state::QueueItems;
use crate::{Apply, Facts, State};

impl Apply for Capture {
    type Reply = Result<Vec<Captured>, Rejection>;

    /// Returns one result per letter. If one of them is rejected, none is captured; rejections by a full queue are
    /// counted.
    fn apply(self, state: &mut State, op: OpContext, facts: &mut Facts) -> Self::Reply {
        let queue = state.queue_number(&self.queue)?;
        let rules = state.rules(queue).ok_or_else(|| Rejection::NoSuchQueue(self.queue.clone()))?;
        let current = state.queues.get(&queue).map(|queue| queue.revision);
        if self.revision.is_some_and(|revision| current != Some(revision)) {
            return Err(Rejection::SettingsChanged);
        }
        check_count("letters", self.letters.len())?;
        self.letters.iter().try_for_each(|letter| check(letter, &rules))?;
        if state.items.next_frees().nth(self.letters.len()).is_none() {
            return Err(Rejection::NoSlots);
        }
        let steps = match plan(&self.letters, &rules, &QueueItems { state, queue }) {
            Ok(steps) => steps,
            Err(rejection) => {
                if matches!(rejection, Rejection::QueueFull { .. }) {
                    state.record(Fact::CaptureRejected { queue }, facts);
                }
                return Err(rejection);
            }
        };
        let mut made = vec![None; self.letters.len()];
        let mut answers = Vec::with_capacity(self.letters.len());
        for ((index, pending), step) in self.letters.pending().enumerate().zip(steps) {
            let slot_of = |target: Target| match target {
                Target::Slot(slot) => Some(slot),
                Target::Made(index) => made.get(index).copied().flatten(),
            };
            let (slot, reason) = match step {
                CaptureStep::Duplicate(target) => (slot_of(target), CaptureReason::Duplicate),
                CaptureStep::Merge(target) | CaptureStep::FailedAgain(target) => {
                    let (slot, failure) = (slot_of(target), FurtherFailure::captured(pending.letter));
                    if let Some(slot) = slot {
                        state.transit(slot, op, facts, |item, rules, stamps| match step {
                            CaptureStep::FailedAgain(_) => failed_again(item, failure, rules, op, stamps),
                            _ => merged(item, failure, rules, op, stamps),
                        });
                    }
                    (slot, CaptureReason::Merged)
                }
                CaptureStep::New(step) => {
                    if let Some(superseded) = step.supersedes.and_then(slot_of) {
                        state.archive(superseded, op, facts);
                    }
                    made[index] = state.capture(queue, pending, step, op, facts);
                    (made[index], CaptureReason::Enqueued)
                }
            };
            answers.extend(slot.and_then(|slot| Some(Captured::of(state.items.get(slot)?, slot, reason))));
        }
        Ok(answers)
    }
}

impl State {
    /// Creates a letter. Returns its slot.
    fn capture(
        &mut self,
        queue: u32,
        pending: PendingLetter<'_>,
        step: NewLetterStep,
        op: OpContext,
        facts: &mut Facts,
    ) -> Option<u32> {
        let slot = self.items.next_frees().next()?;
        let dead_queue = self.queues.get(&queue)?;
        let partition = dead_queue.placement.first().unwrap_or(0);
        let place = (queue, partition, slot);
        let mut item = captured(pending, step, &dead_queue.rules(&self.policy), place, op, &mut self.stamps);
        self.number_change(&mut item);
        let fact = Fact::Item { event: Event::Captured, slot, item, attach: Attach::Filed };
        self.record_filed(fact, &pending.prepared().header, Arc::clone(&pending.letter.content), facts);
        Some(slot)
    }
}

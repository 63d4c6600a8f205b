//! The holder of a lease says what became of the items.
//!
//! Ids are worked through in the order in which they came. The first that is not the caller's ends it, and
//! those before it stay as they were settled: that is what the queue API promises. What it says about a letter's
//! attempt is kept with the letter all the same.

use std::collections::HashSet;

use redrive_core::{ItemId, QueueName, Time};

use super::check_count;
use super::die::DeathReason;
use crate::fact::{Fact, Facts};
use crate::queue::Ending;
use crate::{Attempt, Moment, Refusal, State};

/// What became of leased items.
#[derive(Debug, Clone)]
pub struct Settle {
    pub queue: QueueName,
    /// The partition that the lease named; an id of another one is refused.
    pub partition: Option<u32>,
    pub items: Vec<Settlement>,
}

#[derive(Debug, Clone)]
pub struct Settlement {
    pub id: ItemId,
    pub verb: Verb,
}

/// The ways in which a delivery is finished. Where an attempt was made, its record comes along.
#[derive(Debug, Clone)]
pub enum Verb {
    /// It is done.
    Complete { attempt: Option<Box<Attempt>> },
    /// It failed, and is to be tried again: at once, or from a time on. An attempt that is not charged is given back.
    Retry { at: Option<Time>, attempt: Option<Box<Attempt>>, charged: bool },
    /// It failed for good.
    Dead { attempt: Option<Box<Attempt>>, why: GiveUp },
    /// It was not tried: somebody else may have it.
    Release,
    /// It was not tried: later.
    Defer { until: Time },
    /// It failed for good, and could not be handed over: it is delivered again for that alone.
    Condemn { attempt: Option<Box<Attempt>> },
}

/// Why work is given up; what a letter becomes by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GiveUp {
    /// All attempts are spent.
    Exhausted,
    /// Trying again by itself is pointless.
    Permanent,
    /// All attempts were spent before, and this delivery was none: it is given back first.
    Spent,
}

/// How far the operation came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// So many of the first were settled.
    pub done: usize,
    /// Why the next one was not.
    pub refused: Option<Refusal>,
}

impl Settle {
    /// Settles all items in one way.
    pub fn all(queue: QueueName, partition: Option<u32>, ids: Vec<ItemId>, verb: &Verb) -> Self {
        let items = ids.into_iter().map(|id| Settlement { id, verb: verb.clone() }).collect();
        Self { queue, partition, items }
    }

    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<Settled, Refusal> {
        let queue = state.named_with_partition(&self.queue, self.partition)?;
        check_count("items", self.items.len())?;
        let mut completed = Completed::default();
        let mut done = 0;
        for Settlement { id, verb } in self.items {
            let slot = state.leased(queue, self.partition, id, verb.participle());
            let slot = match slot {
                Ok(slot) if !completed.seen.contains(&slot) => slot,
                Ok(_) => return Ok(completed.stop(state, done, Refusal::NoSuchItem(id), facts)),
                Err(refusal) => {
                    state.keep_late(queue, id, verb, moment, facts);
                    return Ok(completed.stop(state, done, refusal, facts));
                }
            };
            done += 1;
            let is_letter = state.items.get(slot).is_some_and(|item| item.letter().is_some());
            if let Some(attempt) = verb.failed().filter(|attempt| !attempt.failed_parts.is_empty()) {
                state.keep_parts(slot, &attempt.failed_parts, facts);
            }
            match verb {
                Verb::Complete { .. } if !is_letter => completed.add(slot),
                Verb::Complete { attempt } => state.complete_letter(slot, attempt.as_deref(), moment, facts),
                Verb::Retry { at, attempt, charged } => {
                    completed.record(state, facts);
                    state.retry(slot, at, attempt.as_deref(), charged, moment, facts);
                }
                Verb::Dead { attempt, why } if is_letter => {
                    state.give_up_letter(slot, attempt.as_deref(), why, moment, facts);
                }
                Verb::Dead { attempt, why } => {
                    completed.record(state, facts);
                    if why == GiveUp::Spent {
                        state.give_attempt_back(slot, facts);
                    }
                    state.failed(slot, attempt.as_deref(), moment, facts);
                    state.die(slot, DeathReason::GivenUp, moment, facts);
                }
                Verb::Release => state.release(slot, moment, facts),
                Verb::Defer { until } => state.defer(slot, until, moment, facts),
                Verb::Condemn { attempt } => state.condemn(slot, attempt.as_deref(), moment, facts),
            }
        }
        completed.record(state, facts);
        Ok(Settled { done, refused: None })
    }
}

/// Items that are completed, on their way into one fact.
#[derive(Debug, Default)]
struct Completed {
    slots: Vec<u32>,
    seen: HashSet<u32>,
}

impl Completed {
    fn add(&mut self, slot: u32) {
        self.slots.push(slot);
        self.seen.insert(slot);
    }

    fn record(&mut self, state: &mut State, facts: &mut Facts) {
        if !self.slots.is_empty() {
            let slots = std::mem::take(&mut self.slots);
            self.seen.clear();
            state.record(Fact::Gone { ending: Ending::Completed, slots, change: 0 }, facts);
        }
    }

    fn stop(mut self, state: &mut State, done: usize, refused: Refusal, facts: &mut Facts) -> Settled {
        self.record(state, facts);
        Settled { done, refused: Some(refused) }
    }
}

impl Verb {
    /// The record of the attempt that failed, where one did.
    fn failed(&self) -> Option<&Attempt> {
        match self {
            Self::Retry { attempt, .. } | Self::Dead { attempt, .. } | Self::Condemn { attempt } => attempt.as_deref(),
            Self::Complete { .. } | Self::Release | Self::Defer { .. } => None,
        }
    }

    /// The verb in a refusal's words.
    const fn participle(&self) -> &'static str {
        match self {
            Self::Complete { .. } => "completed",
            Self::Retry { .. } | Self::Dead { .. } => "retried",
            Self::Release => "released",
            Self::Defer { .. } => "deferred",
            Self::Condemn { .. } => "condemned",
        }
    }
}

//! Intake of work: claiming deliveries and starting their attempts.

use std::sync::Arc;

use redrive_core::Span;

use super::Liveness;
use super::answers::interval;
use super::claims::{ClaimScope, Lane};
use super::clock_reading::ClockReading;
use super::engine::{Engine, EngineMode};
use super::entry::{Attempting, DeliveryEntry, EntryState, Undecided, WaitingEntry};
use super::judge::{AttemptEnd, Times, untried};
use super::task::{EndReporter, NewAttempt};
use crate::{Call, Cancel, Delivery, Handled, Resolution, Source, SourceError};

/// Maximum number of pieces of work that one claim takes for probes.
const PROBES_CLAIMED: usize = 64;

impl<S: Source> Engine<S> {
    pub(super) fn claim_work(&mut self, now: ClockReading) {
        if self.is_paused || self.mode != EngineMode::Working {
            return;
        }
        self.breakers.refresh(now.monotonic);
        // Results that the source has not taken use no slot, but beyond one per slot they reduce what is claimed.
        let backlog = self.finishing().saturating_sub(self.settings.concurrency);
        let held = self.entries.running() + self.waiting.len() + self.parked_too_many() + backlog;
        let count = match self.settings.liveness {
            Liveness::Running => self.claim_ahead.claim_count(self.settings.concurrency, held, self.waiting.len()),
            // Nothing ahead: behind a handler that hangs, work would wait with a claim that does not expire.
            Liveness::Beats => self.settings.concurrency.saturating_sub(held),
        };
        let (probed, probes) = self.to_probe();
        let wanted = ClaimScope { free: count, paused: &self.breakers.paused, probed, probes };
        self.claims.refresh(&self.source, wanted, now.monotonic);
    }

    /// The destinations of the probe claim, and how much work it asks for.
    fn to_probe(&self) -> (Vec<Arc<str>>, usize) {
        if !self.parks() {
            return (self.breakers.may_be_probed.clone(), 1);
        }
        let wanted = self.breakers.paused.iter().map(|destination| (destination, self.to_park(destination)));
        let wanted: Vec<(&Arc<str>, usize)> = wanted.filter(|(_, count)| *count > 0).collect();
        let probes = wanted.iter().map(|(_, count)| *count).min().unwrap_or_default();
        (wanted.into_iter().map(|(destination, _)| Arc::clone(destination)).collect(), probes.min(PROBES_CLAIMED))
    }

    /// Number of results that the source has not taken yet.
    pub(super) fn finishing(&self) -> usize {
        self.entries.len() - self.entries.running() - self.waiting.len() - self.parked.len() - self.undecided.len()
    }

    pub(super) fn claimed(&mut self, lane: Lane, claimed: Result<Vec<Delivery<S::Fence>>, SourceError>) {
        let now = self.read_clock();
        let has_just_arrived = self.claims.answered(lane, now.monotonic);
        match claimed {
            Ok(deliveries) => {
                self.claims.retry_delay.reset();
                for delivery in deliveries {
                    self.begin(delivery, has_just_arrived, now);
                }
            }
            Err(SourceError::Closed) => {
                tracing::info!(runner = %self.source.name(), "source closed");
                self.drain(now.monotonic.saturating_add(self.settings.drain));
            }
            Err(error) => {
                tracing::warn!(runner = %self.source.name(), %error, "claim failed");
                self.claims.retry_delay.failed(&error, now);
            }
        }
    }

    /// Accepts a delivery. Its attempt starts now, waits for a free slot, or is not made at all: the work is for its
    /// hand-over only, or its attempts are spent.
    pub(super) fn begin(&mut self, delivery: Delivery<S::Fence>, has_just_arrived: bool, now: ClockReading) {
        let Delivery { fence, work, deadline, is_hand_over_only, unrun, cancel, due } = delivery;
        self.has_letters |= work.terms.is_some();
        let times = Times { started_at: now.time, now: now.time };
        let lease = deadline.map(|deadline| deadline.since(now.time));
        let deadline = deadline.map(|deadline| now.monotonic_at(deadline));
        let random = self.random.next();
        let without_attempt = if is_hand_over_only {
            Some(self.judge.hand_over_only(&work))
        } else {
            // Work that is not spent, or that a decision keeps nevertheless, may still not be run.
            self.judge.spent(&work, times, random).or_else(|| {
                let end = AttemptEnd::Handled(Handled::Failed(unrun?));
                Some(self.judge.judge(&work, end, 0, times, random))
            })
        };
        let (_, seq) = self.entries.vacant();
        let timer = lease.map(|lease| now.monotonic.saturating_add(interval(lease)));
        let key =
            self.entries.insert(DeliveryEntry { seq, fence, lease, deadline, timer, state: EntryState::Finishing });
        match without_attempt {
            Some(judged) => self.queue_result(key, judged),
            None if self.waiting.is_empty() && self.entries.running() < self.settings.concurrency => {
                self.start(key, WaitingEntry { work, cancel, due }, None, has_just_arrived, now);
            }
            None => {
                self.entries.wait(key, WaitingEntry { work, cancel, due });
                self.waiting.push_back(key);
            }
        }
    }

    /// Starts waiting attempts while there are free slots.
    pub(super) fn fill_slots(&mut self, now: ClockReading) {
        while self.entries.running() < self.settings.concurrency
            && let Some(key) = self.waiting.pop_front()
        {
            if let Some(waiting) = self.entries.take_waiting(key) {
                self.start(key, waiting, None, false, now);
            }
        }
    }

    /// Starts an attempt, or calls undecided work again.
    pub(super) fn start(
        &mut self,
        key: usize,
        waiting: WaitingEntry,
        undecided: Option<Box<Undecided>>,
        has_just_arrived: bool,
        now: ClockReading,
    ) {
        let WaitingEntry { work, cancel, due } = waiting;
        // The source takes the claim back: work that has not begun does not begin.
        if cancel.as_ref().is_some_and(Cancel::is_withdrawn) {
            return self.finish_untried(key, Resolution::Release);
        }
        let Some(entry) = self.entries.get(key) else { return };
        let (seq, lease, claim_until, timer) = (entry.seq, entry.lease, entry.deadline, entry.timer);
        let Ok(permit) = self.breakers.admit(&work.destination, has_just_arrived, now.monotonic) else {
            return match undecided {
                Some(undecided) => self.keep_undecided(key, undecided),
                None => self.park(key, WaitingEntry { work, cancel, due }, now),
            };
        };
        if let Some(due) = due {
            self.meters.late(now.time.since(due));
        }
        let timeout = self.settings.timeout;
        let deadline = now.time.saturating_add(timeout);
        let call = Call::started(work, deadline, Arc::clone(&self.clock), now.monotonic);
        let reporter = EndReporter { entry: key, seq, ends: Arc::clone(&self.ends), ended: None };
        let span = tracing::debug_span!("attempt", runner = %self.source.name(), id = %call.id, number = call.attempt);
        self.starting.push_back(NewAttempt { call: call.clone(), cancel: cancel.clone(), reporter, span });
        // With `extend_every`, the claim is first extended at once: its length is that of the claims of a queue,
        // not of an attempt.
        let extends_now = self.settings.extend_every.is_some();
        let until_extended = |lease| if extends_now { Span::ZERO } else { interval(lease) };
        let extend_at = lease.map(|lease| now.monotonic.saturating_add(until_extended(lease)));
        // Another call of undecided work does not put off the extension of its claim.
        let earlier = timer.filter(|_| undecided.is_some());
        let attempting = Attempting {
            call,
            cancel,
            started_at: now,
            extend_at: extend_at.map(|at| earlier.map_or(at, |earlier| at.min(earlier))),
            claim_until,
            // Any number but that of the beats so far lets the first extension count as progress.
            beats: if extends_now { u32::MAX } else { 0 },
            permit,
            undecided,
            stopped: None,
        };
        self.entries.start(key, attempting, now.monotonic.saturating_add(timeout));
    }

    pub(super) fn finish_untried(&mut self, key: usize, resolution: Resolution) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.state = EntryState::Finishing;
        }
        self.queue_result(key, untried(resolution));
    }
}

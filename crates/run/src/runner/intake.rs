//! Taking work in: what is claimed, and when its attempt begins.

use std::sync::Arc;

use tracing::Instrument;

use super::answers::interval;
use super::claims::Lane;
use super::clock_reading::ClockReading;
use super::engine::{Engine, EngineMode};
use super::entry::{Attempting, DeliveryEntry, EntryState, WaitingEntry};
use super::judge::{Judged, Learned, Times};
use super::task::{Teller, run};
use crate::{Call, Delivery, Resolution, Source, SourceError};

impl<S: Source> Engine<S> {
    pub(super) fn ask_for_work(&mut self, now: ClockReading) {
        if self.is_paused || self.mode != EngineMode::Working {
            return;
        }
        self.gates.look(now.monotonic);
        // Results that are not taken hold no place, but are not to pile up either.
        let backlog = self.finishing().saturating_sub(self.settings.concurrency);
        let taken = self.entries.running() + self.next.len() + backlog;
        let wanted = self.pace.wanted(self.settings.concurrency, taken, self.next.len());
        self.claims.ask(&self.source, wanted, &self.gates, now.monotonic);
    }

    /// How many results the source has not taken yet.
    pub(super) fn finishing(&self) -> usize {
        self.entries.len() - self.entries.running() - self.next.len()
    }

    pub(super) fn claimed(&mut self, lane: Lane, claimed: Result<Vec<Delivery<S::Fence>>, SourceError>) {
        self.claims.answered(lane);
        let now = self.read_clock();
        match claimed {
            Ok(deliveries) => {
                self.claims.patience.went_well();
                for delivery in deliveries {
                    self.begin(delivery, now);
                }
            }
            Err(SourceError::Closed) => {
                tracing::info!(runner = %self.source.name(), "the source was closed");
                self.drain(now.monotonic.saturating_add(self.settings.drain));
            }
            Err(error) => {
                tracing::warn!(runner = %self.source.name(), %error, "nothing could be claimed");
                self.claims.patience.went_wrong(&error, now);
            }
        }
    }

    /// Takes a delivery in. Its attempt begins, unless there is none to make or no place for it yet.
    pub(super) fn begin(&mut self, delivery: Delivery<S::Fence>, now: ClockReading) {
        let Delivery { fence, work, deadline, is_hand_over_only, cancel, due } = delivery;
        let times = Times { started_at: now.time, now: now.time };
        let lease = deadline.map(|deadline| deadline.since(now.time));
        let deadline = deadline.map(|deadline| now.monotonic_at(deadline));
        let random = self.random.next();
        let hopeless = if is_hand_over_only {
            Some(self.judge.hand_over_only(&work))
        } else {
            self.judge.spent(&work, times, random)
        };
        let (_, seq) = self.entries.vacant();
        let timer = lease.map(|lease| now.monotonic.saturating_add(interval(lease)));
        let key =
            self.entries.insert(DeliveryEntry { seq, fence, lease, deadline, timer, state: EntryState::Finishing });
        match hopeless {
            Some(judged) => self.hand_in(key, judged),
            None if self.next.is_empty() && self.entries.running() < self.settings.concurrency => {
                self.start(key, WaitingEntry { work, cancel, due }, now);
            }
            None => {
                self.entries.wait(key, WaitingEntry { work, cancel, due });
                self.next.push_back(key);
            }
        }
    }

    /// Starts attempts where there are places.
    pub(super) fn fill_places(&mut self, now: ClockReading) {
        while self.entries.running() < self.settings.concurrency
            && let Some(key) = self.next.pop_front()
        {
            if let Some(waiting) = self.entries.take_waiting(key) {
                self.start(key, waiting, now);
            }
        }
    }

    pub(super) fn start(&mut self, key: usize, waiting: WaitingEntry, now: ClockReading) {
        let WaitingEntry { work, cancel, due } = waiting;
        let Some(entry) = self.entries.get(key) else { return };
        let (seq, lease, deadline) = (entry.seq, entry.lease, entry.deadline);
        let permit = match self.gates.admit(&work.destination, now.monotonic) {
            Ok(permit) => permit,
            Err(until) => return self.finish_untried(key, Resolution::Defer { until: now.time_at(until) }),
        };
        if let Some(change) = permit.transition() {
            self.meters.changed(&work.destination, change);
        }
        if let Some(due) = due {
            self.meters.late(now.time.since(due));
        }
        let timeout = self.settings.timeout;
        let call = Call::until(work, Some(now.time.saturating_add(timeout)));
        let teller = Teller { entry: key, seq, to: self.told.clone(), ended: None };
        let attempt = run(Arc::clone(&self.handler), call.clone(), cancel, teller);
        let span = tracing::debug_span!("attempt", runner = %self.source.name(), id = %call.id, number = call.attempt);
        let task = tokio::spawn(attempt.instrument(span)).abort_handle();
        let attempting = Attempting {
            call,
            task,
            started_at: now,
            timeout_at: now.monotonic.saturating_add(timeout),
            extend_at: lease.map(|lease| now.monotonic.saturating_add(interval(lease))),
            claim_until: deadline,
            beats: 0,
            permit: Some(permit),
            stopped: None,
        };
        self.entries.start(key, attempting);
    }

    pub(super) fn finish_untried(&mut self, key: usize, resolution: Resolution) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.state = EntryState::Finishing;
        }
        self.hand_in(key, Judged { resolution, attempt: None, learned: Learned::Nothing });
    }
}

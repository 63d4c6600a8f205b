//! Work that waits for its destination: failed work whose row has not ended, and claimed work that may not be called now.
//!
//! The circuit breaker ([`Breaker`](redrive_core::Breaker)) knows when a row of failures begins and ends, and what it
//! costs. With [`OnOutage::Pause`], the result of a failed call is kept here until then, with its claim:
//!
//! | when | what becomes of work in the row |
//! |---|---|
//! | the destination serves other work | it is settled: charged one attempt, or none if the row was an outage |
//! | its own delay is over, and there is no other work to probe with | it is called again, for the same attempt |
//! | no other work could be had for the patience of the breaker | the policy decides: it is charged |
//! | the runner stops, or the source withdraws it | it is returned without a charge |
//!
//! So the source counts an attempt when it is clear that there was one, and nothing has to be given back.
//!
//! While a destination is paused, the claim for probes takes more work than it needs: a probe is a random one of it, or
//! the newest after a served one. Work that always fails may be the first in the order of the source, and the first in
//! line is no fair sample. After the pause, what is left of it takes turns with other work.
//!
//! Letters in retry are not kept: they have their own limit, and wait at their queue, where people see and edit them. A
//! failure is charged at once, but for that of a probe while other letters show that the destination is down.

use std::ops::Bound;
use std::sync::Arc;

use futures_util::stream::FuturesUnordered;
use redrive_core::{
    BreakerConfig, FailedCall, KeyedPermit, MonotonicTime, OnOutage, RowVerdict, RowVerdicts, Span, Time,
};

use super::RunnerSettings;
use super::claims::ARRIVES_AFTER;
use super::clock_reading::ClockReading;
use super::destination_breakers::FailedStanding;
use super::engine::{Engine, EngineMode};
use super::entries_by_destination::EntriesByDestination;
use super::entry::{EntryState, Undecided, WaitingEntry};
use super::judge::Judged;
use crate::{Call, Cancel, Resolution, Source, Work, WorkId};

/// Maximum number of claimed pieces of work that wait to probe a destination.
pub(super) const PARKED_MAX: usize = 256;
/// Once the payloads of what waits have this size, no more is claimed to probe.
const PARKED_BYTES: usize = 16 << 20;
/// Maximum number of undecided pieces of work beside those that may be running when an outage begins. Beyond it, only
/// these probe.
const UNDECIDED_MAX: usize = 256;

/// How long a probe that has timed out takes to end.
const END_FOR: Span = Span::from_secs(1);
/// The longest wait before undecided work is called again that has no delay of its own.
const LONGEST_WAIT: Span = Span::from_secs(10);

/// A failed call, and what its work needs to be called again.
pub(super) struct UnservedCall {
    pub(super) call: Call,
    pub(super) cancel: Option<Cancel>,
    pub(super) permit: Option<KeyedPermit>,
    pub(super) retry_after: Option<Span>,
    /// The calls of the work in this row, including this one.
    pub(super) calls: u32,
}

impl<S: Source> Engine<S> {
    /// Whether outages pause this work.
    fn pauses(&self, work: &Work) -> bool {
        self.settings.on_outage == OnOutage::Pause && work.terms.is_none()
    }

    /// Whether work is claimed that waits to probe. Letters wait at their queue.
    pub(super) fn parks(&self) -> bool {
        self.settings.on_outage == OnOutage::Pause && !self.has_letters
    }

    // Failures

    /// Finishes work whose call has failed for a reason that may pass, or keeps it until its row has ended.
    pub(super) fn failed(&mut self, key: usize, failed: UnservedCall, judged: Judged, now: ClockReading) {
        let UnservedCall { call, cancel, permit, retry_after, calls } = failed;
        let work = Arc::clone(call.work());
        let reported = FailedCall { work: &work.id, was_sent: call.was_sent(), retry_after };
        let random = self.random.next();
        let (standing, has_paused) = self.breakers.failed(&work.destination, permit, reported, now.monotonic, random);
        if has_paused {
            self.paused(&work.destination, now);
        }
        let Some(spared_until) = judged.spared_until else { return self.queue_result(key, judged) };
        match standing {
            FailedStanding::Unknown => self.queue_result(key, judged),
            FailedStanding::InRow { is_down: true } if !self.pauses(&work) => {
                self.queue_result(key, spared(judged, spared_until));
            }
            FailedStanding::InRow { .. } | FailedStanding::Impatient if !self.pauses(&work) => {
                self.queue_result(key, judged);
            }
            FailedStanding::InRow { .. } | FailedStanding::Impatient => {
                let own = match judged.resolution {
                    Resolution::Retry { at, .. } => at.max(spared_until),
                    _ => spared_until,
                };
                // Its own delay may be zero.
                let doubled = 1_u64.checked_shl(calls - 1).unwrap_or(u64::MAX);
                let wait = BreakerConfig::FIRST_WAIT.saturating_mul(doubled).min(LONGEST_WAIT);
                let due = now.monotonic_at(own).max(now.monotonic.saturating_add(wait));
                let destination = Arc::clone(&work.destination);
                let undecided = Undecided { work, cancel, judged, spared_until, due, calls };
                self.keep_undecided(key, Box::new(undecided));
                if standing == FailedStanding::Impatient && !self.has_other_work(&destination) {
                    self.decide_impatiently(&destination);
                }
            }
        }
    }

    /// Keeps the result of a call until its row has ended. When the runner stops, nobody waits for that any more.
    pub(super) fn keep_undecided(&mut self, key: usize, undecided: Box<Undecided>) {
        if self.mode != EngineMode::Working {
            return self.queue_result(key, spared(undecided.judged, undecided.spared_until));
        }
        if let Some(cancel) = &undecided.cancel {
            self.watch(cancel);
        }
        self.undecided.add(&undecided.work.destination, key);
        self.undecided_due.insert((undecided.due, key));
        if let Some(entry) = self.entries.get_mut(key) {
            entry.state = EntryState::Undecided(undecided);
        }
    }

    fn take_undecided(&mut self, key: usize) -> Option<Box<Undecided>> {
        let undecided = self.entries.take_undecided(key)?;
        self.undecided.remove(&undecided.work.destination, key);
        self.undecided_due.remove(&(undecided.due, key));
        Some(undecided)
    }

    /// Settles failed work about which a served call has decided.
    pub(super) fn settle_decided(&mut self, destination: &Arc<str>, verdicts: &RowVerdicts<WorkId>) {
        let keys: Vec<usize> = self.undecided.of(destination).collect();
        for key in keys {
            let verdict = match self.entries.get(key).map(|entry| &entry.state) {
                Some(EntryState::Undecided(undecided)) => verdicts.of(&undecided.work.id),
                _ => None,
            };
            let Some(verdict) = verdict else { continue };
            let Some(undecided) = self.take_undecided(key) else { continue };
            match verdict {
                RowVerdict::Charged => self.queue_result(key, undecided.judged),
                RowVerdict::Forgiven => self.forgive(key, *undecided),
            }
        }
    }

    fn forgive(&mut self, key: usize, undecided: Undecided) {
        let Undecided { judged, spared_until, .. } = undecided;
        self.report.refunded += 1;
        self.queue_result(key, spared(judged, spared_until));
    }

    /// Charges the work of a row that no other work could join. Work that was never sent waits on.
    fn decide_impatiently(&mut self, destination: &Arc<str>) {
        let keys: Vec<usize> = self.undecided.of(destination).collect();
        for key in keys {
            let Some(EntryState::Undecided(undecided)) = self.entries.get(key).map(|entry| &entry.state) else {
                continue;
            };
            let breaker = self.breakers.get(destination);
            if breaker.and_then(|breaker| breaker.was_sent(&undecided.work.id)) == Some(false) {
                continue;
            }
            if let Some(undecided) = self.take_undecided(key) {
                self.queue_result(key, undecided.judged);
            }
        }
    }

    /// Whether work waits that could probe, and that is not in the row.
    fn has_other_work(&self, destination: &Arc<str>) -> bool {
        let breaker = self.breakers.get(destination);
        let is_in_row = |work: &WorkId| breaker.and_then(|breaker| breaker.was_sent(work)).is_some();
        self.parked.of(destination).any(|key| match self.entries.get(key).map(|entry| &entry.state) {
            Some(EntryState::Waiting(waiting)) => !is_in_row(&waiting.work.id),
            _ => false,
        })
    }

    // Pauses

    /// A destination is paused from now on: what has not begun does not begin.
    fn paused(&mut self, destination: &Arc<str>, now: ClockReading) {
        self.breakers.note_pause(destination, &self.meters, now.monotonic);
        self.refuse_held(destination);
    }

    /// Pauses destinations whose row is old enough, and resumes those that have served a call and for which there is no
    /// other work.
    pub(super) fn watch_rows(&mut self, now: ClockReading) {
        for destination in self.breakers.poll(now.monotonic) {
            self.paused(&destination, now);
        }
        let lonely: Vec<Arc<str>> = self
            .lonely(now.monotonic)
            .filter(|(_, at)| *at <= now.monotonic)
            .map(|(lonely, _)| lonely.clone())
            .collect();
        for destination in lonely {
            if let Some(verdicts) = self.breakers.has_no_other_work(&destination, &self.meters, now.monotonic) {
                self.settle_decided(&destination, &verdicts);
            }
        }
        self.settle_forgotten();
        if self.parked.len() == 0 && self.undecided.len() == 0 && !self.watched.is_empty() {
            self.watched.clear();
            self.withdrawals = FuturesUnordered::new();
        }
    }

    /// Paused destinations that have served a call and for which there is no other work, each with the time from which the
    /// source has had none for a while.
    fn lonely(&self, now: MonotonicTime) -> impl Iterator<Item = (&Arc<str>, MonotonicTime)> {
        let waits = move |destination: &&Arc<str>| {
            let breaker = self.breakers.get(destination);
            breaker.is_some_and(|breaker| breaker.waits_for_other_work() && !breaker.is_probing(now))
                && self.parked.len_of(destination) == 0
        };
        self.breakers.paused.iter().filter(waits).filter_map(|destination| {
            let since = self.claims.waiting_since(destination)?;
            Some((destination, since.saturating_add(ARRIVES_AFTER)))
        })
    }

    /// When the source has had no other work for a while, if that is waited for.
    pub(super) fn lonely_at(&self, now: MonotonicTime) -> Option<MonotonicTime> {
        self.lonely(now).map(|(_, at)| at).min()
    }

    /// Settles undecided work whose breaker was evicted: its row is forgotten.
    fn settle_forgotten(&mut self) {
        let forgotten = self.breakers.forgotten();
        if std::mem::replace(&mut self.forgotten, forgotten) == forgotten || self.undecided.len() == 0 {
            return;
        }
        for destination in self.undecided.destinations() {
            if self.breakers.contains(&destination) {
                continue;
            }
            for key in self.undecided.take(&destination) {
                if let Some(undecided) = self.entries.take_undecided(key) {
                    self.undecided_due.remove(&(undecided.due, key));
                    self.queue_result(key, undecided.judged);
                }
            }
        }
    }

    // Work that waits for its destination

    /// Keeps claimed work whose destination may not be called now, if outages pause it. Other work is released: it waits at
    /// its source.
    pub(super) fn park(&mut self, key: usize, waiting: WaitingEntry, now: ClockReading) {
        let destination = Arc::clone(&waiting.work.destination);
        let is_paused = self.breakers.is_paused(&destination);
        let is_full = is_paused && self.parked.len_of(&destination) >= PARKED_MAX;
        if is_full || !self.pauses(&waiting.work) {
            // A destination that starts slowly is in the main claim, which would yield the work again at once.
            if !is_paused && self.claims.untouched_delay.has_elapsed(now.monotonic) {
                self.claims.untouched_delay.back_off(now.monotonic);
            }
            return self.finish_untried(key, Resolution::Release);
        }
        if let Some(cancel) = &waiting.cancel {
            self.watch(cancel);
        }
        self.parked.add(&destination, key);
        self.entries.wait(key, waiting);
    }

    /// How much work to claim for probes of a destination.
    pub(super) fn to_park(&self, destination: &Arc<str>) -> usize {
        let sizes = self.parked.of(destination).filter_map(|key| match &self.entries.get(key)?.state {
            EntryState::Waiting(waiting) => Some(waiting.work.content.payload.len()),
            _ => None,
        });
        let bytes: usize = sizes.sum();
        if bytes >= PARKED_BYTES { 0 } else { PARKED_MAX.saturating_sub(self.parked.len_of(destination)) }
    }

    /// When a destination that starts slowly may be called more often.
    pub(super) fn faster_at(&self, now: MonotonicTime) -> Option<MonotonicTime> {
        if self.parked.len() == 0 {
            return None;
        }
        let destinations = self.parked.destinations();
        let starting = destinations.iter().filter(|destination| !self.breakers.is_paused(destination));
        starting.filter_map(|destination| self.breakers.get(destination)?.held_until(false, now)?).min()
    }

    /// How much more work waits for destinations that start slowly than a pause leaves.
    pub(super) fn parked_too_many(&self) -> usize {
        if self.parked.len() == 0 {
            return 0;
        }
        let paused: usize = self.breakers.paused.iter().map(|destination| self.parked.len_of(destination)).sum();
        (self.parked.len() - paused).saturating_sub(PARKED_MAX)
    }

    /// Starts work that waits for its destination, and calls undecided work again.
    pub(super) fn start_waiting(&mut self, now: ClockReading) {
        if self.parked.len() == 0 && self.undecided.len() == 0 {
            return;
        }
        let mut destinations = self.parked.destinations();
        destinations.extend(self.undecided.destinations());
        // Every second free slot is for other work, if there is some.
        let free = self.settings.concurrency.saturating_sub(self.entries.running());
        let mut free = if self.waiting.is_empty() { free } else { free.div_ceil(2) };
        for destination in destinations {
            while free > 0 && self.may_call(&destination, now.monotonic) && self.start_next(&destination, now) {
                free -= 1;
            }
        }
    }

    fn may_call(&self, destination: &Arc<str>, now: MonotonicTime) -> bool {
        self.breakers.get(destination).is_none_or(|breaker| breaker.held_until(false, now).is_none())
    }

    /// Starts the next call of a destination that may be called. Returns whether there was work for it.
    fn start_next(&mut self, destination: &Arc<str>, now: ClockReading) -> bool {
        let parked = self.parked.len_of(destination);
        let may_grow = self.undecided.len_of(destination) < UNDECIDED_MAX + self.settings.concurrency;
        if parked > 0 && may_grow {
            let at = self.next_parked(destination, parked);
            let key = self.parked.remove_at(destination, at);
            if let Some(key) = key
                && let Some(waiting) = self.entries.take_waiting(key)
            {
                self.start(key, waiting, None, false, now);
            }
            return true;
        }
        // The one that was called longest ago comes first.
        let is_due = |key: &usize| match self.entries.get(*key).map(|entry| &entry.state) {
            Some(EntryState::Undecided(undecided)) => undecided.due <= now.monotonic,
            _ => false,
        };
        let Some(key) = self.undecided.of(destination).find(is_due) else { return false };
        if let Some(undecided) = self.take_undecided(key) {
            self.report.retried += 1;
            let (work, cancel) = (Arc::clone(&undecided.work), undecided.cancel.clone());
            self.start(key, WaitingEntry { work, cancel, due: None }, Some(undecided), false, now);
        }
        true
    }

    /// The place of the parked work to start: a random one, or the newest after a served probe. Work that is likely to be
    /// poison says little about the destination, and probes if there is no other.
    fn next_parked(&mut self, destination: &Arc<str>, parked: usize) -> usize {
        let random = usize::try_from(self.random.next() % parked as u64).unwrap_or_default();
        let Some(breaker) = self.breakers.get(destination) else { return random };
        let first = if breaker.waits_for_other_work() { parked - 1 } else { random };
        if !breaker.is_paused() {
            return first;
        }
        let keys: Vec<usize> = self.parked.of(destination).collect();
        let is_telling = |at: &usize| match self.entries.get(keys[*at]).map(|entry| &entry.state) {
            Some(EntryState::Waiting(waiting)) => !breaker.was_charged(&waiting.work.id),
            _ => false,
        };
        (0..=first).rev().chain(first + 1..parked).find(is_telling).unwrap_or(first)
    }

    /// When undecided work may be called again.
    pub(super) fn undecided_due(&self, now: MonotonicTime) -> Option<MonotonicTime> {
        // What is due already waits for its breaker or a slot.
        let after = (now, usize::MAX);
        self.undecided_due.range((Bound::Excluded(after), Bound::Unbounded)).next().map(|(at, _)| *at)
    }

    // Ends

    /// Wakes the runner when the source withdraws the work of this claim.
    fn watch(&mut self, cancel: &Cancel) {
        if !self.watched.iter().any(|watched| watched.is_same(cancel)) {
            self.watched.push(cancel.clone());
            let cancel = cancel.clone();
            self.withdrawals.push(Box::pin(async move {
                cancel.withdrawn().await;
                cancel
            }));
        }
    }

    /// Returns the waiting work that the source has withdrawn.
    pub(super) fn return_withdrawn(&mut self, cancel: &Cancel) {
        self.watched.retain(|watched| !watched.is_same(cancel));
        self.return_if(|own| own.is_some_and(|own| own.is_same(cancel)));
    }

    /// Returns all work that waits for its destination.
    pub(super) fn return_all(&mut self) {
        self.return_if(|_| true);
    }

    fn return_if(&mut self, is_returned: impl Fn(Option<&Cancel>) -> bool) {
        let cancel_of = |key: usize| match &self.entries.get(key)?.state {
            EntryState::Waiting(waiting) => waiting.cancel.as_ref(),
            EntryState::Undecided(undecided) => undecided.cancel.as_ref(),
            EntryState::Running(_) | EntryState::Finishing => None,
        };
        let of = |table: &EntriesByDestination| -> Vec<(Arc<str>, usize)> {
            let returned = table.iter().filter(|(_, key)| is_returned(cancel_of(*key)));
            returned.map(|(destination, key)| (Arc::clone(destination), key)).collect()
        };
        let (parked, undecided) = (of(&self.parked), of(&self.undecided));
        for (destination, key) in parked {
            self.parked.remove(&destination, key);
            self.finish_untried(key, Resolution::Release);
        }
        for (_, key) in undecided {
            if let Some(undecided) = self.take_undecided(key) {
                self.queue_result(key, spared(undecided.judged, undecided.spared_until));
            }
        }
    }

    /// Forgets waiting work whose claim has ended.
    pub(super) fn forget_waiting(&mut self, key: usize) {
        self.waiting.retain(|waiting| *waiting != key);
        match self.entries.get(key).map(|entry| &entry.state) {
            Some(EntryState::Waiting(waiting)) => {
                let destination = Arc::clone(&waiting.work.destination);
                self.parked.remove(&destination, key);
            }
            Some(EntryState::Undecided(_)) => drop(self.take_undecided(key)),
            Some(EntryState::Running(_) | EntryState::Finishing) | None => {}
        }
    }
}

/// The breakers of a runner with these settings.
pub(super) fn breaker_of(settings: &RunnerSettings) -> Option<BreakerConfig> {
    // While a probe may still be running, no other one is sent.
    let config = settings.breaker?.with_probes_given_up_after(settings.timeout.saturating_add(END_FOR));
    Some(config.for_calls_at_once(settings.concurrency))
}

/// The failed attempt is recorded, and not counted.
fn spared(judged: Judged, at: Time) -> Judged {
    Judged { resolution: Resolution::Retry { at, charged: false }, ..judged }
}

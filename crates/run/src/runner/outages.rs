//! Outages of destinations: which failures they explain, and which attempts they give back ([`OnOutage::Pause`]).
//!
//! A destination that is down fails all work that is sent to it, and must not turn that work into letters. The circuit
//! breaker stops the calls, but it opens only after several failures in a row (its threshold): these have spent
//! attempts before it was known that the destination was to blame. This file finds out which failures an outage
//! explains, tells the policy ([`Outages::blame`]), and refunds what was charged before ([`Outages::ended`]).
//!
//! - A *row* is the failures of one destination since its last success. Only failures that may pass with time count.
//! - An *outage* begins when the breaker opens, and ends when it closes. The row before it becomes part of it.
//! - A failure is *excused* if the work would have spent an attempt, or would have ended, without the failures of
//!   others.
//!
//! | the breaker, when the call has failed | who is to blame | effect |
//! |---|---|---|
//! | closed; no other work in the row | the work | the attempt is charged; the last one ends the work |
//! | closed; other work in the row has failed too | unclear | charged, but the last attempt does not end the work |
//! | closed; this failure opens it | the destination | no charge, and the row is refunded |
//! | changed since the call was admitted | the destination | no charge |
//! | half-open: the call was its probe | the destination | no charge |
//!
//! One piece of work is excused by ten outages at most ([`Refunds::OUTAGES_MAX`]); after that, the second and the
//! third line of the table blame the work. So work that always fails among successes becomes a letter, even if it opens
//! breakers.
//!
//! **Why a row, beside the count of the breaker.** The breaker counts from 0 again at every answer of the destination.
//! The row loses a failure only at a success whose call *began* after that failure: at the beginning of an outage,
//! calls from before it still succeed, and these successes are no sign that the destination is up. Nor is a failure
//! that cannot pass, which the breaker takes for an answer: the work may have been rejected without a call.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use redrive_core::{Blame, BreakerChange, BreakerState, Category, KeyedPermit, MonotonicTime, OnOutage, Time};

use super::RunnerSettings;
use super::clock_reading::ClockReading;
use super::destination_breakers::DestinationBreakers;
use super::judge::BreakerSignal;
use super::refunds::Refunds;
use crate::{Resolution, Work, WorkId};

#[derive(Debug, Default)]
pub(super) struct Outages {
    runner: Arc<str>,
    on_outage: OnOutage,
    /// Maximum length of a row. Its oldest failure is dropped, and is not refunded.
    row_max: usize,
    /// By destination, the failures since its last success.
    rows: HashMap<Arc<str>, FailureRow>,
    /// By destination, the outage from the time when its breaker opened until it closes.
    current: HashMap<Arc<str>, Outage>,
    pub(super) refunds: Refunds,
    /// The number of attempts that all outages together have refunded.
    pub(super) refunded: u64,
    /// The number of the newest row.
    next: u64,
}

/// The failures of a destination since its last success. If its breaker opens, all of them belong to that outage.
#[derive(Debug)]
struct FailureRow {
    /// Identifies the outage that the row becomes ([`Refunds`] count outages by it). A success that ends part of the
    /// row changes it: what follows is another outage.
    number: u64,
    failures: VecDeque<RowFailure>,
}

#[derive(Debug)]
struct RowFailure {
    work: WorkId,
    at: MonotonicTime,
    /// Whether it has spent an attempt, which is refunded if the breaker opens.
    is_charged: bool,
    /// Whether it did not end the work only because other work has failed too. It is not charged then, so that nothing
    /// is refunded, but the outage counts as one that has excused the work.
    is_excused: bool,
}

#[derive(Debug)]
struct Outage {
    since: Time,
    /// The number of attempts that it has refunded, for the log.
    refunded: u64,
    /// The work whose probes have failed in this outage.
    probed: Vec<WorkId>,
}

impl Outage {
    /// Maximum length of `probed`. The list grows by one after each round of its members, so it is full after some
    /// 2000 probes (1 + 2 + … + 64).
    const PROBED_MAX: usize = 64;

    /// Notes a failed probe. Returns how many pieces of work probe in turn, including this one.
    fn add_prober(&mut self, work: &WorkId) -> u64 {
        if !self.probed.contains(work) && self.probed.len() < Self::PROBED_MAX {
            self.probed.push(work.clone());
        }
        self.probed.len() as u64
    }
}

/// What the circuit breaker of the destination says about a call that has ended, before it gets the result of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallStanding {
    /// Nothing: there is no breaker, it was evicted since the call was admitted, or outages do not pause this work.
    Unknown,
    /// The breaker has been closed since the call was admitted.
    Closed,
    /// As `Closed`, and one more failure opens it.
    AboutToOpen,
    /// The breaker has changed its state since the call was admitted: another call has found out more.
    Outdated,
    /// The call was the probe of a half-open breaker.
    Probe,
}

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndedCall<'a> {
    pub(super) work: &'a Work,
    pub(super) standing: CallStanding,
    pub(super) begun_at: MonotonicTime,
    /// The result that was reported to the breaker.
    pub(super) signal: BreakerSignal,
    /// How the breaker has changed by it.
    pub(super) change: Option<BreakerChange>,
    /// Whether the policy would have decided otherwise if [`Outages::blame`] had blamed the work.
    pub(super) is_excused: bool,
}

impl Outages {
    pub(super) fn new(runner: Arc<str>, settings: &RunnerSettings) -> Self {
        let threshold = settings.breaker.map_or(0, |breaker| breaker.threshold() as usize);
        Self {
            runner,
            on_outage: settings.on_outage,
            // A success of a call that began before the outage resets the count of the breaker, but not the row: the
            // row may be longer than the threshold.
            row_max: threshold + settings.concurrency,
            ..Self::default()
        }
    }

    /// Whether outages pause this work. A letter in retry has its own terms, and waits for its destination anyway.
    fn pauses(&self, work: &Work) -> bool {
        self.on_outage == OnOutage::Pause && work.terms.is_none()
    }

    /// What the breaker says about a call. To be called before the result is reported to the breaker.
    pub(super) fn standing(
        &self,
        work: &Work,
        permit: Option<&KeyedPermit>,
        breakers: &DestinationBreakers,
    ) -> CallStanding {
        let Some(permit) = permit else { return CallStanding::Unknown };
        if permit.is_probe() {
            return CallStanding::Probe;
        }
        if !self.pauses(work) {
            return CallStanding::Unknown;
        }
        match breakers.has_changed_since(&work.destination, permit) {
            None => CallStanding::Unknown,
            Some(true) => CallStanding::Outdated,
            Some(false) if breakers.is_about_to_open(&work.destination) => CallStanding::AboutToOpen,
            Some(false) => CallStanding::Closed,
        }
    }

    /// Who is to blame if the call has failed, for the policy: the table at the top of this file. The policy uses it
    /// only for failures that may pass with time.
    pub(super) fn blame(&self, work: &Work, standing: CallStanding) -> Blame {
        let row = self.rows.get(&work.destination);
        let may_excuse = || self.refunds.may_excuse(&work.id, row.map(|row| row.number));
        let has_others = || row.is_some_and(|row| row.failures.iter().any(|failure| failure.work != work.id));
        match standing {
            CallStanding::Probe | CallStanding::Outdated => Blame::Destination,
            CallStanding::AboutToOpen if may_excuse() => Blame::Destination,
            CallStanding::Closed if has_others() && may_excuse() => Blame::Unclear,
            CallStanding::Closed | CallStanding::AboutToOpen | CallStanding::Unknown => Blame::Work,
        }
    }

    /// Updates the row and the outage of the destination after a call, and refunds a row that has become an outage.
    /// Changes `resolution` only in its time: a failure in an outage is retried when the breaker lets calls through
    /// again.
    pub(super) fn ended(
        &mut self,
        call: EndedCall<'_>,
        resolution: &mut Resolution,
        breakers: &DestinationBreakers,
        now: ClockReading,
    ) {
        let EndedCall { work, standing, signal, change, .. } = call;
        if !self.pauses(work) {
            return;
        }
        if matches!(resolution, Resolution::DeadLetter(_) | Resolution::Drop) {
            self.gave_up(work);
        }
        match signal {
            BreakerSignal::Success if standing != CallStanding::Outdated => self.succeeded(work, call.begun_at),
            BreakerSignal::Failure(category) if category.is_passing() => {
                match standing {
                    CallStanding::Closed => self.add_to_row(call, resolution, breakers, now.monotonic),
                    CallStanding::AboutToOpen => self.begin(call, category, breakers, now),
                    CallStanding::Outdated | CallStanding::Probe | CallStanding::Unknown => {}
                }
                self.delay(work, standing, resolution, breakers, now);
            }
            BreakerSignal::Success | BreakerSignal::Failure(_) | BreakerSignal::Inconclusive => {}
        }
        if change.is_some_and(|change| change.to == BreakerState::Closed) {
            self.end(&work.destination, now.time);
        }
    }

    /// Removes from the row the failures that had ended when this successful call began: the destination has recovered
    /// from them. What is left is a new row.
    fn succeeded(&mut self, work: &Work, begun_at: MonotonicTime) {
        let Some(row) = self.rows.get_mut(&work.destination) else { return };
        let before = row.failures.len();
        row.failures.retain(|failure| failure.at > begun_at);
        if row.failures.is_empty() {
            self.rows.remove(&work.destination);
        } else if row.failures.len() < before {
            self.next += 1;
            row.number = self.next;
        }
    }

    /// Marks the failures of work that has ended, so that none of them is refunded.
    fn gave_up(&mut self, work: &Work) {
        if let Some(row) = self.rows.get_mut(&work.destination) {
            row.failures.iter_mut().filter(|failure| failure.work == work.id).for_each(|own| own.is_charged = false);
        }
    }

    fn row(&mut self, destination: &Arc<str>, breakers: &DestinationBreakers) -> &mut FailureRow {
        breakers.retain_known(&mut self.rows);
        self.rows.entry(Arc::clone(destination)).or_insert_with(|| {
            self.next += 1;
            FailureRow { number: self.next, failures: VecDeque::new() }
        })
    }

    fn add_to_row(
        &mut self,
        call: EndedCall<'_>,
        resolution: &Resolution,
        breakers: &DestinationBreakers,
        now: MonotonicTime,
    ) {
        let EndedCall { work, is_excused, .. } = call;
        let row_max = self.row_max;
        let row = self.row(&work.destination, breakers);
        let number = row.number;
        if row.failures.len() >= row_max {
            row.failures.pop_front();
        }
        let is_charged = matches!(resolution, Resolution::Retry { charged: true, .. });
        row.failures.push_back(RowFailure { work: work.id.clone(), at: now, is_charged, is_excused });
        if is_excused {
            self.refunds.excuse(&work.id, number, false);
        }
    }

    /// Begins the outage of a destination whose breaker this failure has opened, and refunds the charged failures of
    /// the row.
    fn begin(&mut self, call: EndedCall<'_>, category: Category, breakers: &DestinationBreakers, now: ClockReading) {
        let EndedCall { work, is_excused, .. } = call;
        let destination = &work.destination;
        let row = self.row(destination, breakers);
        let (number, failures) = (row.number, std::mem::take(&mut row.failures));
        let mut refunded = 0;
        for failure in failures.into_iter().filter(|failure| failure.is_charged || failure.is_excused) {
            refunded += u64::from(self.refunds.excuse(&failure.work, number, failure.is_charged));
        }
        if is_excused {
            self.refunds.excuse(&work.id, number, false);
        }
        self.refunded += refunded;
        let since = breakers.failing_since(destination).unwrap_or(now.time);
        tracing::warn!(runner = %self.runner, %destination, %category, %since, "outage began");
        breakers.retain_known(&mut self.current);
        self.current.insert(Arc::clone(destination), Outage { since, refunded, probed: Vec::new() });
    }

    fn end(&mut self, destination: &Arc<str>, now: Time) {
        if let Some(Outage { since, refunded, .. }) = self.current.remove(destination) {
            let duration = now.since(since);
            tracing::warn!(runner = %self.runner, %destination, %duration, refunded, "outage ended");
        }
    }

    /// Delays an uncharged retry until the open time of the breaker is over.
    ///
    /// Work whose probe has failed waits longer: one more open time for each piece of work that has probed in this
    /// outage, itself included. With `n` of them there are `n` probes of known work in `n + 1` open times, so one is
    /// left for work that has not probed yet, in whatever order the source delivers. Otherwise work that always fails
    /// could be the only probe, and keep the breaker open for ever.
    fn delay(
        &mut self,
        work: &Work,
        standing: CallStanding,
        resolution: &mut Resolution,
        breakers: &DestinationBreakers,
        now: ClockReading,
    ) {
        let Resolution::Retry { at, charged: false } = resolution else { return };
        let Some(open_until) = breakers.open_until(&work.destination, now.monotonic) else { return };
        let outage = self.current.get_mut(&work.destination);
        let probers = match (standing, outage) {
            (CallStanding::Probe, Some(outage)) => outage.add_prober(&work.id),
            _ => 0,
        };
        let open_for = open_until.since(now.monotonic);
        *at = (*at).max(now.time_at(open_until.saturating_add(open_for.saturating_mul(probers))));
    }

    /// Whether an outage pauses work now. A destination whose breaker was evicted is not counted.
    pub(super) fn is_pausing(&self, breakers: &DestinationBreakers) -> bool {
        self.current.keys().any(|destination| breakers.contains(destination))
    }
}

//! Outages of destinations: which failures they explain, and what they give back ([`OnOutage::Pause`]).
//!
//! The circuit breaker of a destination opens after a number of failures in a row. By then the attempts of these
//! failures are spent, and for work without attempts left there would be a letter: yet the destination was to blame. So
//!
//! - the failures since the last success, the *row*, are refunded when the breaker opens;
//! - the failure that opens it, and those of calls that were admitted in an earlier state of the breaker, spend no
//!   attempt;
//! - a last failure in a row with failures of other work ends nothing, because it may be the beginning of an outage.
//!
//! While the breaker is closed, everything else is charged: work that fails among successes becomes a letter.
//!
//! The row is kept longer than the breaker counts. The breaker starts again at every answer of the destination, the row
//! only at a success whose call began after the failure: at the beginning of an outage, calls that began before it
//! still succeed, and work that is rejected without a call says nothing about the destination.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use redrive_core::{Blame, BreakerChange, BreakerState, Category, KeyedPermit, MonotonicTime, OnOutage, Time};

use super::RunnerSettings;
use super::clock_reading::ClockReading;
use super::destination_breakers::DestinationBreakers;
use super::judge::BreakerSignal;
use super::refunds::Refunds;
use crate::{Resolution, Work, WorkId};

#[derive(Debug)]
pub(super) struct Outages {
    runner: Arc<str>,
    on_outage: OnOutage,
    row_max: usize,
    /// The failures of destinations since their last success.
    rows: HashMap<Arc<str>, FailureRow>,
    /// The destinations whose breaker opened and has not closed since.
    current: HashMap<Arc<str>, Outage>,
    pub(super) refunds: Refunds,
    /// The number of attempts that were refunded.
    pub(super) refunded: u64,
    /// The number of the newest row.
    next: u64,
}

/// The failures of a destination since its last success. If it is down, all of them belong to one outage.
#[derive(Debug)]
struct FailureRow {
    number: u64,
    failures: VecDeque<RowFailure>,
}

#[derive(Debug)]
struct RowFailure {
    work: WorkId,
    at: MonotonicTime,
    is_charged: bool,
    /// It is not charged, and would be without the failures of other work.
    is_excused: bool,
}

#[derive(Debug)]
struct Outage {
    since: Time,
    refunded: u64,
    /// The work that has probed the destination in vain.
    probed: Vec<WorkId>,
}

impl Outage {
    /// Maximum length of `probed`. It is reached after some 2000 probes.
    const PROBED_MAX: usize = 64;

    /// Notes a failed probe. Returns how many pieces of work take turns, including this one.
    fn turns(&mut self, work: &WorkId) -> u64 {
        if !self.probed.contains(work) && self.probed.len() < Self::PROBED_MAX {
            self.probed.push(work.clone());
        }
        self.probed.len() as u64
    }
}

/// The relation of a call that has ended to the circuit breaker, before the breaker knows the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallStanding {
    /// There is no breaker, or not the same one any more; or the work is not paused by outages.
    Unknown,
    /// The breaker is closed, as it was when the call was admitted.
    Closed,
    /// The same, and one more failure in a row opens it.
    AboutToOpen,
    /// The breaker has changed its state since the call was admitted.
    Outdated,
    Probe,
}

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndedCall<'a> {
    pub(super) work: &'a Work,
    pub(super) standing: CallStanding,
    pub(super) begun_at: MonotonicTime,
    pub(super) signal: BreakerSignal,
    /// What the signal changed.
    pub(super) change: Option<BreakerChange>,
    /// Whether its failure is excused by what [`Outages::blame`] has said.
    pub(super) is_excused: bool,
}

impl Outages {
    pub(super) fn new(runner: Arc<str>, settings: &RunnerSettings) -> Self {
        let threshold = settings.breaker.map_or(0, |breaker| breaker.threshold() as usize);
        Self {
            runner,
            on_outage: settings.on_outage,
            // Successes of calls that began before an outage let the row grow beyond the threshold.
            row_max: threshold + settings.concurrency,
            rows: HashMap::new(),
            current: HashMap::new(),
            refunds: Refunds::default(),
            refunded: 0,
            next: 0,
        }
    }

    /// Whether an outage pauses this work. A letter in retry has its own terms, and waits for its destination anyway.
    fn pauses(&self, work: &Work) -> bool {
        self.on_outage == OnOutage::Pause && work.terms.is_none()
    }

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

    /// What explains a failure of the call, if it may pass with time.
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

    /// Follows the rows and outages of destinations. Delays the retry of a failure in an outage, so that other work
    /// probes the destination first.
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

    /// Removes the failures that ended before a call began which succeeded. What is left is another row.
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

    /// Work that has ended is owed nothing.
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

    /// Begins the outage of a destination whose breaker the work has opened, and refunds the row.
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

    /// Delays a retry until the open time of the breaker is over, and that of a failed probe for as many open times more
    /// as there are pieces of work that probe in turn. One of these open times is left for work that has not probed
    /// yet, whatever the order of the source is: so a record that fails by itself does not prolong the outage for ever.
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
        let turns = match (standing, outage) {
            (CallStanding::Probe, Some(outage)) => outage.turns(&work.id),
            _ => 0,
        };
        let open_for = open_until.since(now.monotonic);
        *at = (*at).max(now.time_at(open_until.saturating_add(open_for.saturating_mul(turns))));
    }

    /// Whether there is an outage that pauses work.
    pub(super) fn is_pausing(&self, breakers: &DestinationBreakers) -> bool {
        self.current.keys().any(|destination| breakers.contains(destination))
    }
}

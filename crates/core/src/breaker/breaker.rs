//! A circuit breaker for one destination: tells an outage from poison.
//!
//! A destination that answers 500 to one order may have a bug, and one that answers 500 to every order is down. In the
//! first case the order must become a letter, and nothing else may wait for it. In the second case nothing may become a
//! letter, and no call but a probe makes sense. Neither a status code nor a number of failures tells the two apart: what
//! does is whether the destination serves *other* work meanwhile.
//!
//! - A call is *served* if the destination answered it: by a success, or by a failure that does not pass with time. It
//!   was *not sent* if there was no name, no connection or no TLS. Otherwise it has *failed*.
//! - The *row* is what failed or was not sent since the last served call, by piece of work. Whether one of them is to
//!   blame is decided when the row ends, and not before. Then each is charged one attempt, however often it was called;
//!   one that was never sent is charged none; and an outage (as many pieces of work as pause the destination, for
//!   [`OUTAGE_FOR`](BreakerConfig::OUTAGE_FOR)) charges none either, but forgives no work more than
//!   [three times](BreakerConfig::OUTAGES_FORGIVEN).
//! - A served call decides about what had failed when it *began*. When a destination goes down, calls from before still
//!   succeed: what fails among those waits for the next served call, or belongs to the outage.
//! - A row of [`threshold`](BreakerConfig::threshold) pieces of work, or of [`ROW_FOR`](BreakerConfig::ROW_FOR), *pauses*
//!   the destination. Calls under way go on, new ones are probes: the first at once, the next at once after a served one,
//!   else after a wait that doubles from 100 ms to the longest one, and not before the destination's `Retry-After`. Work
//!   that has just arrived may probe without that wait, once a second.
//! - Any served call ends the row, and in a pause two in sequence do, of different work: so a destination that serves one
//!   call in twenty stays paused. Failures of work that is already in the row do not interrupt the sequence, and one
//!   served call is enough if there is no other work.
//! - Work that an earlier row has charged has failed while the destination served other work, and is likely to be poison.
//!   When it fails again, that interrupts no sequence, and [four](BreakerConfig::CHARGED_PIECES) such pieces count as one
//!   for a pause. So a crowd of poison pauses its destination once, and not with each of its attempts.
//! - A shorter row that no other work could join for the [`patience`](BreakerConfig::with_patience) of the caller cannot
//!   tell the two apart: then the caller decides about its work by its policy. Work that was never sent waits on. Ten
//!   seconds are enough if earlier rows have charged all of its work.
//! - After a pause of more than a second, calls start with one at a time. Each served one doubles their number; in the
//!   first second it is at most half of the usual one.

use std::collections::HashMap;
use std::hash::Hash;

use super::past::PastVerdicts;
use super::row::Row;
use super::{BreakerConfig, FailedCall};
use crate::closed_set::closed_set;
use crate::{MonotonicTime, Span};

closed_set! {
    /// The state of a breaker.
    pub enum BreakerState ("breaker state") {
        /// Calls are admitted.
        Closed = "closed",
        /// The destination is paused, and no probe is admitted now.
        Open = "open",
        /// The destination is paused, and a probe is admitted or running.
        HalfOpen = "half_open",
    }
}

/// A breaker for one destination, over work that is identified by a `W`.
///
/// ```
/// use redrive_core::{Breaker, BreakerConfig, FailedCall, MonotonicTime, RowVerdict};
///
/// let mut breaker = Breaker::new(BreakerConfig::default());
/// let start = MonotonicTime::ZERO;
/// for order in 1..=5 {
///     let permit = breaker.admit(false, start).unwrap();
///     breaker.failed(permit, FailedCall::sent(&order), start, 0);
/// }
/// let probe = breaker.admit(false, start).unwrap();
/// assert!(probe.is_probe() && breaker.admit(false, start).is_err(), "one probe at a time");
/// assert_eq!(breaker.served(probe, &6, start, start).decided, None, "one order may be luck");
/// let probe = breaker.admit(false, start).unwrap();
/// let ended = breaker.served(probe, &7, start, start).decided.unwrap();
/// assert_eq!(ended.of(&1), Some(RowVerdict::Charged), "it was no outage: the fifth order may be poison");
/// assert!(!breaker.admit(false, start).unwrap().is_probe());
/// ```
#[derive(Debug, Clone)]
pub struct Breaker<W> {
    config: BreakerConfig,
    row: Option<Row<W>>,
    pause: Option<Pause<W>>,
    start: Option<SlowStart>,
    /// Calls without a result that were admitted since the destination has last resumed.
    running: usize,
    /// How often it has resumed.
    resumed: u64,
    past: PastVerdicts<W>,
    /// The number of the next probe.
    next_probe: u64,
}

#[derive(Debug, Clone)]
struct Pause<W> {
    since: MonotonicTime,
    probe_at: MonotonicTime,
    /// The wait after the last failed probe.
    wait: Option<Span>,
    probes: Vec<Probe>,
    /// The number of the first probe.
    first_probe: u64,
    /// When work that had just arrived may probe again.
    arrival_at: MonotonicTime,
    /// The work of the last served call, if no other work has failed since.
    served: Option<W>,
    /// When the last of the served calls began.
    served_began_at: MonotonicTime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Probe {
    number: u64,
    given_up_at: MonotonicTime,
}

/// The start after a long pause.
#[derive(Debug, Clone, Copy)]
struct SlowStart {
    since: MonotonicTime,
    /// How many calls at a time the served ones permit.
    calls: usize,
}

/// Permission for one call. The caller must report the result with it; see also [`Breaker::abandoned`].
#[derive(Debug, PartialEq, Eq)]
#[must_use = "report the call's result with it"]
pub struct Permit {
    probe: Option<u64>,
    /// How often the destination had resumed when the call was admitted.
    resumed: u64,
}

impl Permit {
    /// Whether the call is a probe of a paused destination.
    pub const fn is_probe(&self) -> bool {
        self.probe.is_some()
    }
}

/// What a failed call has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed {
    /// It is the first call of its work in this row.
    pub is_first: bool,
    /// It has paused the destination.
    pub has_paused: bool,
}

/// What a served call has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served<W: Eq + Hash> {
    /// The failed work about which it has decided, if there is some.
    pub decided: Option<RowVerdicts<W>>,
    /// It has ended a pause.
    pub has_resumed: bool,
}

/// What a row costs its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowVerdicts<W: Eq + Hash>(HashMap<W, RowVerdict>);

impl<W: Eq + Hash> RowVerdicts<W> {
    /// `None` if the work is not decided.
    pub fn of(&self, work: &W) -> Option<RowVerdict> {
        self.0.get(work).copied()
    }
}

/// What a row costs a piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowVerdict {
    /// One attempt.
    Charged,
    /// Nothing.
    Forgiven,
}

#[expect(clippy::needless_pass_by_value, reason = "a permit is spent by its report: no call is recorded twice")]
impl<W: Clone + Eq + Hash> Breaker<W> {
    pub fn new(config: BreakerConfig) -> Self {
        Self {
            config,
            row: None,
            pause: None,
            start: None,
            running: 0,
            resumed: 0,
            past: PastVerdicts::default(),
            next_probe: 0,
        }
    }

    /// Pauses a destination that is known to be down. It may be probed now.
    pub(super) fn is_down(&mut self, now: MonotonicTime) {
        if self.pause.is_none() {
            let row = self.row.get_or_insert_with(|| Row::new(now));
            row.since.get_or_insert(now);
            row.is_known = true;
            self.pause(now);
        }
    }

    /// The state at `now`.
    pub fn state(&self, now: MonotonicTime) -> BreakerState {
        match &self.pause {
            None => BreakerState::Closed,
            Some(pause) if pause.running(now).next().is_none() && self.next_probe_at(now).is_some() => {
                BreakerState::Open
            }
            Some(_) => BreakerState::HalfOpen,
        }
    }

    /// Requests permission for one call, of work that may have just arrived. The error is the time from which there may
    /// be one; `None` if that depends on a call that is running.
    pub fn admit(&mut self, has_just_arrived: bool, now: MonotonicTime) -> Result<Permit, Option<MonotonicTime>> {
        if let Some(held) = self.held_until(has_just_arrived, now) {
            return Err(held);
        }
        self.running += 1;
        let resumed = self.resumed;
        let Some(pause) = &mut self.pause else { return Ok(Permit { probe: None, resumed }) };
        if has_just_arrived {
            pause.arrival_at = now.saturating_add(BreakerConfig::ARRIVALS_EVERY);
        }
        let number = self.next_probe;
        self.next_probe += 1;
        pause.probes.retain(|probe| now < probe.given_up_at);
        pause.probes.push(Probe { number, given_up_at: now.saturating_add(self.config.probe_for) });
        Ok(Permit { probe: Some(number), resumed })
    }

    /// When a call may be admitted, if none is now; `Some(None)` if that depends on a call that is running.
    pub fn held_until(&self, has_just_arrived: bool, now: MonotonicTime) -> Option<Option<MonotonicTime>> {
        let Some(pause) = &self.pause else {
            let second_half = self.start?.since.saturating_add(BreakerConfig::SLOW_START_FOR);
            return (self.running >= self.calls_max(now)).then(|| (now < second_half).then_some(second_half));
        };
        let running = || pause.running(now);
        if running().count() >= self.config.probes_max() {
            return Some(running().map(|probe| probe.given_up_at).min());
        }
        let at = if has_just_arrived { pause.probe_at.min(pause.arrival_at) } else { pause.probe_at };
        let at = at.max(self.not_before());
        (now < at).then_some(Some(at))
    }

    /// The end of the destination's `Retry-After`.
    fn not_before(&self) -> MonotonicTime {
        self.row.as_ref().map_or(MonotonicTime::ZERO, |row| row.not_before)
    }

    /// How many calls the start after a pause permits now.
    fn calls_max(&self, now: MonotonicTime) -> usize {
        let Some(start) = self.start else { return usize::MAX };
        if now.since(start.since) < BreakerConfig::SLOW_START_FOR {
            start.calls.min((self.config.calls_max / 2).max(1))
        } else {
            start.calls
        }
    }

    /// Reports that the destination served the call, which began at `began_at`.
    pub fn served(&mut self, permit: Permit, work: &W, began_at: MonotonicTime, now: MonotonicTime) -> Served<W> {
        self.ended(&permit);
        self.past.forget(work);
        if let Some(start) = &mut self.start {
            start.calls = start.calls.saturating_mul(2);
            if start.calls >= self.config.calls_max && now.since(start.since) >= BreakerConfig::SLOW_START_FOR {
                self.start = None;
            }
        }
        let Some(pause) = &mut self.pause else {
            return Served { decided: self.shorten_row(work, began_at), has_resumed: false };
        };
        pause.served_began_at = pause.served_began_at.max(began_at);
        if let Some(row) = &mut self.row {
            row.remove(work);
            row.not_before = MonotonicTime::ZERO;
        }
        if pause.served.as_ref().is_some_and(|before| before != work) {
            return Served { decided: self.resume(now), has_resumed: true };
        }
        pause.served = Some(work.clone());
        pause.wait = None;
        pause.probe_at = now;
        Served { decided: None, has_resumed: false }
    }

    /// Reports that there is no other work that could probe. Resumes the destination if it has served a call since the
    /// last failure.
    pub fn has_no_other_work(&mut self, now: MonotonicTime) -> Served<W> {
        let has_resumed = self.waits_for_other_work();
        Served { decided: if has_resumed { self.resume(now) } else { None }, has_resumed }
    }

    /// Whether the destination is paused, has served a call since the last failure of other work, and needs a second one.
    pub fn waits_for_other_work(&self) -> bool {
        self.pause.as_ref().is_some_and(|pause| pause.served.is_some())
    }

    fn resume(&mut self, now: MonotonicTime) -> Option<RowVerdicts<W>> {
        let pause = self.pause.take()?;
        if now.since(pause.since) > BreakerConfig::SHORT_PAUSE {
            self.start = Some(SlowStart { since: now, calls: 1 });
        }
        (self.resumed, self.running) = (self.resumed + 1, 0);
        self.end_row(pause.served_began_at, now)
    }

    /// Reports that the call has failed, or was not sent. `random` is any uniformly distributed number, for the jitter.
    pub fn failed(&mut self, permit: Permit, call: FailedCall<'_, W>, now: MonotonicTime, random: u64) -> Failed {
        self.ended(&permit);
        let is_new = !self.past.was_charged(call.work);
        let row = self.row.get_or_insert_with(|| Row::new(now));
        let is_first = row.add(&call, is_new, now);
        let is_full = row.is_full(self.config.threshold());
        let longest_wait = self.config.longest_wait;
        let Some(pause) = &mut self.pause else {
            if is_full {
                self.pause(now);
            }
            return Failed { is_first, has_paused: is_full };
        };
        if is_first && is_new {
            pause.served = None;
        }
        if permit.probe.is_some_and(|number| number >= pause.first_probe) {
            let wait = pause.wait.map_or(BreakerConfig::FIRST_WAIT, |wait| wait.saturating_mul(2)).min(longest_wait);
            pause.wait = Some(wait);
            pause.probe_at = now.saturating_add(jittered(wait, random));
        }
        Failed { is_first, has_paused: false }
    }

    /// Reports that the call was abandoned without a result from the destination.
    pub fn abandoned(&mut self, permit: Permit) {
        self.ended(&permit);
    }

    fn ended(&mut self, permit: &Permit) {
        if permit.resumed == self.resumed {
            self.running = self.running.saturating_sub(1);
        }
        if let (Some(pause), Some(number)) = (&mut self.pause, permit.probe) {
            pause.probes.retain(|probe| probe.number != number);
        }
    }

    /// Pauses the destination if its row is old enough. Returns whether it does.
    pub fn poll(&mut self, now: MonotonicTime) -> bool {
        let is_due = self.pauses_at().is_some_and(|at| at <= now);
        if is_due {
            self.pause(now);
        }
        is_due
    }

    /// When the age of the row pauses the destination.
    pub fn pauses_at(&self) -> Option<MonotonicTime> {
        let since = self.row.as_ref().filter(|_| self.pause.is_none())?.since?;
        Some(since.saturating_add(BreakerConfig::ROW_FOR))
    }

    /// When the row has waited so long for a call of other work that its work is decided without one. A row with as much
    /// work as pauses a destination waits on: that is an outage, as far as anybody can tell.
    pub fn impatient_at(&self) -> Option<MonotonicTime> {
        let row = self.row.as_ref().filter(|row| !row.is_full(self.config.threshold()))?;
        let was_charged = row.iter().all(|work| self.past.was_charged(work));
        let charged_patience = BreakerConfig::CHARGED_PATIENCE.min(self.config.patience);
        Some(row.grown_at.saturating_add(if was_charged { charged_patience } else { self.config.patience }))
    }

    /// Whether a probe is running.
    pub fn is_probing(&self, now: MonotonicTime) -> bool {
        self.pause.as_ref().is_some_and(|pause| pause.running(now).next().is_some())
    }

    /// Whether a call of the work was sent and has failed in this row; `None` if the work is not in the row.
    pub fn was_sent(&self, work: &W) -> Option<bool> {
        self.row.as_ref()?.was_sent(work)
    }

    /// Whether as much work has failed as pauses a destination, whatever the age of the row.
    pub fn has_full_row(&self) -> bool {
        self.row.as_ref().is_some_and(|row| row.is_full(self.config.threshold()))
    }

    /// When a paused destination may be probed next, if not now.
    pub fn next_probe_at(&self, now: MonotonicTime) -> Option<MonotonicTime> {
        self.pause.as_ref().map(|pause| pause.probe_at.max(self.not_before())).filter(|at| now < *at)
    }

    /// Whether an earlier row has charged the work, so that another failure of it says little about the destination.
    pub fn was_charged(&self, work: &W) -> bool {
        self.past.was_charged(work)
    }

    /// Whether there is failed work without a verdict.
    pub const fn has_row(&self) -> bool {
        self.row.is_some()
    }

    pub const fn is_paused(&self) -> bool {
        self.pause.is_some()
    }

    /// Whether the breaker is in its initial state, so that dropping it loses nothing.
    pub(super) fn is_quiet(&self) -> bool {
        self.row.is_none() && self.start.is_none() && self.running == 0 && self.past.is_empty()
    }

    fn pause(&mut self, now: MonotonicTime) {
        self.start = None;
        self.pause = Some(Pause {
            since: now,
            probe_at: now,
            wait: None,
            probes: Vec::new(),
            first_probe: self.next_probe,
            arrival_at: now,
            served: None,
            served_began_at: MonotonicTime::ZERO,
        });
    }

    /// Decides about the work that had failed when a served call began.
    fn shorten_row(&mut self, work: &W, began_at: MonotonicTime) -> Option<RowVerdicts<W>> {
        let row = self.row.as_mut()?;
        row.remove(work);
        let decided = row.served(began_at);
        if row.is_empty() {
            self.row = None;
        }
        self.judge(decided, false)
    }

    /// Decides about the work of an outage, or else about the work that had failed when the served calls began.
    fn end_row(&mut self, began_at: MonotonicTime, now: MonotonicTime) -> Option<RowVerdicts<W>> {
        let row = self.row.as_mut()?;
        let lasted = row.since.map_or(Span::ZERO, |since| now.since(since));
        let is_outage = row.is_full(self.config.threshold()) && lasted >= BreakerConfig::OUTAGE_FOR;
        let decided = row.served(if is_outage { now } else { began_at });
        if row.is_empty() {
            self.row = None;
        }
        self.judge(decided, is_outage)
    }

    /// The verdicts on pieces of work, and whether a call of each was sent.
    fn judge(&mut self, decided: Vec<(W, bool)>, is_outage: bool) -> Option<RowVerdicts<W>> {
        if decided.is_empty() {
            return None;
        }
        let verdicts = decided.into_iter().map(|(work, was_sent)| {
            if !was_sent || is_outage && self.past.forgive(work.clone()) {
                return (work, RowVerdict::Forgiven);
            }
            self.past.charge(work.clone());
            (work, RowVerdict::Charged)
        });
        Some(RowVerdicts(verdicts.collect()))
    }
}

impl<W> Pause<W> {
    fn running(&self, now: MonotonicTime) -> impl Iterator<Item = Probe> {
        self.probes.iter().copied().filter(move |probe| now < probe.given_up_at)
    }
}

/// Three quarters of the wait to all of it.
fn jittered(wait: Span, random: u64) -> Span {
    let quarter = wait.as_micros() / 4;
    Span::from_micros(wait.as_micros() - random % (quarter + 1))
}

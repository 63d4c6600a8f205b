//! Not calling what does not answer.
//!
//! A retry policy protects the work; a breaker protects the destination, and the work's attempts, from a
//! destination that is down. Why not just back off? Because every waiting item backs off by itself: with
//! ten thousand of them a dead service still gets thousands of calls a minute, and each call costs an
//! attempt that proves nothing.
//!
//! Four rules that others got wrong, and that are kept here by construction:
//!
//! - Each call is recorded once: a [`Permit`] is given for it and consumed by its result.
//! - A refused call has no permit, so it can neither count as a failure nor prolong the open time.
//! - Results of calls that began before the breaker changed its state are ignored: a late success does
//!   not close it, a late failure does not open it again.
//! - Half-open admits a bounded number of probes. One that does not report for long enough makes room for
//!   another, so that no breaker stays half-open for ever; what it reports later still counts.
//!
//! Only failures that time may heal count. Any other answer, a refusal of bad input included, shows that
//! the destination is alive, and counts like a success.

use super::BreakerConfig;
use crate::closed_set::closed_set;
use crate::{Category, MonotonicTime};

closed_set! {
    /// What a breaker does with the next call.
    pub enum BreakerState ("breaker state") {
        /// Lets it through.
        Closed = "closed",
        /// Refuses it.
        Open = "open",
        /// Lets a few through, to see.
        HalfOpen = "half_open",
    }
}

/// A breaker for one destination.
///
/// ```
/// use redrive_core::{Admission, Breaker, BreakerConfig, Category, MonotonicTime, Span};
///
/// let mut breaker = Breaker::new(BreakerConfig::default());
/// let start = MonotonicTime::ZERO;
/// for _ in 0..5 {
///     let Admission::Admitted(permit) = breaker.admit(start) else { panic!("closed") };
///     breaker.failed(permit, Category::Network, start);
/// }
/// let until = start.saturating_add(Span::from_secs(10));
/// assert_eq!(breaker.admit(start), Admission::Refused { until });
/// let Admission::Admitted(probe) = breaker.admit(until) else { panic!("time to probe") };
/// assert!(matches!(breaker.admit(until), Admission::Refused { .. }), "one probe at a time");
/// breaker.succeeded(probe);
/// assert!(matches!(breaker.admit(until), Admission::Admitted(_)));
/// ```
#[derive(Debug, Clone)]
pub struct Breaker {
    config: BreakerConfig,
    state: State,
    /// Raised by every change of state, so that older permits are told from current ones.
    epoch: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Closed {
        /// Counted failures since the last answer.
        failures: u32,
    },
    Open {
        until: MonotonicTime,
    },
    HalfOpen {
        /// Probes that have not reported, with the time at which they make room for others.
        probes: Vec<Probe>,
        /// The number of the next probe.
        next: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Probe {
    number: u64,
    given_up_at: MonotonicTime,
}

/// The right to make one call. Its result must be reported with it; see also [`Breaker::abandoned`].
#[derive(Debug, PartialEq, Eq)]
#[must_use = "report the call's result with it"]
pub struct Permit {
    epoch: u64,
    probe: Option<u64>,
}

/// A change of a breaker's state, to be counted and told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerChange {
    pub from: BreakerState,
    pub to: BreakerState,
}

impl Permit {
    /// The change of state that giving this permit was: the first probe makes an open breaker half-open.
    pub fn transition(&self) -> Option<BreakerChange> {
        (self.probe == Some(0)).then_some(BreakerChange { from: BreakerState::Open, to: BreakerState::HalfOpen })
    }
}

/// Whether a call may be made.
#[derive(Debug, PartialEq, Eq)]
#[must_use]
pub enum Admission {
    Admitted(Permit),
    /// Not now. Nothing is learned by asking again before `until`.
    Refused {
        until: MonotonicTime,
    },
}

#[expect(clippy::needless_pass_by_value, reason = "a permit is spent by its report: no call is recorded twice")]
impl Breaker {
    pub const fn new(config: BreakerConfig) -> Self {
        Self { config, state: State::Closed { failures: 0 }, epoch: 0 }
    }

    /// What it does with a call at `now`. An open breaker whose time is over is half-open.
    pub fn state(&self, now: MonotonicTime) -> BreakerState {
        match self.state {
            State::Closed { .. } => BreakerState::Closed,
            State::Open { until } if now < until => BreakerState::Open,
            State::Open { .. } | State::HalfOpen { .. } => BreakerState::HalfOpen,
        }
    }

    /// Asks for one call.
    pub fn admit(&mut self, now: MonotonicTime) -> Admission {
        match &mut self.state {
            State::Closed { .. } => Admission::Admitted(Permit { epoch: self.epoch, probe: None }),
            State::Open { until } if now < *until => Admission::Refused { until: *until },
            State::Open { .. } => {
                self.change(State::HalfOpen { probes: Vec::new(), next: 0 });
                self.admit(now)
            }
            State::HalfOpen { probes, next } => {
                probes.retain(|probe| now < probe.given_up_at);
                if let Some(soonest) = probes.iter().map(|probe| probe.given_up_at).min()
                    && probes.len() >= self.config.probes_max()
                {
                    return Admission::Refused { until: soonest };
                }
                let number = *next;
                *next += 1;
                probes.push(Probe { number, given_up_at: now.saturating_add(self.config.probe_for()) });
                Admission::Admitted(Permit { epoch: self.epoch, probe: Some(number) })
            }
        }
    }

    /// Until when no call is admitted; `None` when one would be.
    pub fn held_until(&self, now: MonotonicTime) -> Option<MonotonicTime> {
        match &self.state {
            State::Closed { .. } => None,
            State::Open { until } => (now < *until).then_some(*until),
            State::HalfOpen { probes, .. } => {
                let running = || probes.iter().map(|probe| probe.given_up_at).filter(|given_up_at| now < *given_up_at);
                if running().count() >= self.config.probes_max() { running().min() } else { None }
            }
        }
    }

    /// The call was answered well.
    pub fn succeeded(&mut self, permit: Permit) -> Option<BreakerChange> {
        if !self.is_current(&permit) {
            return None;
        }
        match &mut self.state {
            State::Closed { failures } => {
                *failures = 0;
                None
            }
            State::HalfOpen { .. } => {
                self.change(State::Closed { failures: 0 });
                Some(BreakerChange { from: BreakerState::HalfOpen, to: BreakerState::Closed })
            }
            State::Open { .. } => None,
        }
    }

    /// The call failed, in this way.
    pub fn failed(&mut self, permit: Permit, category: Category, now: MonotonicTime) -> Option<BreakerChange> {
        if !category.is_passing() {
            return self.succeeded(permit);
        }
        if !self.is_current(&permit) {
            return None;
        }
        let from = match &mut self.state {
            State::Closed { failures } => {
                *failures += 1;
                if *failures < self.config.threshold() {
                    return None;
                }
                BreakerState::Closed
            }
            State::HalfOpen { .. } => BreakerState::HalfOpen,
            State::Open { .. } => return None,
        };
        self.change(State::Open { until: now.saturating_add(self.config.open_for()) });
        Some(BreakerChange { from, to: BreakerState::Open })
    }

    /// The call was given up before anything was learned about the destination.
    pub fn abandoned(&mut self, permit: Permit) {
        if self.is_current(&permit)
            && let (State::HalfOpen { probes, .. }, Some(number)) = (&mut self.state, permit.probe)
        {
            probes.retain(|probe| probe.number != number);
        }
    }

    /// Whether the breaker is still in the period in which the call was admitted.
    fn is_current(&self, permit: &Permit) -> bool {
        permit.epoch == self.epoch
    }

    pub(super) fn is_closed(&self) -> bool {
        matches!(self.state, State::Closed { .. })
    }

    fn change(&mut self, state: State) {
        self.state = state;
        self.epoch += 1;
    }

    /// Whether forgetting this breaker would lose nothing.
    pub(super) fn is_quiet(&self) -> bool {
        matches!(self.state, State::Closed { failures: 0 })
    }
}

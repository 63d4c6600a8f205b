//! A circuit breaker for one destination.
//!
//! A retry policy protects the work. A breaker protects a destination that is down from further calls, and the work
//! from spending attempts on it. Why is backoff not enough? Because every waiting item backs off independently: with
//! ten thousand items, a dead service still gets thousands of calls a minute, and each call spends an attempt without a
//! chance of success.
//!
//! The design enforces four rules that breakers often get wrong:
//!
//! - Each call is recorded once: it gets a [`Permit`], and its result consumes the permit.
//! - A refused call has no permit, so it can neither count as a failure nor extend the open time.
//! - Results of calls that began before the breaker changed its state are ignored: a late success does
//!   not close it, a late failure does not open it again.
//! - Half-open admits a bounded number of probes. A probe without a result after the probe timeout frees its slot, so
//!   that no breaker stays half-open for ever; a later result still counts.
//!
//! Only failures that may pass with time count ([`Category::is_passing`]). Any other response, including a rejection of
//! invalid input, shows that the destination is alive and counts like a success.

use super::BreakerConfig;
use crate::closed_set::closed_set;
use crate::{Category, MonotonicTime};

closed_set! {
    /// The state of a breaker.
    pub enum BreakerState ("breaker state") {
        /// All calls are admitted.
        Closed = "closed",
        /// All calls are refused.
        Open = "open",
        /// A limited number of probes is admitted.
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
    /// Incremented by every change of state, which makes older permits stale.
    epoch: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Closed {
        /// Counted failures in a row.
        failures: u32,
    },
    Open {
        until: MonotonicTime,
    },
    HalfOpen {
        /// Probes without a result, with the time at which each frees its slot.
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

/// Permission for one call. The caller must report the result with it; see also [`Breaker::abandoned`].
#[derive(Debug, PartialEq, Eq)]
#[must_use = "report the call's result with it"]
pub struct Permit {
    epoch: u64,
    probe: Option<u64>,
}

/// A change of a breaker's state, for metrics and logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerChange {
    pub from: BreakerState,
    pub to: BreakerState,
}

impl Permit {
    /// Whether the call is a probe of a half-open breaker.
    pub const fn is_probe(&self) -> bool {
        self.probe.is_some()
    }

    /// The change of state when this permit was issued: the first probe makes an open breaker half-open.
    pub fn transition(&self) -> Option<BreakerChange> {
        (self.probe == Some(0)).then_some(BreakerChange { from: BreakerState::Open, to: BreakerState::HalfOpen })
    }
}

/// Whether a call may be made.
#[derive(Debug, PartialEq, Eq)]
#[must_use]
pub enum Admission {
    Admitted(Permit),
    /// No call is admitted before `until`.
    Refused {
        until: MonotonicTime,
    },
}

#[expect(clippy::needless_pass_by_value, reason = "a permit is spent by its report: no call is recorded twice")]
impl Breaker {
    pub const fn new(config: BreakerConfig) -> Self {
        Self { config, state: State::Closed { failures: 0 }, epoch: 0 }
    }

    /// A breaker that has been open and may be probed now.
    pub(super) const fn half_open(config: BreakerConfig) -> Self {
        Self { config, state: State::HalfOpen { probes: Vec::new(), next: 0 }, epoch: 0 }
    }

    /// The state at `now`. An open breaker whose open time has passed is half-open.
    pub fn state(&self, now: MonotonicTime) -> BreakerState {
        match self.state {
            State::Closed { .. } => BreakerState::Closed,
            State::Open { until } if now < until => BreakerState::Open,
            State::Open { .. } | State::HalfOpen { .. } => BreakerState::HalfOpen,
        }
    }

    /// Requests permission for one call.
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
                probes.push(Probe { number, given_up_at: now.saturating_add(self.config.probe_for) });
                Admission::Admitted(Permit { epoch: self.epoch, probe: Some(number) })
            }
        }
    }

    /// The time until which no call is admitted; `None` if a call would be admitted.
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

    /// Reports that the call succeeded.
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

    /// Reports that the call failed with an error of `category`.
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
        self.change(State::Open { until: now.saturating_add(self.config.open_for) });
        Some(BreakerChange { from, to: BreakerState::Open })
    }

    /// Reports that the call was abandoned without a result from the destination.
    pub fn abandoned(&mut self, permit: Permit) {
        if self.is_current(&permit)
            && let (State::HalfOpen { probes, .. }, Some(number)) = (&mut self.state, permit.probe)
        {
            probes.retain(|probe| probe.number != number);
        }
    }

    /// When the open time ends; `None` if the breaker is not open.
    pub fn open_until(&self, now: MonotonicTime) -> Option<MonotonicTime> {
        match self.state {
            State::Open { until } if now < until => Some(until),
            State::Open { .. } | State::Closed { .. } | State::HalfOpen { .. } => None,
        }
    }

    /// Whether the next counted failure opens the breaker, which is closed.
    pub const fn is_about_to_open(&self) -> bool {
        matches!(self.state, State::Closed { failures } if failures + 1 >= self.config.threshold())
    }

    /// Whether the breaker has changed its state since the call was admitted.
    pub fn has_changed_since(&self, permit: &Permit) -> bool {
        !self.is_current(permit)
    }

    /// Whether the breaker has not changed its state since the call was admitted.
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

    /// Whether the breaker is in its initial state, so that dropping it loses nothing.
    pub(super) fn is_quiet(&self) -> bool {
        matches!(self.state, State::Closed { failures: 0 })
    }
}

//! The settings of a runner.

use redrive_core::{BreakerConfig, Invalid, OnOutage, Problem, Span};

/// The settings of a runner.
#[derive(Debug, Clone)]
pub struct RunnerSettings {
    /// Maximum number of handlers that run at the same time.
    pub concurrency: usize,
    /// Maximum duration of an attempt, without the time that its work waits for a resource ([`Call::hold`](crate::Call)).
    /// A longer one is stopped and fails. The handler may have a shorter one.
    pub timeout: Span,
    pub liveness: Liveness,
    /// How often claims are extended: when an attempt starts, and then after each interval, as [`Liveness`] permits.
    /// `None` extends them after each third of their length.
    pub extend_every: Option<Span>,
    /// The circuit breaker of each destination; `None` for none.
    pub breaker: Option<BreakerConfig>,
    /// What an outage of a destination does to work without own retry terms. `Pause` needs a breaker.
    pub on_outage: OnOutage,
    /// Claims nothing until [`Running::resume`](super::Running::resume).
    pub starts_paused: bool,
    /// Maximum number of destinations with a breaker. Beyond it, the least recently used breaker is dropped.
    pub destinations_max: usize,
    /// How long handlers may continue when the runner ends without [`Running::stop`](super::Running::stop): its handle
    /// was dropped, or its source was closed.
    pub drain: Span,
}

/// What the runner requires of a handler to extend its claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Liveness {
    /// The handler is running. The timeout of the attempt is the only limit.
    #[default]
    Running,
    /// The handler called [`Call::beat`](crate::Call::beat) since the last extension: the claim of a handler that hangs
    /// expires. Unsuitable for handlers that wait for a response, as HTTP and gRPC targets do: they cannot beat
    /// meanwhile.
    Beats,
}

impl RunnerSettings {
    pub const CONCURRENCY_MAX: usize = 65_536;

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_within("concurrency", self.concurrency, 1..=Self::CONCURRENCY_MAX)?;
        Invalid::unless_within("destinations_max", self.destinations_max, 1..=1_000_000)?;
        if self.timeout.is_zero() || self.timeout > Span::from_days(30) {
            return Err(Invalid::new("timeout", Problem::OutOfRange, self.timeout, "more than zero, up to 30d"));
        }
        if self.extend_every.is_some_and(Span::is_zero) {
            return Err(Invalid::new("extend_every", Problem::OutOfRange, "0s", "more than zero, or none"));
        }
        if self.on_outage == OnOutage::Pause && self.breaker.is_none() {
            let allowed = "dead_letter without a circuit breaker, which tells when there is an outage";
            return Err(Invalid::new("on_outage", Problem::Contradiction, self.on_outage, allowed));
        }
        Ok(())
    }
}

impl Default for RunnerSettings {
    /// 16 concurrent handlers, a timeout of 5 min, claims extended while a handler runs, 1024 destinations with a
    /// breaker, a drain of 30 s.
    fn default() -> Self {
        Self {
            concurrency: 16,
            timeout: Span::from_mins(5),
            liveness: Liveness::default(),
            extend_every: None,
            breaker: Some(BreakerConfig::default()),
            on_outage: OnOutage::default(),
            starts_paused: false,
            destinations_max: 1024,
            drain: Span::from_secs(30),
        }
    }
}

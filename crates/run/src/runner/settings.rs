//! How a runner is set up.

use redrive_core::{BreakerConfig, Invalid, Problem, Span};

/// How a runner is set up.
#[derive(Debug, Clone)]
pub struct RunnerSettings {
    /// So many handlers run at a time.
    pub concurrency: usize,
    /// An attempt that takes longer is stopped, and has failed.
    pub timeout: Span,
    pub liveness: Liveness,
    pub breaker: BreakerConfig,
    /// So many destinations have a breaker; beyond it, the one that was used longest ago is forgotten.
    pub destinations_max: usize,
    /// How long a runner that is stopped without being told otherwise lets its handlers work on.
    pub drain: Span,
}

/// What keeps a claim from ending while a handler works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Liveness {
    /// That its task is there; the attempt's timeout is the bound.
    #[default]
    Running,
    /// That it showed life since the last extension: a handler that hangs loses its claim by itself. Not for handlers
    /// that wait for somebody else's answer, as HTTP and gRPC targets do: they have nothing to show meanwhile.
    Beats,
}

impl RunnerSettings {
    pub const CONCURRENCY_MAX: usize = 65_536;

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let count = |field, value: usize, most: usize| match value {
            1.. if value <= most => Ok(()),
            _ => Err(Invalid::new(field, Problem::OutOfRange, value, format!("1 to {most}"))),
        };
        count("concurrency", self.concurrency, Self::CONCURRENCY_MAX)?;
        count("destinations_max", self.destinations_max, 1_000_000)?;
        if self.timeout.is_zero() || self.timeout > Span::from_days(30) {
            return Err(Invalid::new("timeout", Problem::OutOfRange, self.timeout, "more than zero, up to 30d"));
        }
        Ok(())
    }
}

impl Default for RunnerSettings {
    /// Sixteen at a time, five minutes each, claims kept while a handler runs.
    fn default() -> Self {
        Self {
            concurrency: 16,
            timeout: Span::from_mins(5),
            liveness: Liveness::default(),
            breaker: BreakerConfig::default(),
            destinations_max: 1024,
            drain: Span::from_secs(30),
        }
    }
}

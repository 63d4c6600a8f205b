//! The settings of a loop.

use redrive_core::{Backoff, Invalid, Jitter, Problem, Span};
use redrive_run::{Liveness, RunnerSettings};

use super::LoopTiming;
use crate::ReceiveSpec;

/// The settings of a loop.
#[derive(Debug, Clone)]
pub struct LoopSettings {
    /// Length of the lease of a received message; `None` leaves it to the group, or is 300 s for a loop that runs alone.
    pub visibility: Option<Span>,
    /// How long one receive waits, at least 10 ms; `None` leaves it to the group, or is 20 s for a loop that runs alone.
    pub wait: Option<Span>,
    /// Maximum number of messages that are processed at the same time, each with its own lease. Default: 1.
    pub concurrency: usize,
    /// Length of the lease from the start of the handler, and from each extension. Default: 900 s.
    pub extension: Span,
    /// How often the lease is extended, if the handler has beaten since. Default: 60 s.
    pub extend_every: Span,
    /// Maximum duration of an attempt. Default: 30 days, because a handler that hangs has no heartbeat.
    pub timeout: Span,
    /// The delays after failures. Default: 60 s for each delivery, at most 900 s.
    pub backoff: Option<Backoff>,
    /// Jitter of the delays. Default: none.
    pub jitter: Jitter,
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self {
            visibility: None,
            wait: None,
            concurrency: 1,
            extension: Span::from_secs(900),
            extend_every: Span::from_secs(60),
            timeout: Span::from_days(30),
            backoff: None,
            jitter: Jitter::None,
        }
    }
}

impl LoopSettings {
    /// The shortest wait of a receive: an empty mailbox must not be asked without a pause.
    pub const WAIT_MIN: Span = Span::from_millis(10);

    /// The settings that a group, or a loop that runs alone, does not leave open.
    pub(super) fn timing(&self, timing: LoopTiming) -> LoopTiming {
        LoopTiming { visibility: self.visibility.unwrap_or(timing.visibility), wait: self.wait.unwrap_or(timing.wait) }
    }

    pub(super) fn check(&self, timing: LoopTiming) -> Result<(), Invalid> {
        let wait = self.timing(timing).wait;
        if wait < Self::WAIT_MIN {
            return Err(Invalid::new("wait", Problem::OutOfRange, wait, format!("at least {}", Self::WAIT_MIN)));
        }
        if self.extension > ReceiveSpec::VISIBILITY_MAX {
            let allowed = format!("at most {}", ReceiveSpec::VISIBILITY_MAX);
            return Err(Invalid::new("extension", Problem::OutOfRange, self.extension, allowed));
        }
        if self.extend_every >= self.extension {
            let allowed = format!("longer than extend_every ({})", self.extend_every);
            return Err(Invalid::new("extension", Problem::Contradiction, self.extension, allowed));
        }
        Ok(())
    }

    pub(super) fn of_runner(&self) -> RunnerSettings {
        RunnerSettings {
            concurrency: self.concurrency,
            timeout: self.timeout,
            liveness: Liveness::Beats,
            extend_every: Some(self.extend_every),
            // Every delivery of a mailbox counts: to hold back work is the policy's task.
            breaker: None,
            ..RunnerSettings::default()
        }
    }
}

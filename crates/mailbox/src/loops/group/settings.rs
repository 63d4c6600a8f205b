//! The settings of a group, and the times that depend on each other.

use std::net::SocketAddr;

use redrive_core::Span;

use crate::loops::{LoopTiming, Runnable, TimingError};

/// The settings of a group of loops.
#[derive(Debug, Clone)]
pub struct GroupSettings {
    /// How the loops receive, unless their own settings say otherwise. Default: leases of 1800 s, receives of 30 s.
    pub timing: LoopTiming,
    /// The longest time between two heartbeats of a handler that works. Default: 600 s.
    pub max_gap: Span,
    /// A loop without a heartbeat for this long is not ready. Default: 660 s.
    pub readiness: Span,
    /// Ends the process when a loop hangs. Default: after 720 s, looked at every 60 s. `None` ends nothing.
    pub watchdog: Option<WatchdogSettings>,
    /// How long all loops together have to end. Default: 30 s.
    pub shutdown_timeout: Span,
    /// What happens when a loop ends without a shutdown. Default: it is started again.
    pub on_loop_end: OnLoopEnd,
    /// Where health checks are served. Default: nowhere.
    pub health_address: Option<SocketAddr>,
    /// Whether SIGTERM and SIGINT shut the group down. Default: true.
    pub handles_signals: bool,
}

/// When the watchdog ends the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchdogSettings {
    /// After this time without a heartbeat of a loop.
    pub threshold: Span,
    /// How often it looks.
    pub interval: Span,
}

/// What happens when a loop ends without a shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnLoopEnd {
    /// It is started again after a delay, which is doubled up to `delay_max` while it ends again soon. A loop whose
    /// mailbox was closed is not started again.
    Restart { delay: Span, delay_max: Span },
    /// The group shuts down.
    EndGroup,
}

impl Default for OnLoopEnd {
    fn default() -> Self {
        Self::Restart { delay: Span::from_secs(1), delay_max: Span::from_secs(60) }
    }
}

impl Default for WatchdogSettings {
    fn default() -> Self {
        Self { threshold: Span::from_secs(720), interval: Span::from_secs(60) }
    }
}

impl Default for GroupSettings {
    fn default() -> Self {
        Self {
            timing: LoopTiming::IN_GROUP,
            max_gap: Span::from_secs(600),
            readiness: Span::from_secs(660),
            watchdog: Some(WatchdogSettings::default()),
            shutdown_timeout: Span::from_secs(30),
            on_loop_end: OnLoopEnd::default(),
            health_address: None,
            handles_signals: true,
        }
    }
}

impl GroupSettings {
    /// Checks the times against each other.
    ///
    /// # Errors
    ///
    /// The first contradiction.
    pub fn check(&self) -> Result<(), TimingError> {
        self.check_wait(self.timing.wait)?;
        let Some(WatchdogSettings { threshold, interval }) = self.watchdog else { return Ok(()) };
        if interval.is_zero() {
            return Err(TimingError::WatchdogIntervalZero);
        }
        let most = Span::from_micros(threshold.as_micros() / 3);
        if interval >= most {
            return Err(TimingError::WatchdogInterval { interval, most });
        }
        if self.readiness >= threshold {
            return Err(TimingError::ReadinessTooLong { readiness: self.readiness, threshold });
        }
        let least = threshold.saturating_add(self.max_gap);
        if self.timing.visibility <= least {
            return Err(TimingError::Visibility { visibility: self.timing.visibility, least });
        }
        Ok(())
    }

    /// Checks that a loop which only waits, or whose handler beats in time, is healthy.
    fn check_wait(&self, wait: Span) -> Result<(), TimingError> {
        let least = wait.saturating_add(self.max_gap);
        if self.readiness <= least {
            return Err(TimingError::ReadinessTooShort { readiness: self.readiness, least });
        }
        match self.watchdog {
            Some(WatchdogSettings { threshold, .. }) if threshold <= least => {
                Err(TimingError::WatchdogThreshold { threshold, least })
            }
            _ => Ok(()),
        }
    }

    /// Checks the receives and leases of a loop. Its visibility may be shorter than that of the group: it extends the
    /// lease when a handler starts.
    pub(super) fn check_loop(&self, runnable: &dyn Runnable) -> Result<(), TimingError> {
        self.check_wait(runnable.timing(self.timing).wait)?;
        let (Some(watchdog), Some((extension, extend_every))) = (self.watchdog, runnable.lease_extension()) else {
            return Ok(());
        };
        let least = watchdog.threshold.saturating_add(watchdog.interval).saturating_add(extend_every);
        if extension <= least {
            return Err(TimingError::Extension { extension, least });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(secs: u64) -> Span {
        Span::from_secs(secs)
    }

    /// Each row of the table of the documentation, at the first value that violates it.
    #[test]
    fn times_that_contradict_each_other_are_rejected_with_a_sentence() {
        type Change = fn(&mut GroupSettings);
        let cases: [(Change, &str); 5] = [
            (|settings| settings.timing.visibility = secs(1320), "visibility 22m0s must be longer than"),
            (|settings| settings.timing.wait = secs(120), "readiness 11m0s must be longer than wait"),
            (
                |settings| {
                    settings.max_gap = secs(690);
                    settings.readiness = secs(721);
                },
                "the watchdog's threshold 12m0s must be longer than wait and max_gap together, 12m0s",
            ),
            (
                |settings| settings.watchdog = Some(WatchdogSettings { threshold: secs(720), interval: secs(240) }),
                "the watchdog's interval 4m0s must be shorter than a third of its threshold, 4m0s",
            ),
            (
                |settings| settings.readiness = secs(720),
                "readiness 12m0s must be shorter than the watchdog's threshold",
            ),
        ];
        assert_eq!(GroupSettings::default().check(), Ok(()));
        for (change, sentence) in cases {
            let mut settings = GroupSettings::default();
            change(&mut settings);
            let error = settings.check().unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{error}");
        }
    }
}

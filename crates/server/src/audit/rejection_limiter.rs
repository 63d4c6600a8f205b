//! Limits the rate at which rejected acts are recorded.
//!
//! Any caller can send requests that are rejected, at any rate. If each were recorded, they would push the records of
//! successful acts out of the limited audit log.

use redrive_core::{MonotonicTime, Span};

const PER_MINUTE_MAX: u32 = 600;
const MINUTE: Span = Span::from_mins(1);

#[derive(Debug, Default)]
pub(super) struct RejectionLimiter {
    minute_begin: MonotonicTime,
    recorded: u32,
    /// Rejections that were not recorded since the last one that was.
    pub(super) unrecorded: u64,
}

impl RejectionLimiter {
    /// Whether one more rejection may be recorded now; if not, it is counted.
    pub(super) fn admit(&mut self, now: MonotonicTime) -> bool {
        if now.since(self.minute_begin) >= MINUTE {
            (self.minute_begin, self.recorded) = (now, 0);
        }
        if self.recorded >= PER_MINUTE_MAX {
            self.unrecorded += 1;
            return false;
        }
        self.recorded += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{MINUTE, MonotonicTime, PER_MINUTE_MAX, RejectionLimiter};

    #[test]
    fn rejections_above_the_rate_limit_are_counted_and_not_recorded() {
        let mut limiter = RejectionLimiter::default();
        let now = MonotonicTime::from_micros(60_000_000_000);
        let recorded = (0..PER_MINUTE_MAX + 5).filter(|_| limiter.admit(now)).count();
        assert_eq!(recorded, PER_MINUTE_MAX as usize);
        assert_eq!(limiter.unrecorded, 5);
        assert!(limiter.admit(now.saturating_add(MINUTE)));
    }
}

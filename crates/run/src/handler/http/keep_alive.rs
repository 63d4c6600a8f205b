//! Whether connections to a server are worth keeping.
//!
//! Some servers close each connection after its answer without announcing it. A request on such a connection fails, it is
//! unknown whether the server saw it, and the attempt counts. So after a failure no connections are kept for a while: a
//! second after a single one, as when a server restarts, and longer each time if failures repeat.

use std::time::Duration;

use tokio::time::Instant;

const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_mins(10);
/// After this many answers since the last failure, the next failure counts as a single one.
const GOOD_AFTER: u32 = 1000;

#[derive(Debug, Default)]
pub(super) struct KeepAlivePolicy {
    until: Option<Instant>,
    pause: Duration,
    /// Answers since the last failure.
    good: u32,
}

impl KeepAlivePolicy {
    /// Whether connections may be kept.
    pub(super) fn is_allowed(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| until <= now)
    }

    /// Records an answer.
    pub(super) fn served(&mut self) {
        self.good = self.good.saturating_add(1);
    }

    /// Records a connection that broke before the answer.
    pub(super) fn broke(&mut self, now: Instant) {
        // Requests that were in flight meanwhile are the same event.
        if !self.is_allowed(now) {
            return;
        }
        self.pause = if self.good >= GOOD_AFTER { PAUSE_MIN } else { (self.pause * 2).clamp(PAUSE_MIN, PAUSE_MAX) };
        self.good = 0;
        self.until = Some(now + self.pause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn pauses_grow_while_connections_break_again_and_again() {
        let mut policy = KeepAlivePolicy::default();
        let mut now = Instant::now();
        let mut pauses = Vec::new();
        for _ in 0..12 {
            assert!(policy.is_allowed(now));
            policy.served();
            policy.broke(now);
            policy.broke(now);
            assert!(!policy.is_allowed(now));
            let until = policy.until.unwrap();
            pauses.push((until - now).as_secs());
            now = until;
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    }

    #[tokio::test]
    async fn a_failure_after_many_answers_pauses_briefly() {
        let mut policy = KeepAlivePolicy::default();
        let now = Instant::now();
        policy.broke(now);
        let later = now + PAUSE_MAX;
        for _ in 0..GOOD_AFTER {
            policy.served();
        }
        policy.broke(later);
        assert_eq!(policy.until, Some(later + PAUSE_MIN));
    }
}

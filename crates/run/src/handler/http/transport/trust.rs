//! Whether connections to a target are worth keeping.
//!
//! Some close each after its answer and do not say so. A request that is sent by such a connection breaks, nobody knows
//! whether it was seen, and the attempt counts. So none are kept for a while: a second where it happens once, as when a
//! target is started anew, and longer each time where it happens again and again.

use std::time::Duration;

use tokio::time::Instant;

const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_mins(10);
/// So many requests by kept connections, and what was before is forgotten.
const GOOD_AFTER: u32 = 1000;

#[derive(Debug, Default)]
pub(super) struct Trust {
    until: Option<Instant>,
    pause: Duration,
    /// Requests that kept connections have served since one of them broke.
    good: u32,
}

impl Trust {
    /// A connection has served so many requests; whether it is kept for another.
    pub(super) fn served(&mut self, requests: u32, now: Instant) -> bool {
        self.good = self.good.saturating_add(u32::from(requests > 1));
        self.until.is_none_or(|until| until <= now)
    }

    /// One that was kept broke before it brought an answer.
    pub(super) fn broke(&mut self, now: Instant) {
        // Those that were on their way meanwhile are the same event.
        if self.until.is_some_and(|until| now < until) {
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
    async fn a_target_that_breaks_again_and_again_is_trusted_less_and_less() {
        let mut trust = Trust::default();
        let mut now = Instant::now();
        let mut pauses = Vec::new();
        for _ in 0..12 {
            assert!(trust.served(2, now));
            trust.broke(now);
            trust.broke(now);
            assert!(!trust.served(1, now));
            let until = trust.until.unwrap();
            pauses.push((until - now).as_secs());
            now = until;
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    }

    #[tokio::test]
    async fn a_target_that_served_long_is_trusted_again_soon() {
        let mut trust = Trust::default();
        let now = Instant::now();
        trust.broke(now);
        let later = now + PAUSE_MAX;
        for _ in 0..GOOD_AFTER {
            assert!(trust.served(2, later));
        }
        trust.broke(later);
        assert_eq!(trust.until, Some(later + PAUSE_MIN));
    }
}

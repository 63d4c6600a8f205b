//! The limits of a target: how many calls run at the same time, and how many begin in a second.
//!
//! They apply to all users of the target together: routes, and the dead queues whose letters it retries. A call waits
//! for its permit before it begins, so waiting spends no attempt and counts towards no timeout.

use std::time::Duration;

use tokio::sync::{Mutex, Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until};

/// The limits of a target; at least one of them is set.
#[derive(Debug)]
pub(super) struct Limits {
    /// A permit for each call that may run at the same time.
    calls: Option<Semaphore>,
    /// When the next call may begin.
    rate: Option<RateLimiter>,
}

/// The permission for one call. Hold it while the call runs, and drop it when the call has ended.
#[derive(Debug)]
pub(super) struct CallPermit<'l>(
    #[expect(dead_code, reason = "it is released when it is dropped")] Option<SemaphorePermit<'l>>,
);

impl Limits {
    /// `None` if neither limit is set.
    pub(super) fn new(concurrency: Option<usize>, rate_per_second: Option<f64>) -> Option<Self> {
        if concurrency.is_none() && rate_per_second.is_none() {
            return None;
        }
        Some(Self { calls: concurrency.map(Semaphore::new), rate: rate_per_second.map(RateLimiter::new) })
    }

    /// Waits until the target may be called. Waiting calls get their permits in the order in which they began to wait.
    pub(super) async fn permit(&self) -> CallPermit<'_> {
        let permit = match &self.calls {
            // An error means that the semaphore is closed, and this one never is.
            Some(calls) => calls.acquire().await.ok(),
            None => None,
        };
        // The rate comes last: a call that has its slot begins at once. In the other order, calls could take their
        // slots, wait for a permit, and then begin together.
        if let Some(rate) = &self.rate {
            rate.take_slot().await;
        }
        CallPermit(permit)
    }
}

/// Slots at even intervals: a call may begin at each slot. Slots that no call takes are lost, so that a pause is not
/// followed by a burst.
#[derive(Debug)]
struct RateLimiter {
    interval: Duration,
    /// The time of the next slot; `None` before the first call. The first waiting call holds the lock while it sleeps,
    /// and the others wait for the lock, in order. The time is changed only after the sleep: a call that is cancelled
    /// while it waits takes no slot.
    next: Mutex<Option<Instant>>,
}

impl RateLimiter {
    /// How far slots may lie in the past and still be taken. A timer ends up to a few milliseconds late, and several
    /// slots of a high rate pass in that time. The next calls take these slots without waiting; otherwise no rate above
    /// a few hundred per second could be reached. With an interval of 10 ms or more, nothing is made up for.
    const MADE_UP: Duration = Duration::from_millis(10);

    fn new(rate_per_second: f64) -> Self {
        Self { interval: Duration::from_secs_f64(1.0 / rate_per_second), next: Mutex::new(None) }
    }

    /// Waits for the next slot, and takes it.
    async fn take_slot(&self) {
        let mut next = self.next.lock().await;
        if let Some(next) = *next {
            sleep_until(next).await;
        }
        let now = Instant::now();
        let late = Self::MADE_UP.saturating_sub(self.interval);
        let slot = next.map_or(now, |next| next.max(now.checked_sub(late).unwrap_or(now)));
        *next = Some(slot + self.interval);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::time::{Instant, sleep, timeout};

    use super::Limits;

    async fn started(limits: &Arc<Limits>, calls: usize) -> Vec<Duration> {
        let begin = Instant::now();
        let calls = (0..calls).map(|_| {
            let limits = Arc::clone(limits);
            tokio::spawn(async move {
                let _permit = limits.permit().await;
                begin.elapsed()
            })
        });
        let calls: Vec<_> = calls.collect();
        let mut started = Vec::new();
        for call in calls {
            started.push(call.await.unwrap());
        }
        started.sort();
        started
    }

    #[tokio::test(start_paused = true)]
    async fn calls_are_spaced_evenly_even_after_a_pause() {
        let limits = Arc::new(Limits::new(None, Some(4.0)).unwrap());
        let millis = |started: Vec<Duration>| started.iter().map(Duration::as_millis).collect::<Vec<_>>();
        assert_eq!(millis(started(&limits, 4).await), [0, 250, 500, 750]);
        sleep(Duration::from_secs(60)).await;
        assert_eq!(millis(started(&limits, 3).await), [0, 250, 500], "a pause earns no burst");
    }

    #[tokio::test(start_paused = true)]
    async fn a_high_rate_is_reached_and_not_exceeded() {
        let limits = Arc::new(Limits::new(None, Some(10_000.0)).unwrap());
        let started = started(&limits, 5_000).await;
        let took = started.last().unwrap().as_secs_f64();
        assert!((0.48..0.52).contains(&took), "5000 calls took {took} s");
    }

    #[tokio::test(start_paused = true)]
    async fn a_rate_below_one_per_second_is_kept() {
        let limits = Arc::new(Limits::new(None, Some(0.1)).unwrap());
        assert_eq!(started(&limits, 2).await[1].as_secs(), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_stops_waiting_uses_up_no_turn() {
        let limits = Arc::new(Limits::new(None, Some(1.0)).unwrap());
        let begin = Instant::now();
        drop(limits.permit().await);
        for _ in 0..5 {
            assert!(timeout(Duration::from_millis(100), limits.permit()).await.is_err());
        }
        drop(limits.permit().await);
        assert_eq!(begin.elapsed().as_millis(), 1_000);
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_calls_run_than_allowed_and_waiting_ones_follow_in_order() {
        let limits = Arc::new(Limits::new(Some(2), None).unwrap());
        let (first, _second) = (limits.permit().await, limits.permit().await);
        assert!(timeout(Duration::from_secs(1), limits.permit()).await.is_err());
        drop(first);
        assert!(timeout(Duration::from_secs(1), limits.permit()).await.is_ok());
    }
}

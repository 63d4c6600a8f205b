//! Measures how long it takes to make a batch durable.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use redrive_core::Span;
use redrive_store::SyncTimes;

/// The counters behind [`SyncTimes`]. Only the writer thread changes them.
#[derive(Debug, Default)]
pub(crate) struct SyncMeter {
    within: [AtomicU64; SyncTimes::BOUNDS.len()],
    beyond: AtomicU64,
    micros: AtomicU64,
}

impl SyncMeter {
    pub(crate) fn add(&self, took: Duration) {
        let took = Span::from(took);
        let bound = SyncTimes::BOUNDS.iter().position(|bound| took <= *bound);
        let counter = bound.and_then(|bound| self.within.get(bound)).unwrap_or(&self.beyond);
        counter.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(took.as_micros(), Ordering::Relaxed);
    }

    pub(crate) fn times(&self) -> SyncTimes {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        SyncTimes {
            within: std::array::from_fn(|bound| count(&self.within[bound])),
            beyond: count(&self.beyond),
            total: Span::from_micros(count(&self.micros)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_duration_is_counted_in_one_bucket() {
        let meter = SyncMeter::default();
        for micros in [0, 50, 51, 2_000_000, 2_000_001] {
            meter.add(Duration::from_micros(micros));
        }
        let times = meter.times();
        assert_eq!((times.within[0], times.within[1], times.within[11], times.beyond), (2, 1, 1, 1));
        assert_eq!((times.count(), times.total), (5, Span::from_micros(4_000_102)));
    }
}

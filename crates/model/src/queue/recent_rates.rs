//! Rates of events over the last minutes.
//!
//! Each minute has separate counters, and the oldest minute is dropped when a new one begins. Checkpoints do not
//! contain the rates: after a restart, events from before it may be missing until they would have been dropped anyway.

use redrive_core::{Span, Time};

use super::Event;

/// The events with a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateEvent {
    /// A letter was created.
    Made,
    Succeeded,
    Failed,
    /// An item was produced or imported.
    Arrived,
    /// An item was completed, expired, was dropped, or died.
    Left,
}

impl RateEvent {
    const ALL: [Self; 5] = [Self::Made, Self::Succeeded, Self::Failed, Self::Arrived, Self::Left];

    pub const fn of(why: Event) -> Option<Self> {
        match why {
            Event::LetterMade => Some(Self::Made),
            Event::LetterCompleted => Some(Self::Succeeded),
            Event::RetryCharged | Event::AttemptLost => Some(Self::Failed),
            Event::Produced | Event::Imported => Some(Self::Arrived),
            Event::DeadLettered => Some(Self::Left),
            _ => None,
        }
    }
}

/// The number of complete minutes in a rate, in addition to the current one.
const MINUTES: usize = 5;
const MINUTE: i64 = 60_000_000;

/// Event counts of the last minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecentRates {
    /// The newest minute with a count.
    minute: i64,
    /// By event; the newest minute first.
    counts: [[u32; MINUTES + 1]; RateEvent::ALL.len()],
}

impl RecentRates {
    pub fn count(&mut self, event: RateEvent, times: u32, at: Time) {
        let minute = at.as_micros().div_euclid(MINUTE);
        if minute > self.minute {
            *self = self.at_minute(minute);
        }
        let back = usize::try_from(self.minute - minute).unwrap_or(usize::MAX);
        if let Some(count) = self.counts[event as usize].get_mut(back) {
            *count = count.saturating_add(times);
        }
    }

    /// The average rate per minute over the last five minutes and the current one.
    #[expect(clippy::cast_precision_loss, reason = "a rate is approximate")]
    pub fn per_minute(&self, event: RateEvent, now: Time) -> f64 {
        let minute = now.as_micros().div_euclid(MINUTE);
        let rates = if minute > self.minute { self.at_minute(minute) } else { *self };
        let sum: u64 = rates.counts[event as usize].iter().map(|count| u64::from(*count)).sum();
        let running = Span::from_micros(u64::try_from(now.as_micros().rem_euclid(MINUTE)).unwrap_or(0));
        let minutes = MINUTES as f64 + running.as_micros() as f64 / MINUTE as f64;
        sum as f64 / minutes
    }

    fn at_minute(&self, minute: i64) -> Self {
        let passed = usize::try_from(minute - self.minute).unwrap_or(usize::MAX).min(MINUTES + 1);
        let mut moved = Self { minute, ..*self };
        for counts in &mut moved.counts {
            counts.rotate_right(passed % (MINUTES + 1));
            counts[..passed].fill(0);
        }
        moved
    }
}

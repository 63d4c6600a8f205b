//! How much has happened to letters of late.
//!
//! Minutes are counted apart, and the oldest is given up when a new one begins. No description holds them: what
//! happened before a restart may be missing for as long as it would count.

use redrive_core::{Span, Time};

use super::Event;

/// What is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateEvent {
    /// A letter came to be.
    Made,
    Succeeded,
    Failed,
}

impl RateEvent {
    const ALL: [Self; 3] = [Self::Made, Self::Succeeded, Self::Failed];

    pub const fn of(why: Event) -> Option<Self> {
        match why {
            Event::LetterMade => Some(Self::Made),
            Event::LetterCompleted => Some(Self::Succeeded),
            Event::RetryCharged | Event::AttemptLost => Some(Self::Failed),
            _ => None,
        }
    }
}

/// So many whole minutes count, and the one that runs.
const MINUTES: usize = 5;
const MINUTE: i64 = 60_000_000;

/// What happened in the last minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecentRates {
    /// The newest minute of which something is known.
    minute: i64,
    /// By event; the newest minute first.
    counts: [[u32; MINUTES + 1]; RateEvent::ALL.len()],
}

impl RecentRates {
    pub fn count(&mut self, event: RateEvent, at: Time) {
        let minute = at.as_micros().div_euclid(MINUTE);
        if minute > self.minute {
            *self = self.at_minute(minute);
        }
        let back = usize::try_from(self.minute - minute).unwrap_or(usize::MAX);
        if let Some(count) = self.counts[event as usize].get_mut(back) {
            *count = count.saturating_add(1);
        }
    }

    /// How many there are in a minute, on the average of the last five and the one that runs.
    #[expect(clippy::cast_precision_loss, reason = "a rate is a rough number")]
    pub fn per_minute(&self, event: RateEvent, now: Time) -> f64 {
        let minute = now.as_micros().div_euclid(MINUTE);
        let pace = if minute > self.minute { self.at_minute(minute) } else { *self };
        let sum: u64 = pace.counts[event as usize].iter().map(|count| u64::from(*count)).sum();
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

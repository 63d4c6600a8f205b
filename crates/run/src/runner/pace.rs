//! How far ahead to claim.
//!
//! While a claim is on its way, a place that becomes free stays empty. Handlers that take as long as that, or less, would
//! leave most places empty; so as many more are claimed as are finished while the source answers, and bursts on top. Where handlers take
//! much longer, that is none: work that waits here could run elsewhere.

use redrive_core::Span;

/// What attempts and answers of the source take, of late.
#[derive(Debug, Default)]
pub(super) struct Pace {
    attempt_micros: Option<u64>,
    answer_micros: u64,
}

impl Pace {
    pub(super) fn attempted(&mut self, took: Span) {
        let before = self.attempt_micros.unwrap_or(took.as_micros());
        self.attempt_micros = Some(nearer(before, took.as_micros()));
    }

    /// The source took results; a claim may have waited for work, and says nothing.
    pub(super) fn answered(&mut self, took: Span) {
        self.answer_micros = nearer(self.answer_micros, took.as_micros());
    }

    /// How many more than there are places for.
    pub(super) fn ahead(&self, places: usize) -> usize {
        let Some(attempt) = self.attempt_micros else { return 0 };
        let finished = (places as u64).saturating_mul(BURST * self.answer_micros) / attempt.max(1);
        places.min(usize::try_from(finished).unwrap_or(places))
    }
}

/// Attempts end in bursts: those that began together, and all that a timer wakes at once.
const BURST: u64 = 8;

/// An eighth of the way.
const fn nearer(before: u64, now: u64) -> u64 {
    (before * 7 + now) / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(attempt: Span, answer: Span) -> Pace {
        let mut pace = Pace::default();
        for _ in 0..100 {
            pace.attempted(attempt);
            pace.answered(answer);
        }
        pace
    }

    #[test]
    fn slow_handlers_leave_their_work_to_others() {
        assert_eq!(pace(Span::from_secs(60), Span::from_millis(1)).ahead(256), 0);
        assert_eq!(Pace::default().ahead(256), 0, "nothing is known yet");
    }

    #[test]
    fn quick_handlers_get_as_much_again() {
        assert_eq!(pace(Span::ZERO, Span::from_micros(50)).ahead(256), 256);
    }

    #[test]
    fn as_many_are_claimed_as_are_finished_meanwhile_in_bursts() {
        let ahead = pace(Span::from_millis(5), Span::from_micros(200)).ahead(256);
        assert!((70..=82).contains(&ahead), "{ahead}");
    }
}

//! How far ahead to claim.
//!
//! While a claim is on its way, a place that becomes free stays empty. Handlers that take as long as that, or less, would
//! leave most places empty; so as many more are claimed as are finished while the source answers, and bursts on top.
//! Where handlers take much longer, that is none: work that waits here could run elsewhere.

use redrive_core::Span;

/// What attempts and answers of the source take, of late.
#[derive(Debug, Default)]
pub(super) struct AttemptPace {
    attempt_micros: Option<u64>,
    answer_micros: u64,
}

impl AttemptPace {
    pub(super) fn attempted(&mut self, took: Span) {
        let before = self.attempt_micros.unwrap_or(took.as_micros());
        self.attempt_micros = Some(nearer(before, took.as_micros()));
    }

    /// The source took results; a claim may have waited for work, and says nothing.
    pub(super) fn answered(&mut self, took: Span) {
        self.answer_micros = nearer(self.answer_micros, took.as_micros());
    }

    /// How many to claim, where so many are held for that many places, of which some wait.
    pub(super) fn wanted(&self, places: usize, held: usize, waiting: usize) -> usize {
        let ahead = self.ahead(places);
        // Few large claims cost a source less than many small ones, and where handlers are this quick, that counts.
        if ahead == most_ahead(places) && waiting > ahead / 2 {
            return 0;
        }
        (places + ahead).saturating_sub(held)
    }

    /// How many more than there are places for.
    fn ahead(&self, places: usize) -> usize {
        let Some(attempt) = self.attempt_micros else { return 0 };
        let finished = (places as u64).saturating_mul(BURST * self.answer_micros) / attempt.max(1);
        most_ahead(places).min(usize::try_from(finished).unwrap_or(places))
    }
}

/// As much again as there are places; of a few places twice that, which are free again before a claim is answered.
fn most_ahead(places: usize) -> usize {
    places.max((2 * places).min(64))
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

    fn pace(attempt: Span, answer: Span) -> AttemptPace {
        let mut pace = AttemptPace::default();
        for _ in 0..100 {
            pace.attempted(attempt);
            pace.answered(answer);
        }
        pace
    }

    #[test]
    fn slow_handlers_leave_their_work_to_others() {
        assert_eq!(pace(Span::from_secs(60), Span::from_millis(1)).ahead(256), 0);
        assert_eq!(AttemptPace::default().ahead(256), 0, "nothing is known yet");
    }

    #[test]
    fn quick_handlers_get_as_much_again() {
        assert_eq!(pace(Span::ZERO, Span::from_micros(50)).ahead(256), 256);
        assert_eq!(pace(Span::ZERO, Span::from_micros(50)).ahead(32), 64);
        assert_eq!(pace(Span::ZERO, Span::from_micros(50)).ahead(1), 2);
    }

    #[test]
    fn quick_handlers_get_much_at_once_and_slow_ones_each_place_as_it_is_free() {
        let quick = pace(Span::ZERO, Span::from_micros(50));
        assert_eq!(quick.wanted(32, 96, 64), 0, "all that may be held is");
        assert_eq!(quick.wanted(32, 65, 33), 0, "more than half is still there");
        assert_eq!(quick.wanted(32, 64, 32), 32);
        assert_eq!(quick.wanted(32, 0, 0), 96);
        let slow = pace(Span::from_secs(60), Span::from_millis(1));
        assert_eq!(slow.wanted(32, 32, 0), 0);
        assert_eq!(slow.wanted(32, 31, 0), 1);
    }

    #[test]
    fn as_many_are_claimed_as_are_finished_meanwhile_in_bursts() {
        let ahead = pace(Span::from_millis(5), Span::from_micros(200)).ahead(256);
        assert!((70..=82).contains(&ahead), "{ahead}");
    }
}

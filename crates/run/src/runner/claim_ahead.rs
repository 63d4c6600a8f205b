//! How far ahead to claim.
//!
//! A slot that becomes free stays empty while a claim is in flight. With handlers as fast as a claim, or faster, most
//! slots would stay empty; so the runner claims as much in addition as it finishes while the source answers, times a
//! factor for bursts. With much slower handlers that is nothing: work that waits here could run in another process.

use redrive_core::Span;

/// Moving averages of the duration of attempts and of answers of the source.
#[derive(Debug, Default)]
pub(super) struct ClaimAhead {
    attempt_micros: Option<u64>,
    answer_micros: u64,
}

impl ClaimAhead {
    pub(super) fn attempted(&mut self, took: Span) {
        let before = self.attempt_micros.unwrap_or(took.as_micros());
        self.attempt_micros = Some(averaged(before, took.as_micros()));
    }

    /// Records how long the source took to settle. Claims are not measured: they may have waited for work.
    pub(super) fn answered(&mut self, took: Span) {
        self.answer_micros = averaged(self.answer_micros, took.as_micros());
    }

    /// How many deliveries to claim, given the number of held deliveries and how many of those wait for a slot.
    pub(super) fn claim_count(&self, slots: usize, held: usize, waiting: usize) -> usize {
        let ahead = self.ahead(slots);
        // Few large claims cost a source less than many small ones, which matters with handlers this fast.
        if ahead == ahead_max(slots) && waiting > ahead / 2 {
            return 0;
        }
        (slots + ahead).saturating_sub(held)
    }

    /// How many deliveries to hold beyond the number of slots.
    fn ahead(&self, slots: usize) -> usize {
        let Some(attempt) = self.attempt_micros else { return 0 };
        let finished = (slots as u64).saturating_mul(BURST * self.answer_micros) / attempt.max(1);
        ahead_max(slots).min(usize::try_from(finished).unwrap_or(slots))
    }
}

/// As many again as there are slots. Below 64, up to twice that: few slots are free again before a claim is answered.
fn ahead_max(slots: usize) -> usize {
    slots.max((2 * slots).min(64))
}

/// Factor for bursts: attempts that started together, or that one timer wakes, end together.
const BURST: u64 = 8;

/// Exponential moving average with a weight of 1/8 for the new value.
const fn averaged(before: u64, now: u64) -> u64 {
    (before * 7 + now) / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(attempt: Span, answer: Span) -> ClaimAhead {
        let mut measured = ClaimAhead::default();
        for _ in 0..100 {
            measured.attempted(attempt);
            measured.answered(answer);
        }
        measured
    }

    #[test]
    fn slow_handlers_claim_nothing_ahead() {
        assert_eq!(measured(Span::from_secs(60), Span::from_millis(1)).ahead(256), 0);
        assert_eq!(ClaimAhead::default().ahead(256), 0, "no attempt was measured yet");
    }

    #[test]
    fn fast_handlers_claim_up_to_the_maximum_ahead() {
        assert_eq!(measured(Span::ZERO, Span::from_micros(50)).ahead(256), 256);
        assert_eq!(measured(Span::ZERO, Span::from_micros(50)).ahead(32), 64);
        assert_eq!(measured(Span::ZERO, Span::from_micros(50)).ahead(1), 2);
    }

    #[test]
    fn fast_handlers_claim_in_batches_and_slow_ones_one_per_free_slot() {
        let fast = measured(Span::ZERO, Span::from_micros(50));
        assert_eq!(fast.claim_count(32, 96, 64), 0, "the maximum is held");
        assert_eq!(fast.claim_count(32, 65, 33), 0, "more than half of it still waits");
        assert_eq!(fast.claim_count(32, 64, 32), 32);
        assert_eq!(fast.claim_count(32, 0, 0), 96);
        let slow = measured(Span::from_secs(60), Span::from_millis(1));
        assert_eq!(slow.claim_count(32, 32, 0), 0);
        assert_eq!(slow.claim_count(32, 31, 0), 1);
    }

    #[test]
    fn the_claim_covers_a_burst_of_what_finishes_meanwhile() {
        let ahead = measured(Span::from_millis(5), Span::from_micros(200)).ahead(256);
        assert!((70..=82).contains(&ahead), "{ahead}");
    }
}

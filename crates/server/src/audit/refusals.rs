//! How many refusals are recorded.
//!
//! Anybody can have something refused, as often as they like. Were each one recorded, they could fill the room that
//! records have, and push out those of what was really done.

use redrive_core::{MonotonicTime, Span};

const A_MINUTE_MAX: u32 = 600;
const MINUTE: Span = Span::from_mins(1);

#[derive(Debug, Default)]
pub(super) struct Refusals {
    minute_begin: MonotonicTime,
    recorded: u32,
    /// Those that were left out since the last one that was recorded.
    pub(super) unrecorded: u64,
}

impl Refusals {
    /// Whether one more is recorded now.
    pub(super) fn admit(&mut self, now: MonotonicTime) -> bool {
        if now.since(self.minute_begin) >= MINUTE {
            (self.minute_begin, self.recorded) = (now, 0);
        }
        if self.recorded >= A_MINUTE_MAX {
            self.unrecorded += 1;
            return false;
        }
        self.recorded += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{A_MINUTE_MAX, MINUTE, MonotonicTime, Refusals};

    #[test]
    fn a_flood_of_refusals_is_counted_and_not_recorded() {
        let mut refusals = Refusals::default();
        let now = MonotonicTime::from_micros(60_000_000_000);
        let recorded = (0..A_MINUTE_MAX + 5).filter(|_| refusals.admit(now)).count();
        assert_eq!(recorded, A_MINUTE_MAX as usize);
        assert_eq!(refusals.unrecorded, 5);
        assert!(refusals.admit(now.saturating_add(MINUTE)));
    }
}

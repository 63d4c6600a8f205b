//! How many refusals are recorded.
//!
//! Anybody can have something refused, as often as they like. Were each one recorded, they could fill the room that
//! records have, and push out those of what was really done.

use redrive_core::Time;

const A_MINUTE_MAX: u32 = 600;

#[derive(Debug, Default)]
pub(super) struct Refusals {
    minute: i64,
    recorded: u32,
    /// Those that were left out since the last one that was recorded.
    pub(super) unrecorded: u64,
}

impl Refusals {
    /// Whether one more is recorded now.
    pub(super) fn admit(&mut self, now: Time) -> bool {
        let minute = now.as_secs().div_euclid(60);
        if minute != self.minute {
            (self.minute, self.recorded) = (minute, 0);
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
    use redrive_core::{Span, Time};

    use super::{A_MINUTE_MAX, Refusals};

    #[test]
    fn a_flood_of_refusals_is_counted_and_not_recorded() {
        let mut refusals = Refusals::default();
        let now = Time::from_secs(60_000);
        let recorded = (0..A_MINUTE_MAX + 5).filter(|_| refusals.admit(now)).count();
        assert_eq!(recorded, A_MINUTE_MAX as usize);
        assert_eq!(refusals.unrecorded, 5);
        assert!(refusals.admit(now.saturating_add(Span::from_mins(1))));
    }
}

//! Ids that only grow.
//!
//! Lists, pivots and lease order follow the id, so two ids of one generator must never change places:
//! not within a second, not when the clock steps back, not across a restart. The generator therefore
//! remembers its last id and counts up from it whenever the clock gives nothing newer. Randomness is
//! spent once a second, to keep generators apart that know nothing of each other.

use super::Ksuid;
use crate::Time;

/// Gives strictly increasing ids.
///
/// ```
/// use redrive_core::{Generator, Time};
///
/// let mut ids = Generator::new();
/// let now = Time::from_secs(1_800_000_000);
/// let first = ids.next(now, 42);
/// assert!(ids.next(now, 42) > first);
/// assert!(ids.next(Time::EPOCH, 42) > first, "the clock stepped back");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Generator {
    last: Option<Ksuid>,
}

impl Generator {
    pub const fn new() -> Self {
        Self { last: None }
    }

    /// Goes on after `last`: what a restart does with the greatest id it finds.
    pub const fn after(last: Ksuid) -> Self {
        Self { last: Some(last) }
    }

    /// The last id given.
    pub const fn last(&self) -> Option<Ksuid> {
        self.last
    }

    /// The next id, greater than all before it. `random` is used when a new second has begun.
    ///
    /// After [`Ksuid::MAX`] there is none: the generator stays there, in the year 2150.
    pub fn next(&mut self, now: Time, random: u128) -> Ksuid {
        let next = match self.last {
            Some(last) if seconds_of(now) <= last.seconds() => successor(last),
            // The first bit stays free, so that counting on within the second does not run into the next.
            _ => Ksuid::from_parts(seconds_of(now), random >> 1),
        };
        self.last = Some(next);
        next
    }
}

/// The seconds of an id made now; a clock outside the format's 136 years gives the nearest that it has.
fn seconds_of(now: Time) -> u32 {
    let seconds = (now.as_secs() - Ksuid::EPOCH_SECS).clamp(0, i64::from(u32::MAX));
    u32::try_from(seconds).unwrap_or(u32::MAX)
}

fn successor(id: Ksuid) -> Ksuid {
    match id.payload().checked_add(1) {
        Some(payload) => Ksuid::from_parts(id.seconds(), payload),
        None => id.seconds().checked_add(1).map_or(Ksuid::MAX, |seconds| Ksuid::from_parts(seconds, 0)),
    }
}

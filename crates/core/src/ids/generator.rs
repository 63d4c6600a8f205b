//! Strictly increasing ids.
//!
//! Lists, pivots and lease order follow the id, so the ids of one generator must never decrease: not within a second,
//! not when the clock steps back, not across a restart. The generator therefore keeps its last id and increments it
//! unless the clock has reached a later second. It draws a random number once per second, so that independent
//! generators do not produce the same ids.

use super::Ksuid;
use crate::Time;

/// Generates strictly increasing ids.
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

    /// Continues after `last`. A restart passes the greatest stored id.
    pub const fn after(last: Ksuid) -> Self {
        Self { last: Some(last) }
    }

    /// The last generated id.
    pub const fn last(&self) -> Option<Ksuid> {
        self.last
    }

    /// The next id, greater than all previous ids. `random` is used only for the first id of a second.
    ///
    /// [`Ksuid::MAX`], in the year 2150, is the last id: after it, the generator returns it repeatedly.
    pub fn next(&mut self, now: Time, random: u128) -> Ksuid {
        let next = match self.last {
            Some(last) if Ksuid::seconds_of(now) <= last.seconds() => successor(last),
            // The highest bit is 0, so that increments within a second do not overflow into the next second.
            _ => Ksuid::from_parts(Ksuid::seconds_of(now), random >> 1),
        };
        self.last = Some(next);
        next
    }
}

fn successor(id: Ksuid) -> Ksuid {
    match id.payload().checked_add(1) {
        Some(payload) => Ksuid::from_parts(id.seconds(), payload),
        None => id.seconds().checked_add(1).map_or(Ksuid::MAX, |seconds| Ksuid::from_parts(seconds, 0)),
    }
}

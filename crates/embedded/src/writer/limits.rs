//! The limits of one batch.

use crate::disk_space;

/// The limits of one batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) requests: usize,
    /// The size of all requests' facts. A single request may exceed it.
    pub(crate) bytes: usize,
    /// The size of one request's facts.
    pub(crate) request_bytes: usize,
    /// The size of the whole batch.
    pub(crate) batch_bytes: usize,
    /// The number of timed transitions.
    pub(crate) transitions: usize,
    pub(crate) allowance: Allowance,
}

/// How many waiting requests, items and letters may still be served in a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    pub(super) waiters: usize,
    pub(super) items: u64,
    pub(super) letters: usize,
}

impl Allowance {
    pub(super) const NONE: Self = Self { waiters: 0, items: 0, letters: 0 };

    /// Restricts the allowance to one item for each of `callers`.
    pub(super) fn one_each(self, callers: u64) -> Self {
        let count = usize::try_from(callers).unwrap_or(usize::MAX);
        let Self { waiters, items, letters } = self;
        Self { waiters: waiters.min(count), items: items.min(callers), letters: letters.min(count) }
    }
}

impl Limits {
    pub(crate) fn of_segment(segment_bytes: usize) -> Self {
        let share = segment_bytes / 16;
        Self {
            requests: 1024,
            bytes: (segment_bytes / 4).min(8 << 20),
            request_bytes: segment_bytes / 8 * 7 - 8 * 1024,
            batch_bytes: segment_bytes - 2 * 1024,
            transitions: (share / disk_space::TRANSITION).clamp(1, 256),
            allowance: Allowance {
                waiters: (share / disk_space::LEASE).clamp(1, 4096),
                items: (share as u64 / 5).clamp(1, 1 << 20),
                letters: (share / disk_space::LETTER).clamp(1, 1024),
            },
        }
    }
}

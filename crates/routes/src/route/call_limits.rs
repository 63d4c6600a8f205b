//! The defaults and limits of the calls that sources make.

/// The most calls at the same time of a route of the API.
pub(super) const CALLS_MAX_OF_API: u64 = 1_000;

pub(super) const fn lease_ms() -> u64 {
    60_000
}

pub(super) const fn concurrency() -> usize {
    16
}

pub(super) const fn timeout_ms() -> u64 {
    30_000
}

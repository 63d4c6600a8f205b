//! The defaults and ranges of the calls that sources make.

use redrive_core::{Invalid, Problem};

pub(super) const fn lease_ms() -> u64 {
    60_000
}

pub(super) const fn concurrency() -> usize {
    16
}

pub(super) const fn timeout_ms() -> u64 {
    30_000
}

pub(super) fn within(field: &str, value: u64, least: u64, most: u64) -> Result<(), Invalid> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Invalid::new(field, Problem::OutOfRange, value, format!("{least} to {most}")))
}

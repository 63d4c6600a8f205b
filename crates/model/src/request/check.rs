//! Limits and checks that several requests share.

use redrive_core::Span;

use crate::Rejection;

/// The maximum number of items, ids or letters in one request.
pub const ITEMS_MAX: usize = 65_536;
pub const SOURCE_ID_BYTES_MAX: usize = 512;
/// An item that is due within this time is due now. Nothing else is ever early.
pub const SOON: Span = Span::from_millis(100);
pub const LEASE_MAX: Span = Span::from_days(366);

/// Checks that a list is neither empty nor too long.
pub fn check_count(what: &'static str, count: usize) -> Result<(), Rejection> {
    match count {
        0 => Err(Rejection::Empty { what }),
        1..=ITEMS_MAX => Ok(()),
        _ => Err(Rejection::TooMany { what, count, most: ITEMS_MAX }),
    }
}

pub fn check_source_id(source_id: &str) -> Result<(), Rejection> {
    if source_id.is_empty() || source_id.len() > SOURCE_ID_BYTES_MAX {
        return Err(Rejection::BadSourceId { most: SOURCE_ID_BYTES_MAX });
    }
    Ok(())
}

pub fn check_lease(lease: Span) -> Result<(), Rejection> {
    if lease.is_zero() || lease > LEASE_MAX { Err(Rejection::BadLease { most: LEASE_MAX }) } else { Ok(()) }
}

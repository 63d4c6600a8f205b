//! Numbers as the wire has them: 32 bits with a sign.

/// A count; one that does not fit is as large as can be said.
pub(crate) fn count(count: impl TryInto<i32>) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

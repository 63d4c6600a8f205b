//! Numbers and times as the wire has them.

use redrive_core::Time;
use redrive_proto::Timestamp;

use crate::fault::{Code, Fault};

/// A time that was sent. One outside the calendar must not become "not set", which means "at once".
pub(crate) fn time(field: &str, sent: Option<Timestamp>) -> Result<Option<Time>, Fault> {
    match sent {
        Some(sent) if !sent.is_valid() => {
            let message = format!("{field} is invalid; it must lie between the years 1 and 9999");
            Err(Fault::new(Code::ContentError, message))
        }
        sent => Ok(sent.and_then(Timestamp::time)),
    }
}

/// A count; one that does not fit is as large as can be said.
pub(crate) fn count(count: impl TryInto<i32>) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

//! Letters counted by status, as text.

use redrive_client::proto::redrive::v1::StatusBreakdown;

use crate::console::non_zero;

/// The counts that are not zero, as in `3 pending, 1 exhausted`.
pub(super) fn status_counts(counts: &StatusBreakdown) -> String {
    let StatusBreakdown { pending, retrying, exhausted, completed, archived } = *counts;
    non_zero(&[
        (pending, "pending"),
        (retrying, "retrying"),
        (exhausted, "exhausted"),
        (completed, "completed"),
        (archived, "archived"),
    ])
}

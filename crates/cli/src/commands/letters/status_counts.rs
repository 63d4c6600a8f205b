//! Letters counted by status, as text.

use redrive_client::proto::redrive::v1::StatusBreakdown;

/// The counts that are not zero, as in `3 pending, 1 exhausted`.
pub(super) fn status_counts(counts: &StatusBreakdown) -> String {
    let StatusBreakdown { pending, retrying, exhausted, completed, archived } = *counts;
    let all = [
        (pending, "pending"),
        (retrying, "retrying"),
        (exhausted, "exhausted"),
        (completed, "completed"),
        (archived, "archived"),
    ];
    let counts = all.into_iter().filter(|(count, _)| *count > 0).map(|(count, status)| format!("{count} {status}"));
    counts.collect::<Vec<_>>().join(", ")
}

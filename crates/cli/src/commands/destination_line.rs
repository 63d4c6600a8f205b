//! The health of a destination, in the output of several commands.

use redrive_client::proto::redrive::v1::DestinationStatus;
use serde_json::{Value, json};

use crate::console::{given, printable, shown_time};

/// The object of `--output json`.
pub(super) fn destination(status: &DestinationStatus) -> Value {
    json!({
        "destination": status.destination,
        "breaker": status.breaker,
        "open_since": status.open_since,
        "next_probe_at": status.next_probe_at,
        "failing_since": status.failing_since,
        "last_error": given(&status.last_error),
    })
}

/// The circuit breaker of a destination, and its last error, as a sentence.
pub(super) fn breaker(status: &DestinationStatus) -> String {
    let DestinationStatus { breaker, open_since, next_probe_at, failing_since, last_error, .. } = status;
    let mut text = format!("circuit breaker {breaker}");
    if open_since.is_some() {
        text += &format!(", open since {}", shown_time(*open_since));
    }
    if next_probe_at.is_some() {
        text += &format!(", called again {}", shown_time(*next_probe_at));
    }
    if failing_since.is_some() {
        text += &format!(", failing since {}: {}", shown_time(*failing_since), printable(last_error));
    }
    text
}

//! The reason of an act.

use redrive_client::Client;

/// Checks a reason.
pub(crate) fn parse_reason(text: &str) -> Result<String, String> {
    let allowed = |_| format!("expected one line of 1 to {} bytes", Client::REASON_BYTES_MAX);
    Client::check_reason(text).map(|()| text.to_owned()).map_err(allowed)
}

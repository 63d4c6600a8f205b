//! Untrusted text on a terminal, and values that may be missing.

use redrive_client::proto::Timestamp;

/// The text on one line, with control characters escaped so that it cannot send commands to the terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

/// An empty text of the wire format means that there is no value.
pub(crate) fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// A dash for an empty text, so that the table cell is visible.
pub(crate) fn or_dash(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

/// A point in time; a dash if there is none.
pub(crate) fn shown_time(time: Option<Timestamp>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| time.to_string())
}

/// The first `chars_max` characters of the text, printable, with an ellipsis if it is longer.
pub(crate) fn excerpt(text: &str, chars_max: usize) -> String {
    let mut kept = printable(&text.chars().take(chars_max).collect::<String>());
    if text.chars().nth(chars_max).is_some() {
        kept.push('…');
    }
    kept
}

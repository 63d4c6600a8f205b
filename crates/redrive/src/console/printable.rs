//! Texts of unknown origin on a terminal.

/// A text on one line and without commands to the terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

/// What is empty is still seen.
pub(crate) fn or_dash(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

/// The beginning of such a text.
pub(crate) fn excerpt(text: &str, chars_max: usize) -> String {
    let mut kept = printable(&text.chars().take(chars_max).collect::<String>());
    if text.chars().nth(chars_max).is_some() {
        kept.push('…');
    }
    kept
}

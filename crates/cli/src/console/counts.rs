//! Counts as text.

/// `1 chain`, `2 chains`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// `1 item`, `2 items`.
pub(crate) fn items(count: u64) -> String {
    counted(count, "item")
}

/// `1 letter`, `2 letters`.
pub(crate) fn letters(count: u64) -> String {
    counted(count, "letter")
}

/// The counts that are not zero, as in `3 pending, 1 exhausted`.
pub(crate) fn non_zero(counts: &[(i64, &str)]) -> String {
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}"));
    counts.collect::<Vec<_>>().join(", ")
}

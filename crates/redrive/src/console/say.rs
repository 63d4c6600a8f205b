//! What is no data.

use std::fmt;
use std::io::{Write, stderr};

/// `1 item`, `2 items`.
pub(crate) fn items(count: impl Into<u64>) -> String {
    match count.into() {
        1 => "1 item".to_owned(),
        count => format!("{count} items"),
    }
}

/// `1 letter`, `2 letters`.
pub(crate) fn letters(count: u64) -> String {
    if count == 1 { "1 letter".to_owned() } else { format!("{count} letters") }
}

/// Tells something on stderr. Whoever has closed it does not want to know.
pub(crate) fn say(what: impl fmt::Display) {
    let _unheard = writeln!(stderr(), "{what}");
}

//! Messages on stderr.

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

/// Prints a message to stderr. A failure, as of a closed stderr, is ignored: there is no other place to report it.
pub(crate) fn say(what: impl fmt::Display) {
    let _ignored = writeln!(stderr(), "{what}");
}

//! Messages on stderr.

use std::fmt;
use std::io::{Write, stderr};

/// Prints a message to stderr. A failure, as of a closed stderr, is ignored: there is no other place to report it.
pub(crate) fn say(what: impl fmt::Display) {
    let _ignored = writeln!(stderr(), "{what}");
}

//! The result of a command that has no other data.

use std::io::{Write, stdout};

use anyhow::Result;

use super::{Format, say};

/// Prints the result: as a message on stderr, or with `--output json` as an object on stdout.
pub(crate) fn report(format: Format, message: &str, data: &serde_json::Value) -> Result<()> {
    match format {
        Format::Table => say(message),
        Format::Json => writeln!(stdout(), "{data}")?,
    }
    Ok(())
}

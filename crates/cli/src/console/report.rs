//! The result of a command.

use std::io::{BufWriter, Stdout, Write, stdout};

use anyhow::Result;
use serde::Serialize;

use super::{Format, say};

/// Prints data: with `--output json` as an object, else what `text` writes.
pub(crate) fn print(
    format: Format,
    object: &impl Serialize,
    text: impl FnOnce(&mut BufWriter<Stdout>) -> Result<()>,
) -> Result<()> {
    let mut out = BufWriter::new(stdout());
    match format {
        Format::Table => text(&mut out)?,
        Format::Json => writeln!(out, "{}", serde_json::to_string(object)?)?,
    }
    Ok(out.flush()?)
}

/// Prints the result of a command without data: as a message on stderr, or with `--output json` as an object on stdout.
pub(crate) fn report(format: Format, message: &str, data: &serde_json::Value) -> Result<()> {
    match format {
        Format::Table => say(message),
        Format::Json => writeln!(stdout(), "{data}")?,
    }
    Ok(())
}

//! The formats in which a payload is printed.

use std::fmt::Write;

use anyhow::Result;

use super::super::json_text::{indented, is_json};
use crate::cli_error::CliError;
use crate::console::printable;
use crate::exit::Exit;

const BYTES_A_LINE: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum PayloadFormat {
    /// Text, with control characters escaped.
    Text,
    /// Indented JSON.
    Json,
    /// Hex dump.
    Hex,
}

impl PayloadFormat {
    /// Formats the payload as requested, or else as text if it is UTF-8 and as a hex dump if not.
    pub(super) fn format(requested: Option<Self>, payload: &[u8]) -> Result<String> {
        let text = std::str::from_utf8(payload);
        match (requested, text) {
            (Some(Self::Hex), _) | (None, Err(_)) => Ok(hex(payload)),
            (Some(Self::Text) | None, Ok(text)) => Ok(lines(text)),
            (Some(Self::Text), Err(_)) => Err(is_not("text").into()),
            (Some(Self::Json), Ok(text)) if is_json(text) => Ok(lines(&indented(text))),
            (Some(Self::Json), _) => Err(is_not("JSON").into()),
        }
    }
}

fn is_not(what: &str) -> CliError {
    CliError::new(Exit::Error, format!("the payload is not {what}")).remedy("print its bytes with --as hex")
}

fn lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

/// A hex dump: `00000010  68 65 6c 6c 6f  hello`.
fn hex(payload: &[u8]) -> String {
    let mut shown = String::new();
    for (number, bytes) in payload.chunks(BYTES_A_LINE).enumerate() {
        let separator = if number == 0 { "" } else { "\n" };
        let digits = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        let plain = |byte: &u8| if byte.is_ascii_graphic() || *byte == b' ' { char::from(*byte) } else { '.' };
        let texts: String = bytes.iter().map(plain).collect();
        // Writing to a string cannot fail.
        let _written = write!(shown, "{separator}{:08x}  {digits:<47}  {texts}", number * BYTES_A_LINE);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::PayloadFormat;

    #[test]
    fn the_indentation_of_deep_json_is_bounded() {
        let deep = "[".repeat(20_000) + &"]".repeat(20_000);
        assert!(PayloadFormat::format(Some(PayloadFormat::Json), deep.as_bytes()).unwrap().len() < 4_000_000);
    }
}

//! The formats in which a payload is printed.

use std::fmt::Write;

use anyhow::Result;
use serde::de::IgnoredAny;

use crate::cli_error::CliError;
use crate::console::printable;
use crate::exit::Exit;

const BYTES_A_LINE: usize = 16;
/// The maximum indentation: each bracket of a deeply nested payload must not produce a screen of spaces.
const LEVELS_MAX: usize = 40;

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
            (Some(Self::Json), Ok(text)) if serde_json::from_str::<IgnoredAny>(text).is_ok() => {
                Ok(lines(&indented(text)))
            }
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

/// Indents valid JSON, one value per line. The text is not parsed and written again: that could change the order of names
/// and the digits of numbers.
fn indented(json: &str) -> String {
    let mut shown = String::with_capacity(json.len() * 2);
    let mut level = 0_usize;
    let mut chars = json.chars().peekable();
    let next_line = |shown: &mut String, level: usize| {
        shown.push('\n');
        shown.push_str(&"  ".repeat(level.min(LEVELS_MAX)));
    };
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                shown.push(c);
                let mut is_escaped = false;
                for c in chars.by_ref() {
                    shown.push(c);
                    if c == '"' && !is_escaped {
                        break;
                    }
                    is_escaped = c == '\\' && !is_escaped;
                }
            }
            '{' | '[' => {
                shown.push(c);
                while chars.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(end) = chars.next_if(|c| matches!(c, '}' | ']')) {
                    shown.push(end);
                } else {
                    level += 1;
                    next_line(&mut shown, level);
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                next_line(&mut shown, level);
                shown.push(c);
            }
            ',' => {
                shown.push(c);
                next_line(&mut shown, level);
            }
            ':' => shown.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => shown.push(c),
        }
    }
    shown
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
    use super::{PayloadFormat, indented};

    #[test]
    fn indentation_keeps_names_order_and_digits() {
        let sent = r#" {"z":1.10, "a" : [ ] ,"big":123456789012345678901234567890,"t":"q\\\"],{: ","o":{"e":{}}} "#;
        let shown = indented(sent);
        let lines: Vec<&str> = shown.lines().collect();
        let expected = [
            "{",
            "  \"z\": 1.10,",
            "  \"a\": [],",
            "  \"big\": 123456789012345678901234567890,",
            "  \"t\": \"q\\\\\\\"],{: \",",
            "  \"o\": {",
            "    \"e\": {}",
            "  }",
            "}",
        ];
        assert_eq!(lines, expected);
        for text in [shown.as_str(), sent] {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn the_indentation_of_deep_json_is_bounded() {
        let deep = "[".repeat(20_000) + &"]".repeat(20_000);
        assert!(PayloadFormat::format(Some(PayloadFormat::Json), deep.as_bytes()).unwrap().len() < 4_000_000);
    }
}

//! JSON as text: indented and compact, without a change of names, order or digits.

use serde::de::IgnoredAny;

/// The maximum indentation: each bracket of a deeply nested text must not produce a screen of spaces.
const LEVELS_MAX: usize = 40;

pub(super) fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Indents valid JSON, one value per line. The text is not parsed and written again: that could change the order of names
/// and the digits of numbers.
pub(super) fn indented(json: &str) -> String {
    let mut shown = String::with_capacity(json.len() * 2);
    let mut level = 0_usize;
    let mut chars = json.chars().peekable();
    let next_line = |shown: &mut String, level: usize| {
        shown.push('\n');
        shown.push_str(&"  ".repeat(level.min(LEVELS_MAX)));
    };
    while let Some(c) = chars.next() {
        match c {
            '"' => push_string(&mut shown, &mut chars),
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

/// Valid JSON without white space between its tokens.
pub(super) fn compact(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => push_string(&mut shown, &mut chars),
            c if c.is_ascii_whitespace() => {}
            c => shown.push(c),
        }
    }
    shown
}

/// Copies a string whose opening quote was read.
fn push_string(shown: &mut String, chars: &mut impl Iterator<Item = char>) {
    shown.push('"');
    let mut is_escaped = false;
    for c in chars {
        shown.push(c);
        if c == '"' && !is_escaped {
            break;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
}

#[cfg(test)]
mod tests {
    use super::{compact, indented, is_json};

    const SENT: &str = r#" {"z":1.10, "a" : [ ] ,"big":123456789012345678901234567890,"t":"q\\\"],{: ","o":{"e":{}}} "#;

    #[test]
    fn indentation_keeps_names_order_and_digits() {
        let shown = indented(SENT);
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
        assert!(is_json(&shown) && is_json(SENT));
    }

    #[test]
    fn indented_json_is_compacted_to_what_it_was() {
        let sent = r#"{"z":1.10,"a":[],"big":123456789012345678901234567890,"t":"q\\\"],{: ","o":{"e":{}}}"#;
        assert_eq!(compact(SENT), sent);
        assert_eq!(compact(&indented(sent)), sent);
    }
}

//! Text of the target in error messages.

/// Maximum size of the text.
const BYTES_MAX: usize = 2 * 1024;

/// The beginning of a text of the target, on one line and without control characters.
pub(crate) fn detail(text: &[u8]) -> String {
    let beginning = &text[..text.len().min(BYTES_MAX)];
    // Drop a character that was cut in two.
    let beginning = match std::str::from_utf8(beginning) {
        Err(error) if error.error_len().is_none() => &beginning[..error.valid_up_to()],
        _ => beginning,
    };
    let on_one_line: String =
        String::from_utf8_lossy(beginning).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    on_one_line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::detail;

    #[test]
    fn the_beginning_is_kept_and_no_character_is_cut() {
        let long = "é".repeat(2_000);
        assert_eq!(detail(long.as_bytes()), "é".repeat(1_024));
        assert_eq!(detail(format!("x{long}").as_bytes()), format!("x{}", "é".repeat(1_023)));
    }

    #[test]
    fn invalid_utf8_and_control_characters_are_replaced() {
        assert_eq!(detail(b"\xff\x1b[31mno\r\nway\n"), "\u{fffd} [31mno  way");
        assert_eq!(detail(b"  \n"), "");
    }
}

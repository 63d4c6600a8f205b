//! A message without what differs from one occurrence to the next.
//!
//! One regular expression with one alternative for each kind of variable text: a single linear pass, and
//! where two could match the same place, the one that stands first does.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What is read of a message: the fault is named at its beginning.
const TEXT_BYTES_MAX: usize = 4 * 1024;

/// Each alternative is a named group; its name is the mask that takes its place.
static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?x)",
        // 2026-11-15T12:00:00.123+01:00, 2026-11-15 12:00:00, 15/Nov/2026:12:00:00 +0000, 12:00:05
        r"(?P<time> \b\d{4}-\d{2}-\d{2}([T\ ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(\ ?(Z\b|[+-]\d{2}:?\d{2}))?)?",
        r"        | \b\d{1,2}/[A-Za-z]{3}/\d{4}(:\d{2}:\d{2}:\d{2}(\ [+-]\d{4})?)?",
        r"        | \b\d{1,2}:\d{2}:\d{2}([.,]\d+)? )",
        r"|(?P<uuid> \b[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}\b )",
        r"|(?P<url> \b[A-Za-z][A-Za-z0-9+.-]*://[^\s'\x22`<>)\]]* )",
        // A quotation mark that follows a letter is an apostrophe.
        r"|(?P<quoted> \x22[^\x22\n]*\x22 | `[^`\n]*` | «[^»\n]*» | “[^”\n]*” | ‘[^’\n]*’ )",
        r"|(?P<single> (^|[^\w'])'[^'\n]*'(\W|$) )",
        r"|(?P<email> \b[\w.+-]+@[\w-]+(\.[\w-]+)+\b )",
        r"|(?P<address> \b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b )",
        r"|(?P<path> ([A-Za-z]:)?\\[\w.\ -]+(\\[\w.-]+)+ | (\.{1,2}|~)?(/[\w.@+%=,-]+){2,}/? )",
        r"|(?P<hex> \b0[xX][0-9A-Fa-f]+\b | \b(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{6,}\b | \b(?:[0-9]+[A-F]|[A-F]+[0-9])[0-9A-F]{6,}\b )",
        // KSUIDs, tokens, base64: long, with digits among the letters.
        r"|(?P<id> \b[A-Za-z]+\d[A-Za-z0-9]{14,}\b | \b\d+[A-Za-z][A-Za-z0-9]{14,}\b )",
        r"|(?P<number> [+-]?\d+([.,]\d+)*([eE][+-]?\d+)? )",
    ))
    .ok()
});

const MASKS: &[&str] = &["time", "uuid", "url", "quoted", "email", "address", "path", "hex", "id", "number"];

/// The message with numbers, hex, ids, quoted strings, paths, addresses and times masked, and white space folded.
///
/// ```
/// use redrive_core::normalise;
///
/// assert_eq!(
///     normalise("can't read 'a b' from /var/lib/x/7.dat at 2026-11-15T12:00:00Z: code 17"),
///     "can't read <quoted> from <path> at <time>: code <number>",
/// );
/// ```
pub fn normalise(message: &str) -> String {
    let message = &message[..message.floor_char_boundary(TEXT_BYTES_MAX)];
    let masked = match VARIABLE.as_ref() {
        Some(variable) => variable.replace_all(message, mask),
        // The pattern is constant and a test compiles it; without it the text stays as it is.
        None => message.into(),
    };
    masked.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn mask(found: &Captures<'_>) -> String {
    if let Some(single) = found.name("single") {
        // The characters around the quotation marks were only looked at.
        let text = single.as_str();
        let open = text.find('\'').unwrap_or(0);
        let close = text.rfind('\'').map_or(text.len(), |at| at + 1);
        return format!("{}<quoted>{}", &text[..open], &text[close..]);
    }
    let name = MASKS.iter().find(|name| found.name(name).is_some()).unwrap_or(&"text");
    format!("<{name}>")
}

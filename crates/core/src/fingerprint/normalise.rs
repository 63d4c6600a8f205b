//! Masks the parts of a message that differ between occurrences.
//!
//! One regular expression finds the parts that may vary, with one alternative per kind; if several match at the same
//! position, the first one wins. A word with digits needs a look at the whole word: it is a number, a hash, an id, or a
//! name that contains a digit.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Maximum length of a message that is read: the beginning names the fault.
const TEXT_BYTES_MAX: usize = 4 * 1024;

/// Each alternative is a named group; most group names are also the mask.
static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?x)",
        // Codes distinguish faults and are kept.
        r"(?P<kept> (?i:\b(http(/\d(\.\d)?)?|status(\ ?code)?|sqlstate|errno|(error\ )?code))[\ :=\#]{1,3}[0-9A-Z]{3,5}\b )",
        // 2026-11-15T12:00:00.123+01:00, 2026-11-15 12:00:00, 15/Nov/2026:12:00:00 +0000, 12:00:05,
        // Sun, 15 Nov 2026 12:00:00 GMT, Nov 15 12:00:00
        r"|(?P<time> \d{4}-\d{2}-\d{2}([T\ ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(\ ?(Z\b|[+-]\d{2}:?\d{2}))?)?",
        r"        | \d{1,2}/[A-Za-z]{3}/\d{4}(:\d{2}:\d{2}:\d{2}(\ [+-]\d{4})?)?",
        r"        | ((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\ )?",
        r"          (\d{1,2}\ (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\ \d{4}",
        r"          |(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\ \d{1,2},?(\ \d{4})?)",
        r"          (\ \d{2}:\d{2}:\d{2}([.,]\d+)?)?(\ (GMT|UTC|[+-]\d{4}))?",
        r"        | \d{1,2}:\d{2}:\d{2}([.,]\d+)? )",
        r"|(?P<uuid> [0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12} )",
        r"|(?P<url> \b[A-Za-z][A-Za-z0-9+.-]*://[^\s'\x22`<>)\]]* )",
        r"|(?P<quoted> \x22[^\x22\n]*\x22 | `[^`\n]*` | «[^»\n]*» | “[^”\n]*” | ‘[^’\n]*’ )",
        r"|(?P<single> '[^'\n]*' )",
        r"|(?P<email> [\w.+-]+@[\w-]+(\.[\w-]+)+ )",
        r"|(?P<address> \d{1,3}(\.\d{1,3}){3}(:\d+)? | \[?[0-9A-Fa-f]{0,4}(:[0-9A-Fa-f]{0,4}){3,7}\]?(:\d+)? )",
        r"|(?P<path> ([A-Za-z]:)?\\[\w.\ -]+(\\[\w.-]+)+ | (\.{1,2}|~)?(/[\w.@+%=,-]+){2,}/? )",
        r"|(?P<hex> \b0[xX][0-9A-Fa-f]+ )",
        // 1.5, 1,234.5, 1.5e-3, and the units of a duration
        r"|(?P<number> \d+([.,]\d+)+([eE][+-]?\d+)?(ns|us|µs|ms|s|m|h)? | \d+[eE][+-]\d+ | \d+(ns|us|µs|ms|s|m|h)\b )",
        r"|(?P<word> [A-Za-z]*[0-9][A-Za-z0-9]* )",
    ))
    .ok()
});

const MASKS: &[&str] = &["time", "uuid", "url", "quoted", "email", "address", "path", "hex", "number"];

/// The message with numbers, hex, ids, quoted strings, paths, addresses and times masked, and white space folded.
///
/// ```
/// use redrive_core::normalise;
///
/// assert_eq!(
///     normalise("can't read 'a b' from /var/lib/x/7.dat at 2026-11-15T12:00:00Z: item 17"),
///     "can't read <quoted> from <path> at <time>: item <number>",
/// );
/// ```
pub fn normalise(message: &str) -> String {
    let message = &message[..message.floor_char_boundary(TEXT_BYTES_MAX)];
    let masked = match VARIABLE.as_ref() {
        Some(variable) => mask_all(variable, message),
        // Unreachable: the pattern is constant, and tests compile it.
        None => message.to_owned(),
    };
    masked.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name of a type, function or file with numbers and hashes masked. Unlike a message, a name contains no addresses,
/// times or quotations.
pub(super) fn normalise_name(name: &str) -> String {
    let mut masked = String::with_capacity(name.len());
    let mut word_start = None;
    for (at, c) in name.char_indices().chain([(name.len(), ' ')]) {
        match (c.is_ascii_alphanumeric(), word_start) {
            (true, None) => word_start = Some(at),
            (false, Some(start)) => {
                let word = &name[start..at];
                if word.bytes().any(|byte| byte.is_ascii_digit()) {
                    put_word(&mut masked, word);
                } else {
                    masked.push_str(word);
                }
                word_start = None;
            }
            _ => {}
        }
        if !c.is_ascii_alphanumeric() && at < name.len() {
            masked.push(c);
        }
    }
    masked
}

fn mask_all(variable: &Regex, message: &str) -> String {
    let mut masked = String::with_capacity(message.len());
    let mut at = 0;
    while let Some(found) = variable.captures_at(message, at) {
        let Some(whole) = found.get(0) else { break };
        masked.push_str(&message[at..whole.start()]);
        if found.name("single").is_some() && !is_quotation(message, whole.start(), whole.end()) {
            // An apostrophe: continue right after it.
            masked.push('\'');
            at = whole.start() + 1;
        } else {
            put_mask(&mut masked, &found, whole.as_str());
            at = whole.end();
        }
    }
    masked.push_str(&message[at..]);
    masked
}

/// Whether the marks at both ends are quotation marks, not apostrophes inside words.
fn is_quotation(message: &str, start: usize, end: usize) -> bool {
    let before = message[..start].chars().next_back();
    let after = message[end..].chars().next();
    ![before, after].into_iter().flatten().any(char::is_alphanumeric)
}

fn put_mask(masked: &mut String, found: &Captures<'_>, text: &str) {
    if found.name("kept").is_some() {
        masked.push_str(text);
    } else if found.name("word").is_some() {
        put_word(masked, text);
    } else {
        let name = MASKS.iter().find(|name| found.name(name).is_some()).unwrap_or(&"quoted");
        drop_sign(masked);
        masked.push('<');
        masked.push_str(name);
        masked.push('>');
    }
}

/// Masks a word that contains a digit: the whole word if it looks generated, else only its digits.
fn put_word(masked: &mut String, word: &str) {
    const HASH_LEN_MIN: usize = 7;
    const ID_LEN_MIN: usize = 5;
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let changes =
        word.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit());
    if letters == 0 {
        drop_sign(masked);
        masked.push_str("<number>");
    } else if is_hex && word.len() >= HASH_LEN_MIN {
        masked.push_str("<hex>");
    } else if changes >= 2 && word.len() >= ID_LEN_MIN {
        masked.push_str("<id>");
    } else {
        let mut digits = false;
        for c in word.chars() {
            match (c.is_ascii_digit(), digits) {
                (true, true) => {}
                (true, false) => masked.push_str("<number>"),
                (false, _) => masked.push(c),
            }
            digits = c.is_ascii_digit();
        }
    }
}

/// Drops the sign before a number, unless the sign joins the number to the preceding word.
fn drop_sign(masked: &mut String) {
    if let Some(before) = masked.strip_suffix(['+', '-'])
        && before.chars().next_back().is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '=' | ':' | ','))
    {
        masked.pop();
    }
}

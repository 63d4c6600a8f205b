//! The values of rejections as text, so that a remote store can return them.

use bytes::Bytes;
use redrive_core::{Category, ItemId, LetterId, QueueName, Span, Status, Strategy};

/// The words of rejections: names of lists and fields, and participles of actions.
const WORDS: [&str; 20] = [
    "items",
    "ids",
    "letters",
    "depends_on",
    "attempts",
    "notes",
    "kind",
    "encoding",
    "reference",
    "key",
    "header",
    "completed",
    "retried",
    "released",
    "deferred",
    "lost",
    "condemned",
    "noted",
    "extended",
    "edited",
];

/// A value of a rejection.
pub(super) trait RejectionValue: Sized {
    fn to_text(&self) -> String;

    /// Returns `None` if the text is not such a value.
    fn of_text(text: &str) -> Option<Self>;
}

macro_rules! parsed_values {
    ($($Value:ty),+) => {
        $(impl RejectionValue for $Value {
            fn to_text(&self) -> String {
                self.to_string()
            }

            fn of_text(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        })+
    };
}

parsed_values!(u32, u64, usize, i64, String, Span, QueueName, ItemId, LetterId, Status, Category, Strategy);

impl RejectionValue for Box<str> {
    fn to_text(&self) -> String {
        self.to_string()
    }

    fn of_text(text: &str) -> Option<Self> {
        Some(text.into())
    }
}

impl RejectionValue for &'static str {
    fn to_text(&self) -> String {
        (*self).to_owned()
    }

    fn of_text(text: &str) -> Option<Self> {
        WORDS.into_iter().find(|word| *word == text)
    }
}

/// Two hexadecimal digits for each byte.
impl RejectionValue for Bytes {
    fn to_text(&self) -> String {
        self.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn of_text(text: &str) -> Option<Self> {
        let digits = text.as_bytes().chunks(2);
        digits.map(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()).collect()
    }
}

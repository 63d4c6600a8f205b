//! A record of a DLQ topic, and its headers.

use std::cell::RefCell;
use std::sync::Arc;

use redrive_model::{Content, Header};

use crate::record::Nulls;

/// Maximum length of the name of a consumer, in bytes.
const CONSUMER_BYTES_MAX: usize = 1024;

/// A record that was read from a DLQ topic.
#[derive(Debug, Clone)]
pub(super) struct DlqRecord {
    pub(super) topic: Arc<str>,
    pub(super) partition: i32,
    pub(super) offset: i64,
    /// Milliseconds since 1970, if the topic has timestamps.
    pub(super) timestamp: Option<i64>,
    pub(super) content: Arc<Content>,
    pub(super) nulls: Nulls,
    /// Why the record could not be read completely.
    pub(super) unreadable: Option<String>,
}

/// The headers of a dialect. The last one of a repeated name counts. A value that cannot be decoded is no value, and its
/// header stays with the content of the letter.
pub(super) struct DialectHeaders<'r> {
    headers: &'r [Header],
    malformed: RefCell<Vec<usize>>,
}

impl<'r> DialectHeaders<'r> {
    pub(super) const fn new(headers: &'r [Header]) -> Self {
        Self { headers, malformed: RefCell::new(Vec::new()) }
    }

    /// The last header with one of these names, decoded.
    fn decoded<T>(&self, names: &[&str], decode: impl FnOnce(&'r [u8]) -> Option<T>) -> Option<T> {
        let (index, header) =
            self.headers.iter().enumerate().rev().find(|(_, header)| names.contains(&header.name.as_str()))?;
        let decoded = decode(&header.value);
        if decoded.is_none() {
            self.malformed.borrow_mut().push(index);
        }
        decoded
    }

    pub(super) fn text(&self, names: &[&str]) -> Option<&'r str> {
        self.decoded(names, |value| std::str::from_utf8(value).ok()).filter(|text| !text.is_empty())
    }

    /// The name of a consumer. A longer text is none that a broker has.
    pub(super) fn consumer(&self, names: &[&str]) -> Option<&'r str> {
        let name = |value| std::str::from_utf8(value).ok().filter(|name| name.len() <= CONSUMER_BYTES_MAX);
        self.decoded(names, name).filter(|name| !name.is_empty())
    }

    /// A number in decimal.
    pub(super) fn decimal<T: std::str::FromStr>(&self, names: &[&str]) -> Option<T> {
        self.decoded(names, |value| std::str::from_utf8(value).ok()?.parse().ok())
    }

    /// A Java `int`, big-endian. Programs that imitate Spring write decimals: no broker has partitions or attempts with
    /// the numbers that four digits would be.
    pub(super) fn int(&self, names: &[&str]) -> Option<i32> {
        self.decoded(names, |value| digits(value).or_else(|| value.try_into().ok().map(i32::from_be_bytes)))
    }

    /// A Java `long`, big-endian, or a decimal.
    pub(super) fn long(&self, names: &[&str]) -> Option<i64> {
        self.decoded(names, |value| digits(value).or_else(|| value.try_into().ok().map(i64::from_be_bytes)))
    }

    /// The indexes of the headers whose values could not be decoded.
    pub(super) fn malformed(self) -> Vec<usize> {
        self.malformed.into_inner()
    }
}

fn digits<T: std::str::FromStr>(value: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    text.parse().ok()
}

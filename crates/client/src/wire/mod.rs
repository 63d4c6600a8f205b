//! Conversions between the types of a store and the messages of the API. A conversion from a message returns `None` if
//! the message is invalid.

pub(crate) mod capture;
pub(crate) mod item;
pub(crate) mod settings;
pub(crate) mod settlement;
pub(crate) mod stats;

use redrive_model::Content;
use redrive_proto::redrive::v1::Header;

/// A number of the API; the maximum if it does not fit.
pub(crate) fn number(count: impl TryInto<i32>) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

pub(crate) fn count(count: i32) -> Option<u32> {
    u32::try_from(count).ok()
}

/// A text of the API, in which an empty one means none.
pub(crate) fn text(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

pub(crate) fn headers(content: &Content) -> Vec<Header> {
    content.headers.iter().map(Header::from).collect()
}

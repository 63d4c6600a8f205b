//! Decodes and encodes bodies. No error shows any of a body: it may reach logs, stored errors and replies.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::MailboxError;

/// Decodes a body.
///
/// # Errors
///
/// `Serialization` with the kind of the error and its place, and without the text of serde, which quotes values.
pub(crate) fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, MailboxError> {
    // A type may decode itself by code that panics.
    let decoded = catch_unwind(AssertUnwindSafe(|| serde_json::from_slice(body)));
    let why = match decoded {
        Ok(Ok(decoded)) => return Ok(decoded),
        Ok(Err(error)) => undecodable(&error),
        Err(_) => "its type panicked".to_owned(),
    };
    Err(MailboxError::Serialization(why))
}

/// Why a text cannot be decoded, without any of the text.
pub(crate) fn undecodable(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        Category::Data => "JSON of another type",
        Category::Eof => "JSON that ends early",
        Category::Syntax | Category::Io => "not JSON",
    };
    format!("{what}: line {}, column {}", error.line(), error.column())
}

/// Encodes a body.
///
/// # Errors
///
/// `Serialization`.
pub(crate) fn encode<T: Serialize>(body: &T) -> Result<Bytes, MailboxError> {
    match serde_json::to_vec(body) {
        Ok(bytes) => Ok(bytes.into()),
        // The error may be one of the type, with any text.
        Err(_) => Err(MailboxError::Serialization("it cannot be written as JSON".to_owned())),
    }
}

//! A record as it was read from its topic.

use std::sync::Arc;

use redrive_core::{Failure, Time};
use redrive_model::Content;

#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) offset: i64,
    /// Milliseconds since 1970, if the topic has timestamps.
    pub(crate) timestamp: Option<i64>,
    pub(crate) content: Arc<Content>,
    pub(crate) nulls: Option<Box<Nulls>>,
    /// Why the record cannot be read. It becomes a letter with what could be read of it.
    pub(crate) failure: Option<Box<Failure>>,
}

/// What a record leaves out: a [`Content`] has an empty value instead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Nulls {
    /// The record is a tombstone.
    pub(crate) value: bool,
    /// The indexes of the headers without a value.
    pub(crate) headers: Vec<usize>,
}

impl Record {
    /// The bytes that the record holds in memory.
    pub(crate) fn bytes(&self) -> u64 {
        let Content { key, headers, payload, .. } = &*self.content;
        let of_headers: usize = headers.iter().map(|header| header.name.len() + header.value.len() + 64).sum();
        (payload.len() + key.as_ref().map_or(0, bytes::Bytes::len) + of_headers + Self::OVERHEAD) as u64
    }

    /// A rough constant for what is kept beside the bytes of a record.
    const OVERHEAD: usize = 512;

    pub(crate) fn is_tombstone(&self) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.value)
    }

    pub(crate) fn time(&self) -> Option<Time> {
        Some(Time::from_micros(self.timestamp?.saturating_mul(1_000)))
    }
}

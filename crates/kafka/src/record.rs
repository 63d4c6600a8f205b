//! A record as it was read from its topic.

use std::sync::Arc;

use redrive_core::{Failure, Metadata, Time};
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

/// What a record leaves out: a [`Content`] has an empty value instead. Beside a content, metadata says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Nulls {
    /// The record is a tombstone.
    pub(crate) value: bool,
    /// The indexes of the headers without a value, in ascending order.
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
        self.timestamp.map(time_of)
    }

    /// What the content does not say of the record.
    pub(crate) fn metadata(&self) -> Metadata {
        let mut metadata = Metadata::new();
        if let Some(nulls) = &self.nulls {
            nulls.mark(&mut metadata);
        }
        metadata
    }
}

/// The time of a record's timestamp.
pub(crate) const fn time_of(millis: i64) -> Time {
    Time::from_micros(millis.saturating_mul(1_000))
}

impl Nulls {
    const TOMBSTONE: &str = "kafka_tombstone";
    /// The indexes of headers, separated by commas.
    const HEADERS: &str = "kafka_null_headers";

    /// Whether the header with this index has no value.
    pub(crate) fn has_header(&self, index: usize) -> bool {
        self.headers.binary_search(&index).is_ok()
    }

    /// Notes what is null beside a content, in place of an earlier note.
    pub(crate) fn mark(&self, metadata: &mut Metadata) {
        metadata.remove(Self::TOMBSTONE);
        metadata.remove(Self::HEADERS);
        if self.value {
            metadata.insert(Self::TOMBSTONE.to_owned(), true.into());
        }
        if !self.headers.is_empty() {
            let indexes: Vec<String> = self.headers.iter().map(ToString::to_string).collect();
            metadata.insert(Self::HEADERS.to_owned(), indexes.join(",").into());
        }
    }

    /// What is null in a record with this content. A value that is not empty any more was edited: it is not null.
    pub(crate) fn of(metadata: &Metadata, content: &Content) -> Self {
        let indexes = metadata.get(Self::HEADERS).and_then(|indexes| indexes.as_str()).unwrap_or_default();
        let is_empty = |index: &usize| content.headers.get(*index).is_some_and(|header| header.value.is_empty());
        let mut headers: Vec<usize> =
            indexes.split(',').filter_map(|index| index.parse().ok()).filter(is_empty).collect();
        // The metadata of a letter is what its caller sent.
        headers.sort_unstable();
        Self {
            value: content.payload.is_empty() && metadata.get(Self::TOMBSTONE).is_some_and(|is_set| *is_set == true),
            headers,
        }
    }
}

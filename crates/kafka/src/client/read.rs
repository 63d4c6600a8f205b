//! Records of the client library as our own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use rdkafka::Message;
use rdkafka::message::{BorrowedHeaders, BorrowedMessage, Headers};
use redrive_core::Failure;
use redrive_model::{Content, Header};

use crate::record::{Nulls, Record};

/// Copies a record out of the buffer of the client library.
pub(super) fn read(message: &BorrowedMessage<'_>) -> Record {
    let mut nulls = Nulls { value: message.payload().is_none(), headers: Vec::new() };
    let (headers, failure) = match message.headers() {
        None => (Vec::new(), None),
        Some(headers) => read_headers(headers, &mut nulls),
    };
    let content = Content {
        key: message.key().map(Bytes::copy_from_slice),
        headers,
        payload: message.payload().map_or_else(Bytes::new, Bytes::copy_from_slice),
        ..Content::default()
    };
    Record {
        offset: message.offset(),
        timestamp: message.timestamp().to_millis(),
        content: Arc::new(content),
        nulls: (nulls != Nulls::default()).then(|| Box::new(nulls)),
        failure,
    }
}

fn read_headers(headers: &BorrowedHeaders, nulls: &mut Nulls) -> (Vec<Header>, Option<Box<Failure>>) {
    let count = headers.count();
    let mut read = Vec::with_capacity(count.min(Content::HEADERS_MAX));
    for index in 0..count.min(Content::HEADERS_MAX) {
        // The client library panics on a name that is not UTF-8.
        let header = catch_unwind(AssertUnwindSafe(|| {
            headers.try_get(index).map(|header| (header.key.to_owned(), header.value.map(Bytes::copy_from_slice)))
        }));
        match header {
            Ok(Some((name, value))) => {
                if value.is_none() {
                    nulls.headers.push(read.len());
                }
                read.push(Header { name, value: value.unwrap_or_default() });
            }
            Ok(None) => {}
            Err(_) => {
                let failure = Failure::new(format!("invalid record: the name of header {index} is not UTF-8"));
                return (read, Some(Box::new(failure)));
            }
        }
    }
    let most = Content::HEADERS_MAX;
    let too_many = || Failure::new(format!("invalid record: it has {count} headers, and at most {most} are read"));
    (read, (count > most).then(|| Box::new(too_many())))
}

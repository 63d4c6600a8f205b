//! Our headers as those of the client library.

use rdkafka::message::{Header as SentHeader, OwnedHeaders};
use redrive_model::Header;

use crate::record::Nulls;

/// The headers of a record to send, with space for `more`.
pub(crate) fn to_send(headers: &[Header], nulls: Option<&Nulls>, more: usize) -> OwnedHeaders {
    let mut sent = OwnedHeaders::new_with_capacity(headers.len() + more);
    for (index, header) in headers.iter().enumerate() {
        let is_null = nulls.is_some_and(|nulls| nulls.has_header(index));
        let value = (!is_null).then_some(&*header.value);
        sent = sent.insert(SentHeader { key: &header.name, value });
    }
    sent
}

//! The letters of a DLQ topic.

use std::sync::Mutex;

use bytes::Bytes;
use rdkafka::error::RDKafkaErrorCode;
use rdkafka::message::{BorrowedMessage, Headers, Message};
use redrive_core::{Outcome, Trigger};
use redrive_model::{Attempt, Content, Header};
use redrive_run::conformance::FoundLetter;

use super::clients::CLIENTS;

/// A letter has the timestamp of its record, so it must not be deleted by its age.
pub(super) const DLQ_SETTINGS: &[(&str, &str)] = &[("retention.ms", "-1")];

#[derive(Debug)]
pub(super) struct DlqTopic {
    topic: String,
    read: Mutex<ReadLetters>,
}

/// The letters so far.
#[derive(Debug, Default)]
struct ReadLetters {
    /// The offset of the next letter.
    next: i64,
    found: Vec<FoundLetter>,
}

impl DlqTopic {
    pub(super) fn new(topic: String) -> Self {
        Self { topic, read: Mutex::default() }
    }

    /// The letters with this payload.
    pub(super) fn find(&self, payload: &Bytes) -> Vec<FoundLetter> {
        let mut read = self.read.lock().unwrap();
        let end = CLIENTS.end(&self.topic);
        let from = std::mem::replace(&mut read.next, end);
        CLIENTS.read(&self.topic, from..end, |message| read.found.extend(letter_of(message)));
        read.found.iter().filter(|letter| letter.content.payload == *payload).cloned().collect()
    }

    /// Lets the broker refuse all records, or accept them again. Returns when it does.
    pub(super) async fn refuse(&self, refuse: bool) {
        let limit = if refuse { "1" } else { "1048588" };
        CLIENTS.configure(&self.topic, &[DLQ_SETTINGS, &[("max.message.bytes", limit)]].concat()).await;
        // The broker applies the setting after it has answered.
        loop {
            let probe = CLIENTS.produce(&self.topic, &Content::default()).await;
            assert!(matches!(probe, Ok(_) | Err(RDKafkaErrorCode::MessageSizeTooLarge)), "{probe:?}");
            if probe.is_err() == refuse {
                return;
            }
        }
    }
}

/// The letter of a record. A record without a reason is a probe.
fn letter_of(message: &BorrowedMessage<'_>) -> Option<FoundLetter> {
    let header = |header: rdkafka::message::Header<'_, &[u8]>| Header {
        name: header.key.to_owned(),
        value: Bytes::copy_from_slice(header.value.unwrap_or_default()),
    };
    let mut headers: Vec<Header> = message.headers()?.iter().map(header).collect();
    // The hand-over appends its headers, and the reason is the first of them.
    let reason = headers.iter().rposition(|header| header.name == "x-error-reason")?;
    let added = headers.split_off(reason);
    let content = Content {
        key: message.key().map(Bytes::copy_from_slice),
        headers,
        payload: message.payload().map_or_else(Bytes::new, Bytes::copy_from_slice),
        ..Content::default()
    };
    let error = String::from_utf8(added[0].value.to_vec()).unwrap();
    let attempts = vec![Attempt { error, ..Attempt::new(Trigger::Automatic, Outcome::Failure) }];
    Some(FoundLetter { content, attempts })
}

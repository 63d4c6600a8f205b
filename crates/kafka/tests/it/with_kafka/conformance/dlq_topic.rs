//! The letters of a DLQ topic.

use std::sync::Mutex;

use bytes::Bytes;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::RDKafkaErrorCode;
use rdkafka::message::{BorrowedMessage, Headers, Message};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};
use redrive_core::{Outcome, Trigger};
use redrive_model::{Attempt, Content, Header};
use redrive_run::conformance::FoundLetter;

use super::clients::CLIENTS;
use crate::fixture::{Cluster, WITHIN};

/// A letter has the timestamp of its record, so it must not be deleted by its age.
pub(super) const DLQ_SETTINGS: &[(&str, &str)] = &[("retention.ms", "-1")];

pub(super) struct DlqTopic {
    topic: String,
    /// Created when there may be letters.
    reader: Mutex<Option<DlqReader>>,
}

struct DlqReader {
    consumer: BaseConsumer,
    /// The offset of the next letter.
    next: i64,
    found: Vec<FoundLetter>,
}

impl DlqTopic {
    pub(super) const fn new(topic: String) -> Self {
        Self { topic, reader: Mutex::new(None) }
    }

    /// The letters with this payload.
    pub(super) fn find(&self, cluster: &Cluster, payload: &Bytes) -> Vec<FoundLetter> {
        let mut reader = self.reader.lock().unwrap();
        let reader = reader.get_or_insert_with(|| DlqReader::new(cluster, &self.topic));
        reader.read_to(CLIENTS.end(&self.topic));
        reader.found.iter().filter(|letter| letter.content.payload == *payload).cloned().collect()
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

impl DlqReader {
    fn new(cluster: &Cluster, topic: &str) -> Self {
        let mut config = cluster.config();
        let config = config.set("group.id", "unused").set("enable.auto.commit", "false");
        let consumer: BaseConsumer = config.create().unwrap();
        let mut assignment = TopicPartitionList::new();
        assignment.add_partition_offset(topic, 0, Offset::Beginning).unwrap();
        consumer.assign(&assignment).unwrap();
        Self { consumer, next: 0, found: Vec::new() }
    }

    fn read_to(&mut self, end: i64) {
        while self.next < end {
            let message = self.consumer.poll(WITHIN).expect("the topic has an end").unwrap();
            self.next = message.offset() + 1;
            self.found.extend(letter_of(&message));
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

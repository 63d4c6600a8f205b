//! The record of a letter in a DLQ topic: the failed record, with headers that say why it is here.

use std::sync::Arc;

use rdkafka::message::Header;
use rdkafka::producer::BaseRecord;
use rdkafka::util::IntoOpaque;
use redrive_core::Category;
use redrive_model::Content;

use crate::KafkaSettings;
use crate::client::to_send;
use crate::log::HandOver;
use crate::record::{Nulls, Record};

/// Maximum length of the error text, in characters.
const ERROR_CHARS_MAX: usize = 2_000;

#[derive(Debug, Clone)]
pub(crate) struct LetterRecord {
    topic: String,
    record: Record,
    /// After the headers of the failed record.
    added: Vec<(&'static str, String)>,
}

impl LetterRecord {
    pub(crate) fn new(settings: &KafkaSettings, letter: &HandOver) -> Self {
        let topic = topic_for(settings, &letter.at.topic, letter.dead.category);
        let error = &letter.dead.failure.error;
        let mut added = vec![
            ("x-error-reason", error.message.chars().take(ERROR_CHARS_MAX).collect()),
            ("x-retry-attempt", letter.attempts.to_string()),
            ("source-topic", letter.at.topic.to_string()),
            ("partition", letter.at.partition.to_string()),
            ("offset", letter.record.offset.to_string()),
            ("epoch", letter.fence.epoch.to_string()),
        ];
        added.push(("x-consumer-group", settings.group_id.clone()));
        added.extend(error.kind.as_ref().map(|kind| ("x-error-type", kind.to_string())));
        added.extend(letter.record.timestamp.map(|millis| ("x-original-timestamp", millis.to_string())));
        Self { topic, record: letter.record.clone(), added }
    }

    /// A record that refers to a letter in a dead queue, for a record that is too large for the topic. It has no value
    /// and no headers of the failed record, and its key only if that fits.
    pub(crate) fn referring_to(mut self, queue: &str, id: &str, bytes_max: usize) -> Self {
        self.added.extend([("x-letter-queue", queue.to_owned()), ("x-letter-id", id.to_owned())]);
        let key = self.record.content.key.clone();
        self.record.content = Arc::new(Content { key, ..Content::default() });
        self.record.nulls = Some(Box::new(Nulls { value: true, headers: Vec::new() }));
        if self.bytes_max() > bytes_max {
            self.record.content = Arc::default();
        }
        self
    }

    pub(crate) fn topic(&self) -> &str {
        &self.topic
    }

    /// The most that the record takes in the log of its topic, with a batch of its own.
    pub(crate) fn bytes_max(&self) -> usize {
        /// The head of a batch and of a record, and the lengths of its fields.
        const HEADS: usize = 128;
        /// The lengths of a header's fields.
        const HEADER: usize = 16;
        let content = &self.record.content;
        let own = content.headers.iter().map(|header| header.name.len() + header.value.len() + HEADER);
        let added = self.added.iter().map(|(name, value)| name.len() + value.len() + HEADER);
        let key = content.key.as_ref().map_or(0, bytes::Bytes::len);
        HEADS + key + content.payload.len() + own.chain(added).sum::<usize>()
    }

    /// The record for the producer. The original timestamp is kept.
    pub(crate) fn to_send<D: IntoOpaque>(&self, opaque: D) -> BaseRecord<'_, [u8], [u8], D> {
        let content = &self.record.content;
        let mut headers = to_send(&content.headers, self.record.nulls.as_deref(), self.added.len());
        for (key, value) in &self.added {
            headers = headers.insert(Header { key, value: Some(value) });
        }
        let mut record = BaseRecord::with_opaque_to(&self.topic, opaque).headers(headers);
        record.key = content.key.as_deref();
        record.payload = (!self.record.is_tombstone()).then_some(&*content.payload);
        record.timestamp = self.record.timestamp;
        record
    }
}

/// The topic of the letters of a topic.
fn topic_for(settings: &KafkaSettings, topic: &str, category: Category) -> String {
    let route = settings.dlq_routes.get(&category).cloned();
    route.unwrap_or_else(|| format!("{topic}{}", settings.dlq_topic_suffix))
}

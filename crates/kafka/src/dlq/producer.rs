//! The producer of letters, outside of transactions.

use std::sync::Arc;
use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::client::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::error::{KafkaError as ClientError, RDKafkaErrorCode};
use rdkafka::message::Message;
use rdkafka::producer::{DeliveryResult, NoCustomPartitioner, Producer, ProducerContext};

use super::letter_record::LetterRecord;
use super::pending::HandOverEnd;
use crate::client::{ReplacedProducer, client_error, log_line};
use crate::error::text;
use crate::shared::Shared;
use crate::{KafkaError, KafkaSettings};

pub(crate) struct LetterProducer {
    producer: ReplacedProducer<LetterContext>,
    timeout: Duration,
}

#[derive(Clone)]
struct LetterContext {
    shared: Arc<Shared>,
}

impl ClientContext for LetterContext {
    fn log(&self, level: RDKafkaLogLevel, fac: &str, message: &str) {
        log_line(level, fac, message);
    }

    fn error(&self, error: ClientError, reason: &str) {
        client_error(&self.shared, &error, reason);
    }
}

impl ProducerContext<NoCustomPartitioner> for LetterContext {
    type DeliveryOpaque = Box<HandOverEnd>;

    /// A letter is durable if the broker confirms this very record, with its place in the log.
    fn delivery(&self, result: &DeliveryResult<'_>, end: Box<HandOverEnd>) {
        match result {
            Ok(record) if record.partition() >= 0 && record.offset() >= 0 => end.published(),
            Ok(_) => end.failed("the broker confirmed the letter without an offset"),
            Err((error, _)) => end.refused(error),
        }
    }
}

/// A letter that the producer did not accept.
pub(crate) struct NotSent {
    pub(crate) end: Box<HandOverEnd>,
    pub(crate) error: ClientError,
}

impl LetterProducer {
    pub(crate) fn new(settings: &KafkaSettings, config: ClientConfig, shared: Arc<Shared>) -> Result<Self, KafkaError> {
        let producer = ReplacedProducer::new(config, LetterContext { shared })
            .map_err(|error| KafkaError::client("creating the producer of letters", &error))?;
        Ok(Self { producer, timeout: settings.dlq_delivery_timeout.into() })
    }

    /// Sends a letter. Its end is reported by the broker. A full queue of the producer is waited for.
    pub(crate) async fn send(&self, record: &LetterRecord, end: HandOverEnd) -> Result<(), NotSent> {
        let mut end = Box::new(end);
        let mut waited = Duration::ZERO;
        loop {
            let producer = match self.producer.get() {
                Ok(producer) => producer,
                Err(error) => return Err(NotSent { end, error }),
            };
            match producer.send(record.to_send(end)) {
                Ok(()) => return Ok(()),
                Err((ClientError::MessageProduction(RDKafkaErrorCode::QueueFull), back)) if waited < self.timeout => {
                    end = back.delivery_opaque;
                    let wait = Duration::from_millis(10);
                    tokio::time::sleep(wait).await;
                    waited += wait;
                }
                Err((error, back)) => return Err(NotSent { end: back.delivery_opaque, error }),
            }
        }
    }

    /// Waits until all letters are confirmed or have failed. Letters without a report stay open in the log.
    pub(crate) fn flush(&self) {
        let producer = self.producer.current();
        if let Err(error) = producer.flush(self.timeout) {
            tracing::warn!(error = text(&error), "letters without a report at the end");
        }
    }
}

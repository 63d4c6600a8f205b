//! The producer of records that are handed back.

use rdkafka::client::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::error::KafkaError as ClientError;
use rdkafka::message::{Message, OwnedHeaders};
use rdkafka::producer::{BaseRecord, DeliveryResult, NoCustomPartitioner, ProducerContext};
use tokio::sync::oneshot;

use crate::client::{ReplacedProducer, log_line};

#[derive(Clone)]
pub(super) struct HandBackContext;

impl ClientContext for HandBackContext {
    fn log(&self, level: RDKafkaLogLevel, fac: &str, message: &str) {
        log_line(level, fac, message);
    }

    fn error(&self, error: ClientError, reason: &str) {
        tracing::warn!(code = ?error.rdkafka_error_code(), reason, "the Kafka client reports an error");
    }
}

/// Why a record was not handed back.
#[derive(Debug)]
pub(super) enum NotHandedBack {
    Client(ClientError),
    /// The broker confirmed a record without its place, or the producer was closed: nothing is known.
    Unknown,
}

type Report = oneshot::Sender<Result<(), NotHandedBack>>;

impl ProducerContext<NoCustomPartitioner> for HandBackContext {
    type DeliveryOpaque = Box<Report>;

    fn delivery(&self, result: &DeliveryResult<'_>, report: Box<Report>) {
        let result = match result {
            Ok(record) if record.partition() >= 0 && record.offset() >= 0 => Ok(()),
            Ok(_) => Err(NotHandedBack::Unknown),
            Err((error, _)) => Err(NotHandedBack::Client(error.clone())),
        };
        // The attempt may have been stopped: its letter is retried then.
        let _is_received = report.send(result);
    }
}

/// Sends a record and waits for the report of the broker. The timestamp of the record is the time at which it is produced:
/// retention counts from there.
pub(super) async fn send(
    producer: &ReplacedProducer<HandBackContext>,
    topic: &str,
    key: Option<&[u8]>,
    value: Option<&[u8]>,
    headers: OwnedHeaders,
) -> Result<(), NotHandedBack> {
    let (report, reported) = oneshot::channel();
    let mut sent: BaseRecord<'_, [u8], [u8], Box<Report>> =
        BaseRecord::with_opaque_to(topic, Box::new(report)).headers(headers);
    sent.key = key;
    sent.payload = value;
    producer
        .get()
        .and_then(|producer| producer.send(sent).map_err(|(error, _)| error))
        .map_err(NotHandedBack::Client)?;
    reported.await.unwrap_or(Err(NotHandedBack::Unknown))
}

//! A Kafka topic as the origin to which letters are handed back.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use rdkafka::error::{KafkaError as ClientError, RDKafkaErrorCode};
use redrive_core::{Evidence, Failure, GrpcCode, Invalid};
use redrive_run::{Call, HandBack, Handled};
use tokio::sync::Semaphore;

use super::producer::{HandBackContext, NotHandedBack, send};
use super::settings::HandBackSettings;
use super::topic_rules::TopicRules;
use crate::KafkaError;
use crate::client::{ReplacedProducer, to_send};
use crate::error::text;
use crate::ingest::{DLQ_PLACE, REFERENCE, REMOVED};
use crate::record::Nulls;
use crate::source_record::{SourceRecord, TRANSPORT, hand_back_headers, without};

/// Hands letters back to their Kafka topics: the transport `kafka` of an [`OriginTarget`](redrive_run::OriginTarget).
///
/// A letter is completed when the broker has confirmed its record. A failed or missing confirmation is a failed retry,
/// after which the record may still have arrived: a record is handed back at least once.
///
/// ```no_run
/// use std::sync::Arc;
/// use redrive_core::QueueName;
/// use redrive_kafka::{HandBackSettings, KafkaHandBack};
/// use redrive_run::OriginTarget;
/// # fn example(store: Arc<dyn redrive_store::Store>) -> Result<(), Box<dyn std::error::Error>> {
/// let kafka = KafkaHandBack::open(&HandBackSettings::new("localhost:9092", ["orders", "^returns-.*"]))?;
/// let target = OriginTarget::new(store, QueueName::new("orders-dead")?).with(Arc::new(kafka));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct KafkaHandBack {
    producer: Arc<ReplacedProducer<HandBackContext>>,
    in_flight: Arc<Semaphore>,
    topics: TopicRules,
}

impl KafkaHandBack {
    /// Checks the settings and creates the producer, which connects in the background.
    pub fn open(settings: &HandBackSettings) -> Result<Self, KafkaError> {
        settings.check()?;
        let topics = TopicRules::new(&settings.topics, &settings.dlq_topics)?;
        let config = settings.of_producer().producer_config(None);
        let producer = ReplacedProducer::new(config, HandBackContext)
            .map_err(|error| KafkaError::client("creating the producer of letters", &error))?;
        let in_flight = Arc::new(Semaphore::new(settings.max_in_flight));
        Ok(Self { producer: Arc::new(producer), in_flight, topics })
    }

    /// The same producer for another dead queue, with its own list of topics.
    pub fn with_topics(&self, topics: &[String], dlq_topics: &[String]) -> Result<Self, Invalid> {
        Ok(Self { topics: TopicRules::new(topics, dlq_topics)?, ..self.clone() })
    }

    async fn send(&self, call: &Call) -> Result<(), NotHandedBack> {
        let content = &call.content;
        let nulls = Nulls::of(&call.metadata, content);
        let is_of_hand_back = hand_back_headers(&content.headers);
        let (mut headers, nulls) = without(&content.headers, &nulls, |_, header| is_of_hand_back(header));
        // A letter without coordinates is a new one if it fails again.
        headers.extend(SourceRecord::of_origin(&call.origin).iter().flat_map(SourceRecord::next_headers));
        let (key, value) = (content.key.as_deref(), (!nulls.value).then_some(&*content.payload));
        send(&self.producer, &call.origin.name, key, value, to_send(&headers, Some(&nulls), 0)).await
    }
}

#[async_trait]
impl HandBack for KafkaHandBack {
    fn transport(&self) -> &'static str {
        TRANSPORT
    }

    async fn hand_back(&self, call: &Call) -> Handled {
        let topic = &*call.origin.name;
        if let Err(why) = self.topics.check(topic) {
            return Handled::failed(Failure::new(format!("not retryable: {why}")));
        }
        if let Some(letter) = call.metadata.get(REFERENCE).and_then(|letter| letter.as_str()) {
            let why = format!("not retryable: it has no content and only refers to letter {letter}; retry that one");
            return Handled::failed(Failure::new(why));
        }
        let is_edited = call.edition.is_some();
        if let Some(removed) = call.metadata.get(REMOVED).and_then(|removed| removed.as_str()).filter(|_| !is_edited) {
            let place = call.metadata.get(DLQ_PLACE).and_then(|place| place.as_str()).unwrap_or("its DLQ topic");
            let why = format!("not retryable: its letter is without {removed}; edit it, the record is {place}");
            return Handled::failed(Failure::new(why));
        }
        call.hold();
        // The semaphore is never closed.
        let Ok(_permit) = self.in_flight.acquire().await else { return Handled::Untouched };
        if !call.begin() {
            return Handled::Untouched;
        }
        match self.send(call).await {
            Ok(()) => Handled::DONE,
            Err(error) => Handled::failed(failure(topic, &error)),
        }
    }
}

fn failure(topic: &str, error: &NotHandedBack) -> Failure {
    let (reason, evidence) = match error {
        NotHandedBack::Unknown => ("the broker did not confirm the record".to_owned(), GrpcCode::Unavailable),
        NotHandedBack::Client(error) => (text(error), evidence_of(error)),
    };
    Failure::new(format!("the hand-back to topic '{topic}' failed: {reason}")).with_evidence(Evidence::Grpc(evidence))
}

/// What an error says about a retry, in terms that the classifier knows.
fn evidence_of(error: &ClientError) -> GrpcCode {
    use RDKafkaErrorCode as Code;
    match error.rdkafka_error_code() {
        Some(Code::MessageSizeTooLarge | Code::InvalidMessageSize | Code::InvalidRecord | Code::InvalidTimestamp) => {
            GrpcCode::InvalidArgument
        }
        Some(Code::TopicAuthorizationFailed | Code::ClusterAuthorizationFailed) => GrpcCode::PermissionDenied,
        Some(Code::UnknownTopic | Code::UnknownTopicOrPartition | Code::UnknownPartition | Code::InvalidTopic) => {
            GrpcCode::NotFound
        }
        Some(Code::MessageTimedOut) => GrpcCode::DeadlineExceeded,
        _ => GrpcCode::Unavailable,
    }
}

impl fmt::Debug for KafkaHandBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaHandBack").field("topics", &self.topics).finish_non_exhaustive()
    }
}

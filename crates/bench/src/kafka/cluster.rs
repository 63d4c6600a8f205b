//! The broker that `cargo xtask bench kafka` starts, and the topics of this run.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use redrive_kafka::KafkaSettings;

use crate::plain::PAYLOAD;

pub(super) const PARTITIONS: i32 = 8;
/// The time limit of every request to the broker.
const REQUEST_MAX: Duration = Duration::from_secs(60);
const VARIABLE: &str = "REDRIVE_TEST_KAFKA";

pub(crate) struct Cluster {
    address: String,
    /// Makes the names of topics and groups unique.
    numbers: AtomicU32,
    topics: Mutex<Vec<String>>,
}

impl Cluster {
    pub(super) fn from_environment() -> Result<Self> {
        let address = std::env::var(VARIABLE)
            .with_context(|| format!("{VARIABLE} is not set; run cargo xtask bench kafka, which starts the broker"))?;
        Ok(Self { address, numbers: AtomicU32::new(0), topics: Mutex::default() })
    }

    fn unique(&self, what: &str) -> String {
        format!("bench-{what}-{}-{}", std::process::id(), self.numbers.fetch_add(1, Ordering::Relaxed))
    }

    fn config(&self) -> ClientConfig {
        let mut config = ClientConfig::new();
        config.set("bootstrap.servers", &self.address);
        config
    }

    /// The client settings of every loop that is compared with the consumer: the same as the consumer's, in a
    /// separate group. The defaults of the client library are slower.
    pub(super) fn loop_config(&self) -> ClientConfig {
        let mut config = self.config();
        config
            .set("group.id", self.unique("loop"))
            .set("auto.offset.reset", "earliest")
            .set("enable.auto.commit", "false")
            .set("partition.assignment.strategy", "cooperative-sticky")
            .set("fetch.queue.backoff.ms", "2")
            .set("queued.max.messages.kbytes", "16384");
        config
    }

    /// The settings of a consumer in a separate group, with the defaults for everything else.
    pub(crate) fn settings(&self, topic: &str) -> KafkaSettings {
        KafkaSettings {
            dlq_create_topics: true,
            ..KafkaSettings::new(self.address.clone(), self.unique("consumer"), topic)
        }
    }

    fn topics(&self) -> MutexGuard<'_, Vec<String>> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn admin(&self) -> Result<AdminClient<DefaultClientContext>> {
        Ok(self.config().create()?)
    }

    /// Creates a topic, and returns its name.
    pub(super) async fn create_topic(&self, what: &str, settings: &[(&str, &str)]) -> Result<String> {
        let name = self.unique(what);
        let mut topic = NewTopic::new(&name, PARTITIONS, TopicReplication::Fixed(1));
        for (setting, value) in settings {
            topic = topic.set(setting, value);
        }
        let options = AdminOptions::new().operation_timeout(Some(REQUEST_MAX));
        for created in self.admin()?.create_topics([&topic], &options).await? {
            created.map_err(|(name, code)| anyhow!("topic {name} was not created: {code}"))?;
        }
        self.topics().push(name.clone());
        Ok(name)
    }

    /// Deletes the topics of this run and their DLQ topics.
    pub(crate) async fn delete_topics(&self) -> Result<()> {
        let topics = std::mem::take(&mut *self.topics());
        let dlq_topics: Vec<String> = topics.iter().map(|topic| format!("{topic}.dlq")).collect();
        let names: Vec<&str> = topics.iter().chain(&dlq_topics).map(String::as_str).collect();
        if names.is_empty() {
            return Ok(());
        }
        let options = AdminOptions::new().operation_timeout(Some(REQUEST_MAX));
        for deleted in self.admin()?.delete_topics(&names, &options).await? {
            match deleted {
                // A topic that no consumer has read has no DLQ topic.
                Ok(_) | Err((_, RDKafkaErrorCode::UnknownTopicOrPartition)) => {}
                Err((name, code)) => eprintln!("topic {name} was not deleted: {code}"),
            }
        }
        Ok(())
    }

    pub(super) fn producer(&self, linger_ms: &str) -> Result<RecordProducer> {
        let mut config = self.config();
        config
            .set("acks", "all")
            .set("enable.idempotence", "true")
            .set("linger.ms", linger_ms)
            .set("partitioner", "murmur2_random")
            .set("queue.buffering.max.kbytes", "65536");
        Ok(RecordProducer(config.create()?))
    }

    /// Produces a record for each key, in their order, and checks that the broker has stored all of them.
    pub(super) fn fill(&self, topic: &str, keys: &[u32]) -> Result<()> {
        let producer = self.producer("5")?;
        for key in keys {
            producer.send(topic, *key)?;
        }
        producer.flush()?;
        let reader: BaseConsumer = self.config().create()?;
        let mut stored = 0;
        for partition in 0..PARTITIONS {
            let (first, end) = reader.fetch_watermarks(topic, partition, REQUEST_MAX)?;
            stored += end - first;
        }
        ensure!(usize::try_from(stored)? == keys.len(), "{stored} records of {} were stored", keys.len());
        Ok(())
    }
}

/// Produces records of 1 KiB.
pub(super) struct RecordProducer(BaseProducer);

impl RecordProducer {
    /// Queues a record. If the queue is full, waits for the broker.
    pub(super) fn send(&self, topic: &str, key: u32) -> Result<()> {
        let key = format!("key-{key}");
        let mut record = BaseRecord::to(topic).key(&key).payload(&PAYLOAD[..]);
        loop {
            match self.0.send(record) {
                Ok(()) => break,
                Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), back)) => {
                    record = back;
                    self.0.poll(Duration::from_millis(10));
                }
                Err((error, _)) => return Err(error.into()),
            }
        }
        Ok(())
    }

    pub(super) fn flush(&self) -> Result<()> {
        Ok(self.0.flush(REQUEST_MAX)?)
    }
}

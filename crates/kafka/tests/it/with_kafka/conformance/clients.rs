//! The clients that all cases share: connecting for each record would take longer than the cases.

use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use rdkafka::admin::{AdminClient, AdminOptions, AlterConfig, NewTopic, ResourceSpecifier, TopicReplication};
use rdkafka::client::{ClientContext, DefaultClientContext};
use rdkafka::config::FromClientConfigAndContext;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{BorrowedMessage, Header, Message, OwnedHeaders};
use rdkafka::producer::{BaseRecord, DeliveryResult, NoCustomPartitioner, ProducerContext, ThreadedProducer};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};
use redrive_model::Content;
use tokio::sync::oneshot;

use crate::fixture::{Cluster, WITHIN};

/// The offset of a stored record, or why it was refused.
pub(super) type Stored = Result<i64, RDKafkaErrorCode>;

pub(super) struct SuiteClients {
    producer: ThreadedProducer<ReportContext>,
    admin: AdminClient<DefaultClientContext>,
    reader: Mutex<BaseConsumer>,
}

pub(super) static CLIENTS: LazyLock<SuiteClients> = LazyLock::new(|| {
    let mut config = Cluster::shared().config();
    let admin = config.create().unwrap();
    config.set("linger.ms", "0").set("acks", "all").set("topic.metadata.refresh.fast.interval.ms", "5");
    let producer = ThreadedProducer::from_config_and_context(&config, ReportContext).unwrap();
    let mut config = Cluster::shared().config();
    // A fetch of the last assignment delays the first one of the next.
    config.set("group.id", "unused").set("enable.auto.commit", "false").set("fetch.wait.max.ms", "2");
    let reader = Mutex::new(config.create().unwrap());
    SuiteClients { producer, admin, reader }
});

/// Passes each delivery report to the sender of its record.
struct ReportContext;

impl ClientContext for ReportContext {}

impl ProducerContext<NoCustomPartitioner> for ReportContext {
    type DeliveryOpaque = Box<oneshot::Sender<Stored>>;

    fn delivery(&self, result: &DeliveryResult<'_>, report: Box<oneshot::Sender<Stored>>) {
        let stored = match result {
            Ok(message) => Ok(message.offset()),
            Err((error, _)) => Err(error.rdkafka_error_code().unwrap_or(RDKafkaErrorCode::Unknown)),
        };
        // The sender of the record waits for the report, unless its case has failed.
        let _is_received = report.send(stored);
    }
}

impl SuiteClients {
    /// Produces a record to the only partition of a topic.
    pub(super) async fn produce(&self, topic: &str, content: &Content) -> Stored {
        let mut headers = OwnedHeaders::new();
        for header in &content.headers {
            headers = headers.insert(Header { key: &header.name, value: Some(&header.value[..]) });
        }
        let (tx, report) = oneshot::channel();
        let mut record: BaseRecord<'_, [u8], [u8], _> =
            BaseRecord::with_opaque_to(topic, Box::new(tx)).headers(headers);
        record.partition = Some(0);
        record.key = content.key.as_deref();
        record.payload = Some(&content.payload[..]);
        if let Err((error, _)) = self.producer.send(record) {
            let KafkaError::MessageProduction(code) = error else { panic!("{error}") };
            return Err(code);
        }
        report.await.unwrap()
    }

    /// The end of the only partition of a topic. A consumer would answer late: its connection is busy with fetching.
    pub(super) fn end(&self, topic: &str) -> i64 {
        self.admin.inner().fetch_watermarks(topic, 0, WITHIN).unwrap().1
    }

    /// Reads the only partition of a topic.
    pub(super) fn read(&self, topic: &str, offsets: Range<i64>, mut seen: impl FnMut(&BorrowedMessage<'_>)) {
        if offsets.is_empty() {
            return;
        }
        // A failed case leaves an assignment, which is replaced.
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        // Without it, the reader learns about a new topic once a second.
        drop(reader.fetch_metadata(Some(topic), WITHIN).unwrap());
        let mut assignment = TopicPartitionList::new();
        assignment.add_partition_offset(topic, 0, Offset::Offset(offsets.start)).unwrap();
        reader.assign(&assignment).unwrap();
        for offset in offsets {
            let message = reader.poll(WITHIN).expect("the topic has an end").unwrap();
            assert_eq!((message.topic(), message.offset()), (topic, offset));
            seen(&message);
        }
        reader.unassign().unwrap();
    }

    /// Creates topics with one partition each.
    pub(super) async fn create(&self, topics: &[(&str, &[(&str, &str)])]) {
        let new = topics.iter().map(|(topic, settings)| {
            let new = NewTopic::new(topic, 1, TopicReplication::Fixed(1));
            settings.iter().fold(new, |new, (name, value)| new.set(name, value))
        });
        let new: Vec<NewTopic<'_>> = new.collect();
        let options = AdminOptions::new().operation_timeout(Some(WITHIN));
        let created = self.admin.create_topics(&new, &options).await.unwrap();
        created.into_iter().for_each(|created| drop(created.unwrap()));
        // The broker answers before it knows the leaders.
        let is_known = |topic: &str| {
            let found = self.admin.inner().fetch_metadata(Some(topic), WITHIN).unwrap();
            found.topics()[0].partitions().first().is_some_and(|partition| partition.leader() >= 0)
        };
        let waiting = async {
            while !topics.iter().all(|(topic, _)| is_known(topic)) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(WITHIN, waiting).await.expect("the topics have leaders");
    }

    /// Replaces the settings of a topic.
    pub(super) async fn configure(&self, topic: &str, settings: &[(&str, &str)]) {
        let config = AlterConfig::new(ResourceSpecifier::Topic(topic));
        let config = settings.iter().fold(config, |config, (name, value)| config.set(name, value));
        let altered = self.admin.alter_configs([&config], &AdminOptions::new()).await.unwrap();
        altered.into_iter().for_each(|altered| drop(altered.unwrap()));
    }
}

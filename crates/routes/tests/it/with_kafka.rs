//! An origin target that hands letters back to their topics, on a real Kafka.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use redrive_core::{Failure, LetterId, Policy, QueueName, Span, Status};
use redrive_kafka::{IngestSettings, KafkaConsumer, KafkaIngest, KafkaSettings};
use redrive_model::{Content, CreateQueue, Edit, Event, FullLetter, GetLetter, GetStats, ListLetters, QueueSettings};
use redrive_run::{Call, DeadQueue, Processor, ProcessorSettings, RunnerSettings, StoreLetterBox};
use redrive_store::{Store, SystemClock};
use redrive_testkit::folder;

use crate::fixture::{cluster, file, start_with, store, with_timeout};

const WITHIN: Duration = Duration::from_secs(30);

/// The broker of the tests.
fn address() -> String {
    std::env::var("REDRIVE_TEST_KAFKA").expect("run `cargo xtask services up kafka` and set REDRIVE_TEST_KAFKA")
}

fn config() -> ClientConfig {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", address());
    config
}

fn unique(name: &str) -> String {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    format!("{name}-{}-{}", std::process::id(), NUMBERS.fetch_add(1, Ordering::Relaxed))
}

/// A new topic, and its DLQ topic.
async fn topic(name: &str) -> String {
    let topic = unique(name);
    let dlq = format!("{topic}.dlq");
    let new = |name| NewTopic::new(name, 1, TopicReplication::Fixed(1)).set("retention.ms", "-1");
    let admin: AdminClient<DefaultClientContext> = config().create().unwrap();
    let options = AdminOptions::new().operation_timeout(Some(WITHIN));
    for created in admin.create_topics([&new(&topic), &new(&dlq)], &options).await.unwrap() {
        created.unwrap();
    }
    // The broker answers before it knows the leaders.
    for topic in [&topic, &dlq] {
        wait_until("the topic has a leader", async || {
            let found = admin.inner().fetch_metadata(Some(topic), WITHIN).unwrap();
            found.topics()[0].partitions().first().is_some_and(|partition| partition.leader() >= 0)
        })
        .await;
    }
    topic
}

fn produce(topic: &str, values: &[&str]) {
    let producer: BaseProducer = config().create().unwrap();
    for value in values {
        producer.send(BaseRecord::<str, str>::to(topic).key(value).payload(value)).unwrap();
    }
    producer.flush(WITHIN).unwrap();
}

async fn wait_until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let waited = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    assert!(tokio::time::timeout(WITHIN, waited).await.is_ok(), "timed out: {what}");
}

struct Dead {
    store: Arc<dyn Store>,
    queue: QueueName,
}

impl Dead {
    async fn new() -> Self {
        let (store, queue) = (store(), QueueName::new("orders-dead").unwrap());
        store.create_queue(CreateQueue { settings: QueueSettings::new(queue.clone()) }).await.unwrap();
        Self { store, queue }
    }

    fn dead_queue(&self) -> DeadQueue {
        let letter_box = Arc::new(StoreLetterBox::new(Arc::clone(&self.store)));
        DeadQueue::new(letter_box, self.queue.clone(), Policy::default())
    }

    /// Retries letters with the target that has these settings.
    async fn processor(&self, target: &str) -> Processor {
        let settings = ProcessorSettings {
            runner: RunnerSettings { breaker: None, ..RunnerSettings::default() },
            lease: Span::from_secs(60),
            policy: Policy::default(),
            interval: Span::from_secs(10),
        };
        let mut processor = Processor::new(Arc::clone(&self.store), Arc::new(SystemClock), settings);
        // A property comes from a file.
        let folder = folder("hand-back");
        let client = file(&folder, "client-id", "orders-hand-back\n");
        let cluster = format!(
            "bootstrap_servers = '{}'\nproperties = {{ \"client.id\" = {{ file = '{}' }} }}",
            address(),
            client.display()
        );
        let handler = start_with(target, &self::cluster(&cluster)).await.handler(&self.store, &self.queue);
        processor.add(self.queue.clone(), handler).unwrap();
        processor
    }

    async fn letters(&self) -> Vec<FullLetter> {
        let list = ListLetters { queue: self.queue.clone(), statuses: Vec::new(), after: None, limit: 100 };
        let mut letters = Vec::new();
        for stored in self.store.letters(list).await.unwrap() {
            let letter = stored.info.letter.unwrap().id;
            letters.push(self.store.letter(GetLetter { queue: self.queue.clone(), letter }).await.unwrap());
        }
        letters
    }

    async fn count(&self, status: Status) -> u64 {
        self.store.stats(GetStats { queue: self.queue.clone() }).await.unwrap().letters.of(status)
    }
}

fn id(letter: &FullLetter) -> LetterId {
    letter.info.letter.as_ref().unwrap().id
}

/// A target with the named topics.
fn origin(topics: &str) -> String {
    format!("origin = true\n[kafka]\ncluster = 'main'\ntopics = ['{topics}']\ndlq_topics = ['^.*\\.dlq$']")
}

/// Topic, failure, DLQ topic, ingest, edit, hand-back through the target, success.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_letter_of_a_dlq_topic_is_edited_and_goes_back_through_the_target() {
    let topic = topic("round").await;
    let dead = Dead::new().await;
    let delivered = Arc::new(AtomicU64::new(0));
    let handler = {
        let delivered = Arc::clone(&delivered);
        move |call: Call| {
            let is_valid = call.content.payload.starts_with(b"valid");
            delivered.fetch_add(u64::from(is_valid), Ordering::SeqCst);
            async move { if is_valid { Ok(()) } else { Err(Failure::new("invalid order")) } }
        }
    };
    produce(&topic, &["valid 1", "wrong 2", "valid 3", "wrong 4"]);
    let settings = KafkaSettings {
        commit_interval: Span::from_millis(50),
        ..KafkaSettings::new(address(), unique("billing"), &topic)
    };
    let consumer = KafkaConsumer::start(settings, handler, None).await.unwrap();
    let ingest = IngestSettings::new(address(), unique("ingest"), format!("{topic}.dlq"));
    let ingest = KafkaIngest::start(ingest, dead.dead_queue()).await.unwrap();
    // Every record is delivered or an open letter, at each step.
    wait_until("the failed records are letters", async || dead.count(Status::Pending).await == 2).await;
    wait_until("the others are delivered", async || delivered.load(Ordering::SeqCst) == 2).await;

    let processor = dead.processor(&origin(&topic)).await;
    for (number, letter) in dead.letters().await.into_iter().enumerate() {
        let content = Content { payload: format!("valid again {number}").into(), ..Content::clone(&letter.content) };
        let edit = Edit {
            queue: dead.queue.clone(),
            letter: id(&letter),
            content: Some(Arc::new(content)),
            policy: None,
            max_retries: None,
            priority: None,
        };
        dead.store.edit(edit).await.unwrap();
        assert!(processor.retry(&dead.queue, id(&letter), "ann").await.unwrap().is_success());
        let expected = 3 + number as u64;
        wait_until("the edited record is delivered", async || delivered.load(Ordering::SeqCst) == expected).await;
        assert_eq!(delivered.load(Ordering::SeqCst) + dead.count(Status::Pending).await, 4);
    }
    wait_until("all records are committed", async || {
        consumer.snapshot().partitions.iter().any(|partition| partition.committed == Some(6))
    })
    .await;
    consumer.stop().await;
    ingest.stop().await;
    let stats = dead.store.stats(GetStats { queue: dead.queue.clone() }).await.unwrap();
    assert_eq!((stats.counts.of(Event::LetterMade), stats.letters.live()), (2, 0), "no second letter was made");
    assert_eq!((dead.count(Status::Completed).await, delivered.load(Ordering::SeqCst)), (2, 4));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_target_writes_to_listed_topics_only() {
    let (allowed, other) = (topic("allowed").await, topic("other").await);
    let dead = Dead::new().await;
    produce(&other, &["wrong"]);
    let settings = KafkaSettings::new(address(), unique("billing"), &other);
    let failing = |_: Call| async { Err::<(), _>(Failure::new("invalid order")) };
    let consumer = KafkaConsumer::start(
        KafkaSettings { dlq_target: redrive_kafka::DlqTarget::Queue, ..settings },
        failing,
        Some(dead.dead_queue()),
    )
    .await
    .unwrap();
    wait_until("the record is a letter", async || dead.count(Status::Pending).await == 1).await;
    consumer.stop().await;
    let letter = dead.letters().await.remove(0);
    let cases = [
        (origin(&allowed), format!("topic '{other}' is not among the topics")),
        ("origin = true".to_owned(), "of the transport 'kafka', only to: queue".to_owned()),
    ];
    for (target, expected) in cases {
        let processor = dead.processor(&target).await;
        let retried = with_timeout(processor.retry(&dead.queue, id(&letter), "ann")).await.unwrap();
        let error = retried.attempt.unwrap().error;
        assert!(error.contains(&expected), "{error}");
    }
}

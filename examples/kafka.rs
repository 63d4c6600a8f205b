//! Consume a Kafka topic: records run in parallel and in the order of their keys, and what fails permanently goes to the
//! DLQ topic.
//!
//! The shop is busy at the first attempt of the atlas. While that record waits for its second attempt, the next record
//! of its key waits, other keys go on, and the commit stays below it: the snapshot names the record. The order without a
//! title becomes a letter at once.
//!
//! It needs a broker, and creates a topic that it deletes at the end. Run it with
//! `cargo run -p redrive --example kafka --features kafka`; the address of the broker is the argument, or the variable
//! `REDRIVE_TEST_KAFKA`, or `localhost:9092`.
//!
//! Output:
//!
//! ```text
//! anna: 'a novel', attempt 1: placed
//! ben: 'an atlas', attempt 1: the shop is busy
//! cleo: '', attempt 1: validation failed: the order has no title
//! anna: 'a cookbook', attempt 1: placed
//! the commit waits for offset 1: it failed in attempt 1, the shop is busy
//! ben: 'an atlas', attempt 2: placed
//! ben: 'a map', attempt 1: placed
//! committed 5 of 5 records, 1 letter
//! 4 done, 1 retried, 1 dead-lettered
//! ```

use std::error::Error;
use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use redrive::core::{Evidence, Failure};
use redrive::kafka::{ConsumerSnapshot, KafkaConsumer, KafkaSettings, RecordState};
use redrive::run::Call;
use tokio::sync::mpsc;

/// The limit of each request to the broker, and of the processing of all records.
const REQUEST_WITHIN: Duration = Duration::from_secs(10);
const WITHIN: Duration = Duration::from_secs(30);
/// The records of the topic: key and value.
const ORDERS: [(&str, &str); 5] =
    [("anna", "a novel"), ("ben", "an atlas"), ("ben", "a map"), ("cleo", ""), ("anna", "a cookbook")];

/// Places an order. The shop is busy at the first attempt of an atlas, and rejects an order without a title.
async fn place(call: &Call) -> Result<(), Failure> {
    let customer = String::from_utf8_lossy(call.content.key.as_deref().unwrap_or_default());
    let order = String::from_utf8_lossy(&call.content.payload);
    let placed = match (&*order, call.attempt) {
        ("an atlas", 1) => Err(Failure::new("the shop is busy").with_evidence(Evidence::http(503))),
        ("", _) => Err(Failure::new("validation failed: the order has no title")),
        _ => Ok(()),
    };
    let result = placed.as_ref().map_or_else(ToString::to_string, |()| "placed".to_owned());
    println!("{customer}: '{order}', attempt {}: {result}", call.attempt);
    placed
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).or_else(|| std::env::var("REDRIVE_TEST_KAFKA").ok());
    let address = address.unwrap_or_else(|| "localhost:9092".to_owned());
    let topic = format!("redrive-example-{}", std::process::id());
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", &address);

    let admin: AdminClient<DefaultClientContext> = config.create()?;
    let options = AdminOptions::new().request_timeout(Some(REQUEST_WITHIN)).operation_timeout(Some(REQUEST_WITHIN));
    let new = NewTopic::new(&topic, 1, TopicReplication::Fixed(-1));
    for created in admin.create_topics([&new], &options).await? {
        created.map_err(|(topic, error)| format!("topic '{topic}' was not created: {error}"))?;
    }
    let consumed = tokio::time::timeout(WITHIN, async {
        produce(&config, &topic)?;
        consume(&address, &topic).await
    })
    .await;
    admin.delete_topics(&[&topic, &format!("{topic}.dlq")], &options).await?;
    consumed.map_err(|_| format!("not all records were processed within {WITHIN:?}"))?
}

fn produce(config: &ClientConfig, topic: &str) -> Result<(), Box<dyn Error>> {
    let producer: BaseProducer = config.create()?;
    for (key, value) in ORDERS {
        producer.send(BaseRecord::to(topic).key(key).payload(value)).map_err(|(error, _)| error)?;
    }
    Ok(producer.flush(REQUEST_WITHIN)?)
}

async fn consume(address: &str, topic: &str) -> Result<(), Box<dyn Error>> {
    // The handler reports each attempt, so that this program knows how far it is.
    let (tx, mut rx) = mpsc::channel(1);
    let handler = move |call: Call| {
        let tx = tx.clone();
        async move {
            let placed = place(&call).await;
            // The receiver is gone once this program ends.
            let _is_received = tx.send(()).await;
            placed
        }
    };
    // The group has the name of the topic. The DLQ topic is created at the start.
    let settings = KafkaSettings { dlq_create_topics: true, ..KafkaSettings::new(address, topic, topic) };
    let consumer = KafkaConsumer::start(settings, handler, None).await?;
    for _attempt in 0..4 {
        rx.recv().await;
    }
    let blocked = wait_for(&consumer, |snapshot| {
        let record = snapshot.partitions.first()?.blocking.clone()?;
        matches!(record.state, RecordState::Retry(_)).then_some(record)
    });
    let record = blocked.await;
    let error = record.error.unwrap_or_default();
    println!("the commit waits for offset {}: it failed in attempt {}, {error}", record.offset, record.attempt);

    for _attempt in 0..2 {
        rx.recv().await;
    }
    let committed = wait_for(&consumer, |snapshot| {
        let committed = snapshot.partitions.first()?.committed?;
        (committed == 5).then_some((committed, snapshot.letters))
    });
    let (committed, letters) = committed.await;
    println!("committed {committed} of {} records, {letters} letter", ORDERS.len());
    let report = consumer.stop().await;
    println!("{} done, {} retried, {} dead-lettered", report.done, report.retried, report.dead_lettered);
    Ok(())
}

/// Takes snapshots until the function finds what it looks for.
async fn wait_for<T>(consumer: &KafkaConsumer, find: impl Fn(&ConsumerSnapshot) -> Option<T>) -> T {
    loop {
        if let Some(found) = find(&consumer.snapshot()) {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

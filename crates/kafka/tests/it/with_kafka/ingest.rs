//! DLQ topics that are read into letters.

use std::path::Path;
use std::sync::Arc;

use redrive_core::{BreakerState, Policy, QueueName, Status, Strategy};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_kafka::{
    ConsumerSnapshot, IngestSettings, KafkaConsumer, KafkaError, KafkaIngest, KafkaSettings, TroubleKind,
};
use redrive_model::{
    Archive, CreateQueue, Event, FullLetter, GetStats, LetterOverrides, Origin, QueueSettings, UpdateQueue,
};
use redrive_run::{DeadQueue, StoreLetterBox};
use redrive_store::Store;
use redrive_testkit::folder;

use crate::fixture::{
    ChildProcess, Cluster, MemoryQueue, NewRecord, Recorder, is_child, ledger, status, variable, wait_until,
};

fn settings(cluster: &Cluster, topic: &str) -> IngestSettings {
    IngestSettings::new(&cluster.address, cluster.name("ingest"), topic)
}

/// Waits until the snapshot meets the condition.
async fn wait_for(what: &str, ingest: &KafkaIngest, condition: impl Fn(&ConsumerSnapshot) -> bool) -> ConsumerSnapshot {
    let mut found = None;
    wait_until(what, async || {
        found = Some(ingest.snapshot()).filter(&condition);
        found.is_some()
    })
    .await;
    found.unwrap()
}

fn committed(snapshot: &ConsumerSnapshot) -> i64 {
    snapshot.partitions.iter().filter_map(|partition| partition.committed).sum()
}

fn record(value: &str, headers: &[(&str, &[u8])]) -> NewRecord {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), Some(value.to_vec()))).collect();
    NewRecord { headers, ..NewRecord::keyed("customer-7", value) }
}

fn origin(letter: &FullLetter) -> &Origin {
    &letter.context.as_ref().unwrap().origin
}

const TIMESTAMP: i64 = 1_794_744_060_250;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_records_of_each_dialect_become_letters_with_their_origin() {
    let cluster = Cluster::shared();
    let prefix = cluster.name("dialects");
    let spring = record(
        "spring",
        &[
            ("user", b"1"),
            ("kafka_dlt-exception-fqcn", b"com.shop.InvalidOrderException"),
            ("kafka_dlt-exception-message", b"invalid order"),
            ("kafka_dlt-original-topic", b"orders"),
            ("kafka_dlt-original-partition", &3_i32.to_be_bytes()),
            ("kafka_dlt-original-offset", &8_131_i64.to_be_bytes()),
            ("kafka_dlt-original-timestamp", &TIMESTAMP.to_be_bytes()),
        ],
    );
    let connect = record(
        "connect",
        &[
            ("user", b"1"),
            ("__connect.errors.topic", b"orders"),
            ("__connect.errors.partition", b"3"),
            ("__connect.errors.offset", b"8132"),
            ("__connect.errors.exception.class.name", b"org.apache.kafka.connect.errors.DataException"),
        ],
    );
    let streams = record(
        "streams",
        &[
            ("user", b"1"),
            ("__streams.errors.exception", b"java.lang.NullPointerException"),
            ("__streams.errors.topic", b"orders"),
            ("__streams.errors.partition", b"3"),
            ("__streams.errors.offset", b"8133"),
        ],
    );
    let original = record(
        "redrive",
        &[
            ("user", b"1"),
            ("x-error-reason", b"no such order"),
            ("x-retry-attempt", b"3"),
            ("source-topic", b"orders"),
            ("partition", b"3"),
            ("offset", b"8134"),
            ("epoch", b"1"),
        ],
    );
    let unknown = record("unknown", &[("user", b"1")]);
    for (name, record) in
        [("spring", spring), ("connect", connect), ("streams", streams), ("redrive", original), ("unknown", unknown)]
    {
        let topic = format!("{prefix}.{name}");
        cluster.create(&topic, 1, &[]).await;
        cluster.produce(&topic, &[NewRecord { timestamp: Some(TIMESTAMP), ..record }]);
    }
    let dead = MemoryQueue::create().await;
    let ingest = KafkaIngest::start(settings(&cluster, &format!("^{prefix}\\..*")), dead.dead_queue()).await.unwrap();
    wait_for("all records are committed", &ingest, |snapshot| committed(snapshot) == 5).await;
    ingest.stop().await;
    let mut letters = dead.letters().await;
    letters.sort_by_key(|letter| letter.content.payload.clone());
    let found: Vec<(&[u8], Option<i64>)> =
        letters.iter().map(|letter| (&*letter.content.payload, origin(letter).offset)).collect();
    let expected: [(&[u8], _); 5] = [
        (b"connect", Some(8_132)),
        (b"redrive", Some(8_134)),
        (b"spring", Some(8_131)),
        (b"streams", Some(8_133)),
        (b"unknown", Some(0)),
    ];
    assert_eq!(found, expected);
    for letter in &letters[..4] {
        assert_eq!((&*origin(letter).name, origin(letter).partition), ("orders", Some(3)));
        let names: Vec<&str> = letter.content.headers.iter().map(|header| header.name.as_str()).collect();
        assert_eq!((names, letter.content.key.as_deref()), (vec!["user"], Some(&b"customer-7"[..])));
    }
    assert_eq!(*origin(&letters[4]).name, format!("{prefix}.unknown"));
    assert_eq!(ledger(&letters[2]), ["invalid order"]);
    assert_eq!(letters[2].attempts[0].error_type.as_deref(), Some("com.shop.InvalidOrderException"));
}

/// The same records are read again after the group was reset to the start of its topics.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_is_read_again_makes_no_second_letter() {
    let (cluster, topic) = Cluster::with_topic("reread", 1).await;
    let handler = Recorder::new(|_| Err(redrive_core::Failure::new("no such order")));
    let records: Vec<NewRecord> = (0..20).map(|number| NewRecord::keyed("k", &number.to_string())).collect();
    cluster.produce(&topic, &records);
    let consumer = KafkaConsumer::start(cluster.settings(&topic), handler, None).await.unwrap();
    crate::fixture::stop_after_commits(consumer, &[20]).await;
    let dlq = format!("{topic}.dlq");
    // Records without coordinates, too.
    cluster.produce(&dlq, &[record("unknown", &[]), record("unknown", &[])]);
    let dead = MemoryQueue::create().await;
    let settings = settings(&cluster, &dlq);
    for _ in 0..2 {
        let ingest = KafkaIngest::start(settings.clone(), dead.dead_queue()).await.unwrap();
        wait_for("all records are committed", &ingest, |snapshot| committed(snapshot) == 22).await;
        ingest.stop().await;
        cluster.commit(&settings.group_id, &dlq, 0, 0, "");
    }
    let letters = dead.letters().await;
    assert_eq!(letters.len(), 22);
    assert!(letters.iter().all(|letter| letter.attempts.len() == 1));
    // The consumer itself captures the same letters, if it uses a dead queue.
    let handler = Recorder::new(|_| Err(redrive_core::Failure::new("no such order")));
    let direct = KafkaSettings { dlq_target: redrive_kafka::DlqTarget::Queue, ..cluster.settings(&topic) };
    cluster.commit(&direct.group_id, &topic, 0, 0, "");
    let consumer = KafkaConsumer::start(direct, handler, Some(dead.dead_queue())).await.unwrap();
    crate::fixture::stop_after_commits(consumer, &[20]).await;
    assert_eq!(dead.letters().await.len(), 22);
}

// A dead queue that does not take letters

async fn live(dead: &MemoryQueue) -> u64 {
    dead.store.stats(GetStats { queue: dead.queue.clone() }).await.unwrap().letters.live()
}

async fn change(dead: &MemoryQueue, letters: LetterOverrides) {
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(dead.queue.clone()) };
    dead.store.update_queue(update).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_dead_queue_stops_the_ingest_and_no_record_is_lost() {
    let (cluster, topic) = Cluster::with_bare_topic("full", 1).await;
    let records: Vec<NewRecord> = (0..50).map(|number| record(&number.to_string(), &[])).collect();
    cluster.produce(&topic, &records);
    let dead = MemoryQueue::with(|queue| queue.letters.max_size = Some(20)).await;
    let settings =
        IngestSettings { queue_max_messages: 10, blocking_warn_seconds: 3_600, ..settings(&cluster, &topic) };
    let ingest = KafkaIngest::start(settings, dead.dead_queue()).await.unwrap();
    let degraded =
        wait_for("the queue is full", &ingest, |snapshot| !snapshot.is_healthy() && snapshot.paused_partitions == 1)
            .await;
    let trouble = degraded.troubles.iter().find(|trouble| trouble.kind == TroubleKind::HandOver).unwrap();
    assert!(trouble.error.contains("max_size=20"), "{}", trouble.error);
    assert_eq!(live(&dead).await, 20, "the space that there was is used");
    assert!(committed(&degraded) <= 20, "nothing is committed without its letter");
    assert_ne!(ingest.health().await.destinations[0].breaker, BreakerState::Closed);
    // An operator makes space.
    let solved: Vec<_> = dead.letters().await.iter().map(|letter| letter.info.letter.as_ref().unwrap().id).collect();
    dead.store.archive(Archive { queue: dead.queue.clone(), letters: solved }).await.unwrap();
    wait_until("the space is used", async || live(&dead).await == 20).await;
    change(&dead, LetterOverrides { max_size: Some(100), ..LetterOverrides::default() }).await;
    wait_for("all records are committed", &ingest, |snapshot| committed(snapshot) == 50).await;
    assert!(wait_for("the ingest is healthy", &ingest, ConsumerSnapshot::is_healthy).await.troubles.is_empty());
    ingest.stop().await;
    let mut values: Vec<u32> = dead
        .letters()
        .await
        .iter()
        .map(|letter| std::str::from_utf8(&letter.content.payload).unwrap().parse().unwrap())
        .collect();
    values.sort_unstable();
    assert_eq!(values, (0..50).collect::<Vec<_>>());
}

/// The record that is refused is not the first one of its partition, and no record blocks for long.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ingest_is_not_healthy_from_the_first_refused_letter_on() {
    let (cluster, topic) = Cluster::with_bare_topic("refused", 1).await;
    cluster.produce(&topic, &[record("first", &[])]);
    let dead = MemoryQueue::with(|queue| queue.letters.strategy = Some(Strategy::Disabled)).await;
    let settings = IngestSettings { blocking_warn_seconds: 3_600, ..settings(&cluster, &topic) };
    let ingest = KafkaIngest::start(settings, dead.dead_queue()).await.unwrap();
    // As a holder of the source sees it.
    let source = ingest.source().clone();
    wait_until("the ingest is not healthy", async || !source.snapshot().is_healthy()).await;
    let trouble = source.snapshot().troubles.remove(0);
    assert_eq!(trouble.kind, TroubleKind::HandOver);
    assert!(trouble.error.starts_with(&format!("{topic}/0 offset 0: no letter: ")), "{}", trouble.error);
    assert_eq!(ingest.snapshot().troubles.len(), 1);
    change(&dead, LetterOverrides { strategy: Some(Strategy::Automatic), ..LetterOverrides::default() }).await;
    wait_until("the ingest is healthy again", async || source.snapshot().is_healthy()).await;
    wait_for("the record is committed", &ingest, |snapshot| committed(snapshot) == 1).await;
    ingest.stop().await;
    assert_eq!(live(&dead).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_the_dead_queue_refuses_becomes_a_letter_without_the_refused_parts() {
    let (cluster, topic) = Cluster::with_bare_topic("large", 1).await;
    let mut records: Vec<NewRecord> = (0..10).map(|number| record(&number.to_string(), &[])).collect();
    records[4] = record(&"x".repeat(10_000), &[("user", b"1")]);
    let many: Vec<(String, Option<Vec<u8>>)> = (0..90_000).map(|_| (String::new(), None)).collect();
    records[5] = NewRecord { headers: many, ..NewRecord::keyed("k", "many headers") };
    cluster.produce(&topic, &records);
    let dead = MemoryQueue::with(|queue| queue.letters.letter_bytes_max = Some(2_000)).await;
    let ingest = KafkaIngest::start(settings(&cluster, &topic), dead.dead_queue()).await.unwrap();
    let done = wait_for("all records are committed", &ingest, |snapshot| committed(snapshot) == 10).await;
    assert!(done.is_healthy());
    ingest.stop().await;
    let letters = dead.letters().await;
    assert_eq!(letters.len(), 10);
    let note = |letter: &FullLetter, key: &str| {
        letter.context.as_ref().unwrap().metadata.get(key).and_then(|note| note.as_str()).map(str::to_owned)
    };
    let large = letters.iter().find(|letter| note(letter, "kafka_removed").is_some()).unwrap();
    assert_eq!((large.content.payload.len(), large.content.headers.len()), (0, 1));
    assert_eq!(note(large, "kafka_removed").as_deref(), Some("the payload of 10000 bytes"));
    assert_eq!(note(large, "kafka_dlq"), Some(format!("{topic}/0/4")));
    let many = letters.iter().find(|letter| &*letter.content.payload == b"many headers").unwrap();
    assert_eq!(many.content.headers.len(), 1_000);
    let unreadable = note(many, "kafka_unreadable").unwrap();
    assert!(unreadable.contains("90000 headers, and at most 1000 are read"), "{unreadable}");
}

/// Headers prove nothing: they may name a record whose letter has another content.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_with_the_coordinates_of_another_letter_has_its_own() {
    let (cluster, topic) = Cluster::with_bare_topic("forged", 1).await;
    let replayed = [
        ("redrive-replay-version", &b"1"[..]),
        ("redrive-replay-count", b"1"),
        ("redrive-replay-topic", b"orders"),
        ("redrive-replay-partition", b"3"),
        ("redrive-replay-offset", b"8131"),
    ];
    let failed = [
        ("x-error-reason", &b"no such order"[..]),
        ("source-topic", b"orders"),
        ("partition", b"3"),
        ("offset", b"8131"),
    ];
    let forged: Vec<(&str, &[u8])> = replayed.iter().chain(&failed).copied().collect();
    cluster.produce(&topic, &[record("first", &failed), record("other work", &forged)]);
    let dead = MemoryQueue::create().await;
    let ingest = KafkaIngest::start(settings(&cluster, &topic), dead.dead_queue()).await.unwrap();
    wait_for("all records are committed", &ingest, |snapshot| committed(snapshot) == 2).await;
    ingest.stop().await;
    let letters = dead.letters().await;
    let mut contents: Vec<&[u8]> = letters.iter().map(|letter| &*letter.content.payload).collect();
    contents.sort_unstable();
    assert_eq!(contents, [&b"first"[..], b"other work"]);
    assert!(letters.iter().all(|letter| status(letter) == Status::Pending && &*origin(letter).name == "orders"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ingest_of_a_missing_topic_or_with_wrong_settings_does_not_start() {
    let cluster = Cluster::shared();
    let dead = MemoryQueue::create().await;
    let missing = KafkaIngest::start(settings(&cluster, "no-such-dlq"), dead.dead_queue()).await.unwrap_err();
    assert!(matches!(missing, KafkaError::NoSuchTopic(_)), "{missing}");
    let mut wrong = settings(&cluster, "orders");
    wrong.topics.clear();
    let error = KafkaIngest::start(wrong, dead.dead_queue()).await.unwrap_err().to_string();
    assert!(error.contains("topics"), "{error}");
}

// Killed

const SETTINGS: &str = "REDRIVE_KAFKA_INGEST_SETTINGS";
const DIRECTORY: &str = "REDRIVE_KAFKA_INGEST_STORE";

/// A store on disk, and the name of its dead queue.
fn open(directory: &Path) -> (Arc<dyn Store>, QueueName) {
    let store = EmbeddedStore::open(directory, &EmbeddedOptions::default()).unwrap();
    (Arc::new(store), QueueName::new("orders-dead").unwrap())
}

/// Not a test: the process that the test kills.
#[test]
fn ingest() {
    if !is_child() {
        return;
    }
    let settings: IngestSettings = serde_json::from_str(&variable(SETTINGS)).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let (store, queue) = open(Path::new(&variable(DIRECTORY)));
        let letter_box = Arc::new(StoreLetterBox::new(Arc::clone(&store)));
        let dead_queue = DeadQueue::new(letter_box, queue.clone(), Policy::default());
        let _ingest = KafkaIngest::start(settings, dead_queue).await.unwrap();
        loop {
            let stats = store.stats(GetStats { queue: queue.clone() }).await.unwrap();
            crate::fixture::report(&stats.letters.live().to_string());
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_ingest_makes_every_letter_once() {
    const RECORDS: u64 = 6_000;
    let (cluster, topic) = Cluster::with_bare_topic("killed-ingest", 2).await;
    let records: Vec<NewRecord> = (0..RECORDS)
        .map(|number| {
            let number = number.to_string();
            NewRecord {
                key: Some(number.clone().into()),
                ..record(
                    &number,
                    &[
                        ("__streams.errors.exception", b"java.lang.NullPointerException"),
                        ("__streams.errors.topic", b"orders"),
                        ("__streams.errors.partition", b"0"),
                        ("__streams.errors.offset", number.as_bytes()),
                    ],
                )
            }
        })
        .collect();
    cluster.produce(&topic, &records);
    let folder = folder("killed-ingest");
    {
        let (store, queue) = open(folder.path());
        store.create_queue(CreateQueue { settings: QueueSettings::new(queue) }).await.unwrap();
        // Only a closed store has left its directory to the child: one that is dropped closes in the background.
        store.close().await.unwrap();
    }
    let mut settings = settings(&cluster, &topic);
    // The next process is the same member, and need not wait for the end of the session.
    settings.properties.insert("group.instance.id".to_owned(), cluster.name("member"));
    let text = serde_json::to_string(&settings).unwrap();
    let variables = [(SETTINGS, text.as_str()), (DIRECTORY, folder.path().to_str().unwrap())];
    for least in [1_000, 3_000, RECORDS] {
        let mut child = ChildProcess::start(module_path!(), "ingest", &variables);
        while child.next_report().parse::<u64>().unwrap() < least {
            assert!(child.is_running(), "the child has ended");
        }
        child.kill();
    }
    let (store, queue) = open(folder.path());
    let stats = store.stats(GetStats { queue }).await.unwrap();
    assert_eq!((stats.letters.live(), stats.counts.of(Event::Captured)), (RECORDS, RECORDS));
}

//! Letters that go back to their topics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::{Category, Evidence, Failure, Policy, Span, Status, Time};
use redrive_kafka::{DlqTarget, HandBackSettings, IngestSettings, KafkaConsumer, KafkaIngest, KafkaSettings};
use redrive_model::capture::FailedWork;
use redrive_model::{Content, Edit, Event, FullLetter, GetStats, Origin};
use redrive_run::{Call, LetterBox, StoreLetterBox};

use crate::fixture::{
    Cluster, FoundRecord, MemoryQueue, NewRecord, Recorder, ledger, not_found, process, status, stop_after_commits,
    wait_until,
};

/// A consumer whose letters go into the dead queue.
fn into_queue(cluster: &Cluster, topic: &str) -> KafkaSettings {
    KafkaSettings { dlq_target: DlqTarget::Queue, ..cluster.settings(topic) }
}

/// Captures the records of a topic as letters, without keeping a consumer.
async fn capture_all(cluster: &Cluster, topic: &str, dead: &MemoryQueue, records: &[NewRecord]) -> Vec<FullLetter> {
    cluster.produce(topic, records);
    let handler = Recorder::new(|_| Err(not_found()));
    process(into_queue(cluster, topic), handler, Some(dead.dead_queue()), &[i64::try_from(records.len()).unwrap()])
        .await;
    let mut letters = dead.letters().await;
    letters.sort_by_key(|letter| letter.context.as_ref().unwrap().origin.offset);
    letters
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_letter_goes_back_as_the_record_that_it_was() {
    let (cluster, topic) = Cluster::with_topic("back", 1).await;
    let headers = |names: &[(&str, Option<&[u8]>)]| {
        names.iter().map(|(name, value)| ((*name).to_owned(), value.map(<[u8]>::to_vec))).collect()
    };
    let records = [
        NewRecord {
            key: Some(vec![0, 255]),
            value: Some(vec![254, 0, 10]),
            headers: headers(&[
                ("b", Some(b"\xff\x00")),
                ("a", None),
                ("b", Some(b"")),
                ("a", Some(b"2")),
                ("", None),
                // Headers of the user, whose names are like those of a hand-back.
                ("x-source-topic", Some(b"mine")),
                ("redrive-replay-topic", Some(b"mine")),
            ]),
            timestamp: Some(1_234_567_890_123),
            ..NewRecord::default()
        },
        // A tombstone, and a value that is only empty.
        NewRecord { key: Some(b"gone".to_vec()), timestamp: Some(1_000), ..NewRecord::default() },
        NewRecord { value: Some(Vec::new()), timestamp: Some(2_000), ..NewRecord::default() },
    ];
    let dead = MemoryQueue::create().await;
    let letters = capture_all(&cluster, &topic, &dead, &records).await;
    let processor = dead.processor(&cluster.hand_back(&topic));
    for letter in &letters {
        assert!(dead.retry(&processor, letter).await.is_success());
    }
    let all = cluster.read(&topic, true);
    let (before, after) = all.split_at(records.len());
    assert_eq!(after.len(), records.len());
    for (before, after) in before.iter().zip(after) {
        assert_eq!((&after.key, &after.value), (&before.key, &before.value));
        let (own, added) = after.headers.split_at(before.headers.len());
        assert_eq!(own, before.headers);
        let timestamp = before.timestamp.unwrap().to_string();
        let offset = before.offset.to_string();
        let expected = [
            ("redrive-replay-version", "1"),
            ("redrive-replay-count", "1"),
            ("redrive-replay-topic", &topic),
            ("redrive-replay-partition", "0"),
            ("redrive-replay-offset", &offset),
            ("redrive-replay-timestamp", &timestamp),
        ];
        let added: Vec<(&str, &str)> = added
            .iter()
            .map(|(name, value)| (name.as_str(), std::str::from_utf8(value.as_ref().unwrap()).unwrap()))
            .collect();
        assert_eq!(added[..6], expected);
        assert_eq!((added.len(), added[6].0), (7, "redrive-replay-group"));
        assert!(after.timestamp > before.timestamp, "retention counts from the hand-back");
    }
    assert!(dead.letters().await.iter().all(|letter| status(letter) == Status::Completed));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_fails_again_is_the_same_letter() {
    let (cluster, topic) = Cluster::with_topic("again", 2).await;
    let dead = MemoryQueue::create().await;
    let is_repaired = Arc::new(AtomicBool::new(false));
    let handler = {
        let is_repaired = Arc::clone(&is_repaired);
        Recorder::new(move |call: &Call| match is_repaired.load(Ordering::SeqCst) {
            true => Ok(()),
            false => Err(Failure::new(format!("no such order, at {}", call.id)).with_evidence(Evidence::http(404))),
        })
    };
    cluster.produce(&topic, &[NewRecord::keyed("a", "order")]);
    let settings = into_queue(&cluster, &topic);
    let consumer = KafkaConsumer::start(settings, handler.clone(), Some(dead.dead_queue())).await.unwrap();
    let processor = dead.processor(&cluster.hand_back(&topic));
    for replays in 0..3 {
        let letter = dead
            .only_letter("the record has failed again", |letter| {
                letter.status == Status::Pending && letter.replays == replays
            })
            .await;
        let info = letter.info.letter.as_ref().unwrap();
        assert_eq!((info.generation, info.retries, info.total_attempts), (1, replays, replays + 1));
        assert_eq!(ledger(&letter).iter().filter(|error| error.starts_with("no such order")).count(), handler.count());
        is_repaired.store(replays == 2, Ordering::SeqCst);
        dead.retry(&processor, &letter).await;
    }
    let letter = dead.only_letter("the letter is completed", |letter| letter.status == Status::Completed).await;
    assert_eq!(letter.attempts.len(), 6, "three failures, and three hand-backs");
    wait_until("the last record is done", async || handler.count() == 4).await;
    wait_until("all records are committed", async || {
        consumer.snapshot().partitions.iter().filter_map(|partition| partition.committed).sum::<i64>() == 4
    })
    .await;
    consumer.stop().await;
    assert_eq!(dead.letters().await.len(), 1);
}

/// A record that is handed back reaches every group of its topic.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_failure_of_another_group_is_another_letter() {
    let (cluster, topic) = Cluster::with_topic("groups", 1).await;
    let dead = MemoryQueue::create().await;
    let letters = capture_all(&cluster, &topic, &dead, &[NewRecord::keyed("a", "order")]).await;
    let processor = dead.processor(&cluster.hand_back(&topic));
    assert!(dead.retry(&processor, &letters[0]).await.is_success());
    let other = Cluster::shared();
    let settings = KafkaSettings { group_id: other.name("other"), ..into_queue(&cluster, &topic) };
    let handler = Recorder::new(|call| if call.origin.offset == Some(1) { Err(not_found()) } else { Ok(()) });
    process(settings, handler, Some(dead.dead_queue()), &[2]).await;
    let mut found: Vec<_> = dead.letters().await.iter().map(|letter| (letter.info.task_id(), status(letter))).collect();
    found.sort();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].0.starts_with(&format!("{topic}/0/0@")) && found[1].0.starts_with(&format!("{topic}/0/1@")));
    assert_eq!((found[0].1, found[1].1), (Status::Completed, Status::Pending));
}

/// Captures failed work as a letter, as any caller of the API may.
async fn captured(dead: &MemoryQueue, work: FailedWork) -> FullLetter {
    let letter_box = StoreLetterBox::new(Arc::clone(&dead.store));
    let posted = letter_box.post_all(&dead.queue, &Policy::default(), &[work]).await.unwrap();
    dead.letter(posted[0].captured.letter).await
}

/// Captures letters with these origins.
async fn captured_with(dead: &MemoryQueue, origins: impl IntoIterator<Item = Origin>) -> Vec<FullLetter> {
    let mut letters = Vec::new();
    for (number, origin) in origins.into_iter().enumerate() {
        let mut work = FailedWork::new(format!("f-{number}"), not_found(), Time::from_secs(1));
        work.context.origin = origin;
        work.content = Arc::new(Content::of_payload("x"));
        letters.push(captured(dead, work).await);
    }
    letters
}

/// Captures a letter without content from this topic, with this metadata.
async fn captured_with_notes(dead: &MemoryQueue, topic: &str, notes: &[(&str, &str)]) -> FullLetter {
    let mut work = FailedWork::new("f", not_found(), Time::from_secs(1));
    work.context.origin = kafka(topic);
    work.context.metadata.extend(notes.iter().map(|(key, value)| ((*key).to_owned(), (*value).into())));
    captured(dead, work).await
}

fn kafka(name: &str) -> Origin {
    Origin { transport: "kafka".into(), name: name.into(), ..Origin::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_goes_to_a_topic_that_is_not_allowed() {
    let cluster = Cluster::shared();
    let (allowed, other) = (cluster.topic("allowed", 1).await, cluster.topic("other", 1).await);
    let dlq = format!("{allowed}.dlq");
    let cases = [
        (kafka(&other), format!("topic '{other}' is not among the topics")),
        (kafka(&dlq), format!("its origin '{dlq}' is a DLQ topic that is read into letters")),
        (kafka("no topic"), "the name of its origin is not a topic".to_owned()),
        (Origin { transport: "redis".into(), ..kafka(&allowed) }, "only to: kafka, queue".to_owned()),
    ];
    let dead = MemoryQueue::create().await;
    let letters = captured_with(&dead, cases.iter().map(|(origin, _)| origin.clone())).await;
    let settings = HandBackSettings { topics: vec![format!("^{allowed}")], ..cluster.hand_back(&allowed) };
    let processor = dead.processor(&settings);
    for (letter, (_, why)) in letters.iter().zip(&cases) {
        let retried = dead.retry(&processor, letter).await;
        let attempt = retried.attempt.clone().unwrap();
        assert!(attempt.error.contains(why.as_str()), "{}", attempt.error);
        assert_eq!((retried.status(), attempt.category), (Some(Status::Pending), Some(Category::Permanent)));
    }
    for topic in [&other, &dlq, &allowed] {
        assert_eq!(cluster.end(topic, 0), 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hand_back_without_a_broker_is_a_failed_retry() {
    let (cluster, topic) = Cluster::with_topic("unreachable", 1).await;
    let dead = MemoryQueue::create().await;
    let letters = captured_with(&dead, [kafka(&topic)]).await;
    // A port on which nothing listens.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let settings = HandBackSettings {
        bootstrap_servers: closed.to_string(),
        delivery_timeout: Span::from_millis(500),
        ..cluster.hand_back(&topic)
    };
    let retried = dead.retry(&dead.processor(&settings), &letters[0]).await;
    let attempt = retried.attempt.clone().unwrap();
    assert_eq!((retried.status(), attempt.category), (Some(Status::Pending), Some(Category::Network)));
    assert!(attempt.error.contains(&topic) && attempt.error.contains("timed out"), "{}", attempt.error);
    // The same letter goes back once there is a broker.
    let retried = dead.retry(&dead.processor(&cluster.hand_back(&topic)), &letters[0]).await;
    assert!(retried.is_success());
    assert_eq!(cluster.end(&topic, 0), 1);
}

/// A letter without its content would be a tombstone, which deletes its key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reference_to_another_letter_is_not_handed_back() {
    let (cluster, topic) = Cluster::with_topic("reference", 1).await;
    let dead = MemoryQueue::create().await;
    let letter = captured_with_notes(&dead, &topic, &[("kafka_reference", "orders-dead/2PqK")]).await;
    let retried = dead.retry(&dead.processor(&cluster.hand_back(&topic)), &letter).await;
    assert!(retried.attempt.unwrap().error.contains("only refers to letter orders-dead/2PqK"));
    assert_eq!(cluster.end(&topic, 0), 0);
}

/// A topic that is deleted and created again uses its offsets again. These records have the same timestamp, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_records_of_a_topic_that_was_created_again_have_their_own_letters() {
    let cluster = Cluster::shared();
    let topic = cluster.name("recreated");
    let dead = MemoryQueue::create().await;
    for (number, value) in ["first", "second", "second"].into_iter().enumerate() {
        cluster.create(&topic, 1, &[]).await;
        cluster.produce(&topic, &[NewRecord { timestamp: Some(1_000), ..NewRecord::keyed("a", value) }]);
        let settings = KafkaSettings { group_id: "billing".to_owned(), ..into_queue(&cluster, &topic) };
        process(settings.clone(), Recorder::new(|_| Err(not_found())), Some(dead.dead_queue()), &[1]).await;
        assert_eq!(dead.letters().await.len(), [1, 2, 2][number]);
        cluster.commit(&settings.group_id, &topic, 0, 0, "");
        cluster.delete(&topic).await;
    }
    let mut payloads: Vec<_> = dead.letters().await.iter().map(|letter| letter.content.payload.clone()).collect();
    payloads.sort();
    assert_eq!(payloads, ["first", "second"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_letter_without_all_of_its_record_is_handed_back_after_an_edit_only() {
    let (cluster, topic) = Cluster::with_topic("reduced", 1).await;
    let dead = MemoryQueue::create().await;
    let notes = [("kafka_removed", "the payload of 9 bytes"), ("kafka_dlq", "orders.DLT/0/7")];
    let letter = captured_with_notes(&dead, &topic, &notes).await;
    let processor = dead.processor(&cluster.hand_back(&topic));
    let error = dead.retry(&processor, &letter).await.attempt.unwrap().error;
    let expected = "its letter is without the payload of 9 bytes; edit it, the record is orders.DLT/0/7";
    assert!(error.contains(expected), "{error}");
    assert_eq!(cluster.end(&topic, 0), 0);
    let (queue, letter_id) = (dead.queue.clone(), letter.info.letter.as_ref().unwrap().id);
    let content = Some(Arc::new(Content::of_payload("the order")));
    let edit = Edit { queue, letter: letter_id, content, policy: None, max_retries: None, priority: None };
    dead.store.edit(edit).await.unwrap();
    assert!(dead.retry(&processor, &letter).await.is_success());
    assert_eq!(cluster.end(&topic, 0), 1);
}

#[test]
fn wrong_settings_are_errors_that_name_them() {
    let valid = HandBackSettings::new("localhost:9092", ["orders"]);
    let cases: [(&str, Box<dyn Fn(&mut HandBackSettings)>); 5] = [
        ("bootstrap_servers", Box::new(|settings| settings.bootstrap_servers.clear())),
        ("topics", Box::new(|settings| settings.topics.push("^[".to_owned()))),
        ("dlq_topics", Box::new(|settings| settings.dlq_topics.push("a b".to_owned()))),
        ("max_in_flight", Box::new(|settings| settings.max_in_flight = 0)),
        ("acks", Box::new(|settings| settings.properties = [("acks".to_owned(), "0".to_owned())].into())),
    ];
    for (field, change) in cases {
        let mut settings = valid.clone();
        change(&mut settings);
        let error = redrive_kafka::KafkaHandBack::open(&settings).unwrap_err().to_string();
        assert!(error.contains(field), "{error}");
    }
}

// Round trips over a DLQ topic

fn ingest_settings(cluster: &Cluster, topic: &str) -> IngestSettings {
    IngestSettings::new(&cluster.address, cluster.name("ingest"), format!("{topic}.dlq"))
}

async fn queue_counts(dead: &MemoryQueue) -> (u64, u64, u64) {
    let stats = dead.store.stats(GetStats { queue: dead.queue.clone() }).await.unwrap();
    let count = |status| stats.letters.of(status);
    (stats.counts.of(Event::LetterMade), stats.letters.live(), count(Status::Completed))
}

/// Topic, failure, DLQ topic, ingest, hand-back, failure, DLQ topic, ingest, edit, hand-back, success.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_letter_is_edited_and_handed_back_over_a_dlq_topic() {
    let (cluster, topic) = Cluster::with_topic("round", 1).await;
    let dead = MemoryQueue::create().await;
    let handler = Recorder::new(|call: &Call| match &*call.content.payload {
        b"valid order" => Ok(()),
        _ => Err(Failure::new(format!("invalid order, at {}", call.id))),
    });
    let header = ("trace".to_owned(), Some(b"7".to_vec()));
    let record = NewRecord { headers: vec![header.clone()], ..NewRecord::keyed("a", "order") };
    cluster.produce(&topic, &[record, NewRecord::keyed("b", "valid order")]);
    let consumer = KafkaConsumer::start(cluster.settings(&topic), handler.clone(), None).await.unwrap();
    let ingest = KafkaIngest::start(ingest_settings(&cluster, &topic), dead.dead_queue()).await.unwrap();
    let first = dead.only_letter("the letter is ingested", |_| true).await;
    let processor = dead.processor(&cluster.hand_back(&topic));
    dead.retry(&processor, &first).await;
    let again =
        dead.only_letter("it has failed again", |letter| letter.replays == 1 && letter.status == Status::Pending).await;
    assert_eq!(again.info.letter.as_ref().unwrap().id, first.info.letter.as_ref().unwrap().id);
    let errors: Vec<String> = [0, 2].iter().map(|offset| format!("invalid order, at {topic}/0/{offset}")).collect();
    let mut found = ledger(&again);
    found.retain(|error| !error.is_empty());
    assert_eq!(found, errors);

    let content = Content { payload: "valid order".into(), ..Content::clone(&again.content) };
    let (queue, letter) = (dead.queue.clone(), again.info.letter.as_ref().unwrap().id);
    let content = Some(Arc::new(content));
    dead.store.edit(Edit { queue, letter, content, policy: None, max_retries: None, priority: None }).await.unwrap();
    assert!(dead.retry(&processor, &again).await.is_success());
    stop_after_commits(consumer, &[4]).await;
    ingest.stop().await;
    let last: &FoundRecord = &cluster.read(&topic, true)[3];
    assert_eq!((last.text().as_str(), &last.headers[0]), ("valid order", &header));
    assert_eq!(last.header("redrive-replay-count").as_deref(), Some("2"));
    assert_eq!(handler.count(), 4);
    assert_eq!(queue_counts(&dead).await, (1, 0, 1), "one letter was made, and it is completed");
    assert_eq!(cluster.letters(&topic).len(), 2);
}

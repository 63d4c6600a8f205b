//! Letters: what is in them, where they go, and what happens if they cannot go there.

use redrive_core::{Category, Evidence, Failure};
use redrive_kafka::{DlqTarget, KafkaConsumer, KafkaSettings, RecordState, ShutdownPolicy};
use redrive_run::Call;

use crate::fixture::{
    Cluster, FoundRecord, Gate, MemoryQueue, NewRecord, Recorder, blocking, commits, not_found, process,
    stop_after_commits, wait_for, wait_for_commits, wait_until,
};

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Fails for good for every record whose value begins with `dead`.
pub(super) fn failing() -> Recorder {
    Recorder::new(|call: &Call| if call.content.payload.starts_with(b"dead") { Err(not_found()) } else { Ok(()) })
}

// Content

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_letter_equals_its_record_in_key_value_headers_and_timestamp() {
    let (cluster, topic) = Cluster::with_topic("content", 1).await;
    let headers = |names: &[(&str, Option<&str>)]| {
        names.iter().map(|(name, value)| ((*name).to_owned(), value.map(|value| value.as_bytes().to_vec()))).collect()
    };
    let binary: Vec<u8> = (0..=255).collect();
    let records = [
        NewRecord {
            key: Some(b"key".to_vec()),
            value: Some(b"value".to_vec()),
            headers: headers(&[("b", Some("1")), ("a", Some("2")), ("b", Some("3")), ("a", None), ("", Some(""))]),
            timestamp: Some(1_234_567_890_123),
            ..NewRecord::default()
        },
        // A tombstone.
        NewRecord { key: Some(b"gone".to_vec()), timestamp: Some(1_000), ..NewRecord::default() },
        NewRecord { value: Some(b"without a key".to_vec()), timestamp: Some(2_000), ..NewRecord::default() },
        NewRecord { key: Some(Vec::new()), value: Some(Vec::new()), timestamp: Some(3_000), ..NewRecord::default() },
        // Neither key nor value.
        NewRecord { headers: headers(&[("only", None)]), timestamp: Some(4_000), ..NewRecord::default() },
        NewRecord { key: Some(binary.clone()), value: Some(binary), timestamp: Some(5_000), ..NewRecord::default() },
        // The names of the added headers, as a letter has that was sent back to its topic.
        NewRecord {
            key: Some(b"again".to_vec()),
            value: Some(b"dead".to_vec()),
            headers: headers(&[("source-topic", Some("old")), ("offset", Some("7")), ("x-retry-attempt", Some("9"))]),
            timestamp: Some(6_000),
            ..NewRecord::default()
        },
    ];
    cluster.produce(&topic, &records);
    let handler = Recorder::new(|_| Err(not_found()));
    let settings = cluster.settings(&topic);
    let group = settings.group_id.clone();
    let consumer = KafkaConsumer::start(settings, handler, None).await.unwrap();
    let epoch = wait_for("the partition is assigned", &consumer, |snapshot| snapshot.partitions.len() == 1).await;
    let epoch = epoch.partitions[0].epoch.to_string();
    stop_after_commits(consumer, &[7]).await;
    let sources = cluster.read(&topic, true);
    let mut letters = cluster.letters(&topic);
    assert_eq!((sources.len(), letters.len()), (7, 7));
    letters.sort_by_key(|letter| letter.source().2);
    for (source, letter) in sources.iter().zip(&letters) {
        let offset = source.offset.to_string();
        assert_eq!((&letter.key, &letter.value), (&source.key, &source.value), "{offset}");
        assert_eq!(letter.timestamp, source.timestamp, "{offset}");
        let (original, added) = letter.headers.split_at(source.headers.len());
        assert_eq!(original, source.headers);
        let timestamp = source.timestamp.unwrap().to_string();
        let expected = [
            ("x-error-reason", "no such order"),
            ("x-retry-attempt", "1"),
            ("source-topic", &topic),
            ("partition", "0"),
            ("offset", &offset),
            ("epoch", &epoch),
            ("x-consumer-group", &group),
            ("x-original-timestamp", &timestamp),
        ];
        let added: Vec<(&str, String)> =
            added.iter().map(|(name, value)| (name.as_str(), text(value.as_ref().unwrap()))).collect();
        assert_eq!(added, expected.map(|(name, value)| (name, value.to_owned())));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_error_text_is_bounded_and_the_error_type_is_named() {
    let (cluster, topic) = Cluster::with_topic("error", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead")]);
    let handler = Recorder::new(|_| Err(Failure::of_kind("OrderError".parse().unwrap(), "ä\n".repeat(20_000))));
    process(cluster.settings(&topic), handler, None, &[1]).await;
    let letter = cluster.letters(&topic).remove(0);
    let reason = letter.header("x-error-reason").unwrap();
    assert!(reason.starts_with("ä\nä") && reason.chars().count() <= 2_000, "{}", reason.chars().count());
    assert_eq!(letter.header("x-error-type").unwrap(), "OrderError");
}

/// A letter is found where the producers of the record look for its key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_of_a_key_are_in_one_partition_in_the_order_of_their_records() {
    let (cluster, topic) = Cluster::with_topic("partitions", 4).await;
    let records = (0..60).map(|number| NewRecord::keyed(&format!("k{}", number % 6), &format!("dead {number:02}")));
    cluster.produce(&topic, records);
    let consumer = KafkaConsumer::start(cluster.settings(&topic), failing(), None).await.unwrap();
    wait_for("all letters are stored", &consumer, |snapshot| snapshot.letters == 60).await;
    consumer.stop().await;
    let letters = cluster.letters(&topic);
    assert_eq!(letters.len(), 60);
    for key in (0..6).map(|key| format!("k{key}").into_bytes()) {
        let mut of_key: Vec<&FoundRecord> = letters.iter().filter(|letter| letter.key == Some(key.clone())).collect();
        of_key.sort_by_key(|letter| letter.offset);
        let partition = of_key[0].partition;
        assert!(of_key.iter().all(|letter| letter.partition == partition && letter.source().1 == partition));
        assert!(of_key.iter().map(|letter| letter.text()).is_sorted());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_are_complete_under_memory_pressure() {
    let (cluster, topic) = Cluster::with_topic("pressure", 1).await;
    let value = |number: usize| format!("dead {number} {}", "x".repeat(20_000));
    cluster.produce(&topic, (0..100).map(|number| NewRecord::keyed(&format!("k{}", number % 10), &value(number))));
    let settings = KafkaSettings {
        queue_max_bytes: 100_000,
        queue_max_messages: 4,
        poll_batch_size: 2,
        ..cluster.settings(&topic)
    };
    process(settings, failing(), None, &[100]).await;
    let mut letters = cluster.letters(&topic);
    letters.sort_by_key(|letter| letter.source().2);
    let found: Vec<String> = letters.iter().map(FoundRecord::text).collect();
    assert_eq!(found, (0..100).map(value).collect::<Vec<_>>());
}

// Destinations

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_go_to_the_topic_of_their_category() {
    let (cluster, topic) = Cluster::with_topic("routed", 1).await;
    let invalid = cluster.name("invalid");
    cluster.create(&invalid, 1, &[("retention.ms", "-1")]).await;
    cluster
        .produce(&topic, &[NewRecord::keyed("a", "400"), NewRecord::keyed("b", "403"), NewRecord::keyed("c", "422")]);
    let settings =
        KafkaSettings { dlq_routes: [(Category::Validation, invalid.clone())].into(), ..cluster.settings(&topic) };
    let handler = Recorder::new(|call| {
        let status = text(&call.content.payload).parse().unwrap();
        Err(Failure::new("rejected").with_evidence(Evidence::http(status)))
    });
    process(settings, handler, None, &[3]).await;
    let texts = |letters: Vec<FoundRecord>| letters.iter().map(FoundRecord::text).collect::<Vec<_>>();
    let mut routed = texts(cluster.read(&invalid, true));
    routed.sort();
    assert_eq!(routed, ["400", "422"]);
    assert_eq!(texts(cluster.letters(&topic)), ["403"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_of_two_topics_go_to_the_dlq_topic_of_each() {
    let cluster = Cluster::shared();
    let (first, second) = (cluster.topic("first", 1).await, cluster.topic("second", 1).await);
    for topic in [&first, &second] {
        cluster.produce(topic, &[NewRecord::keyed("a", &format!("dead {topic}"))]);
    }
    let topics = vec![first.clone(), second.clone()];
    let settings = KafkaSettings { topics, ..cluster.settings("both") };
    let consumer = KafkaConsumer::start(settings, failing(), None).await.unwrap();
    wait_for("both letters are stored", &consumer, |snapshot| snapshot.letters == 2).await;
    consumer.stop().await;
    for topic in [&first, &second] {
        let letters = cluster.letters(topic);
        assert_eq!(letters.len(), 1);
        assert_eq!(letters[0].text(), format!("dead {topic}"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_dlq_a_failed_record_is_done_and_needs_no_dlq_topic() {
    let (cluster, topic) = Cluster::with_bare_topic("nodlq", 1).await;
    cluster.produce(&topic, ["1", "dead", "2"].map(|value| NewRecord::keyed("a", value)));
    let settings = KafkaSettings { dlq_enabled: false, ..cluster.settings(&topic) };
    let handler = failing();
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for_commits(&consumer, &[3]).await;
    assert_eq!(handler.values(), ["1", "dead", "2"]);
    let snapshot = consumer.snapshot();
    assert!(snapshot.is_healthy() && snapshot.letters == 0);
    consumer.stop().await;
    assert!(!cluster.exists(&format!("{topic}.dlq")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_go_into_a_dead_queue_with_the_whole_record() {
    let (cluster, topic) = Cluster::with_bare_topic("queue", 1).await;
    let headers = vec![("h".to_owned(), Some(b"1".to_vec())), ("h".to_owned(), Some(b"2".to_vec()))];
    cluster.produce(
        &topic,
        &[
            NewRecord { headers, timestamp: Some(1_234_000), ..NewRecord::keyed("a", "dead 1") },
            NewRecord { key: Some(b"tombstone".to_vec()), ..NewRecord::default() },
            NewRecord::keyed("a", "2"),
        ],
    );
    let queue = MemoryQueue::create().await;
    let settings = KafkaSettings { dlq_target: DlqTarget::Queue, ..cluster.settings(&topic) };
    let group = settings.group_id.clone();
    let handler = Recorder::new(|call: &Call| match &*call.content.payload {
        b"2" => Ok(()),
        _ => Err(not_found()),
    });
    process(settings, handler, Some(queue.dead_queue()), &[3]).await;
    let mut letters = queue.letters().await;
    letters.sort_by_key(|letter| letter.context.as_ref().unwrap().origin.offset);
    assert_eq!(letters.len(), 2);
    let (content, context) = (&letters[0].content, letters[0].context.as_ref().unwrap());
    assert_eq!((content.key.as_deref(), &*content.payload), (Some(b"a".as_slice()), b"dead 1".as_slice()));
    let values: Vec<&[u8]> = content.headers.iter().map(|header| &*header.value).collect();
    assert_eq!(values, [b"1", b"2"]);
    let origin = &context.origin;
    assert_eq!((&*origin.transport, &*origin.name), ("kafka", topic.as_str()));
    assert_eq!((origin.partition, origin.offset, origin.consumer.as_deref()), (Some(0), Some(0), Some(group.as_str())));
    assert_eq!(origin.timestamp.unwrap().as_micros(), 1_234_000_000);
    assert_eq!(letters[0].attempts[0].error, "no such order");
    let tombstone = &letters[1];
    assert_eq!(tombstone.context.as_ref().unwrap().metadata["kafka_tombstone"], true);
}

#[tokio::test]
async fn a_dead_queue_as_the_target_is_required_if_it_is_configured() {
    let settings = KafkaSettings { dlq_target: DlqTarget::Queue, ..Cluster::shared().settings("orders") };
    let error = KafkaConsumer::start(settings, failing(), None).await.unwrap_err().to_string();
    assert_eq!(error, "dlq_target is invalid: 'queue'; allowed: topic: the consumer was opened without a dead queue");
}

// Letters that the broker rejects

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_letter_that_was_refused_before_names_the_attempt_that_failed() {
    let (cluster, topic) = Cluster::with_refused_letters("refused", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "dead")]);
    let consumer = KafkaConsumer::start(cluster.settings(&topic), failing(), None).await.unwrap();
    let is_refused = |snapshot: &redrive_kafka::ConsumerSnapshot| {
        blocking(snapshot).is_some_and(|record| matches!(record.state, RecordState::HandOverRetry(_)))
    };
    for _ in 0..2 {
        let refused = wait_for("the letter is refused", &consumer, is_refused).await;
        assert_eq!(refused.partitions[0].blocking.as_ref().unwrap().attempt, 1);
        let RecordState::HandOverRetry(at) = refused.partitions[0].blocking.as_ref().unwrap().state else {
            unreachable!("it waits for a hand-over")
        };
        wait_for("the next hand-over has begun", &consumer, |snapshot| {
            let blocking = snapshot.partitions[0].blocking.as_ref();
            !blocking.is_some_and(|record| record.state == RecordState::HandOverRetry(at))
        })
        .await;
    }
    cluster.take_letters(&topic).await;
    stop_after_commits(consumer, &[1]).await;
    let letter = cluster.letters(&topic).remove(0);
    assert_eq!(letter.header("x-retry-attempt").unwrap(), "1");
    assert_eq!(letter.header("x-error-reason").unwrap(), "no such order", "the reason of the failure is kept");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_stays_degraded_while_one_letter_is_refused_and_others_are_taken() {
    let (cluster, topic) = Cluster::with_topic("mixed", 2).await;
    let refusing = cluster.name("refusing");
    let never = [("retention.ms", "-1"), ("message.timestamp.before.max.ms", "0")];
    cluster.create(&refusing, 1, &never).await;
    let settings =
        KafkaSettings { dlq_routes: [(Category::Validation, refusing.clone())].into(), ..cluster.settings(&topic) };
    let handler = Recorder::new(|call| {
        let status = text(&call.content.payload).parse().unwrap();
        Err(Failure::new("rejected").with_evidence(Evidence::http(status)))
    });
    cluster.produce(&topic, &[NewRecord::keyed("a", "400").to(0)]);
    let consumer = KafkaConsumer::start(settings, handler, None).await.unwrap();
    wait_for("health is degraded", &consumer, |snapshot| !snapshot.is_healthy()).await;
    for number in 1..=20 {
        cluster.produce(&topic, &[NewRecord::keyed("b", "403").to(1)]);
        wait_for("the other letter is taken", &consumer, |snapshot| snapshot.letters == number).await;
        let snapshot = consumer.snapshot();
        assert!(!snapshot.is_healthy(), "a letter is still refused: {snapshot:#?}");
    }
    cluster.alter(&refusing, &[("retention.ms", "-1")]).await;
    wait_for("health is restored", &consumer, |snapshot| snapshot.is_healthy() && snapshot.letters == 21).await;
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_that_were_refused_arrive_in_the_order_of_their_key() {
    let (cluster, topic) = Cluster::with_refused_letters("order", 1).await;
    let records = (0..30).map(|number| NewRecord::keyed(&format!("k{}", number % 3), &format!("dead {number:02}")));
    cluster.produce(&topic, records);
    let settings = cluster.settings(&topic);
    let consumer = KafkaConsumer::start(settings.clone(), failing(), None).await.unwrap();
    wait_for("three letters are refused", &consumer, |snapshot| {
        snapshot.dlq_pending == 3 && snapshot.queued == 27 && !snapshot.is_healthy()
    })
    .await;
    assert!(!consumer.has_ended());
    cluster.take_letters(&topic).await;
    wait_for_commits(&consumer, &[30]).await;
    assert!(consumer.snapshot().is_healthy());
    consumer.stop().await;
    let letters = cluster.letters(&topic);
    assert_eq!(letters.len(), 30);
    for key in 0..3 {
        let of_key = letters.iter().filter(|letter| letter.key == Some(format!("k{key}").into_bytes()));
        assert!(of_key.map(|letter| letter.source().2).is_sorted());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_leaves_a_refused_letter_uncommitted_for_the_next_owner() {
    let (cluster, topic) = Cluster::with_refused_letters("stopped", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "1"), NewRecord::keyed("a", "dead"), NewRecord::keyed("b", "2")]);
    let settings = KafkaSettings { shutdown_policy: ShutdownPolicy::Abort, ..cluster.settings(&topic) };
    let consumer = KafkaConsumer::start(settings.clone(), failing(), None).await.unwrap();
    wait_for("the letter is refused", &consumer, |snapshot| {
        !snapshot.is_healthy() && commits(snapshot) == [Some(1)] && snapshot.partitions[0].metadata_bytes > 0
    })
    .await;
    consumer.stop().await;
    assert_eq!(cluster.committed(&settings.group_id, &topic, 1)[&0].0, 1);
    cluster.take_letters(&topic).await;
    let handler = failing();
    process(settings, handler.clone(), None, &[3]).await;
    assert_eq!(handler.values(), ["dead"], "the record was processed again, and the done one was not");
    assert_eq!(cluster.letters(&topic).len(), 1);
}

/// A refused letter must not use up the slots of the handlers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_refused_letters_than_slots_do_not_stop_other_records() {
    let (cluster, topic) = Cluster::with_refused_letters("slots", 1).await;
    let dead = (0..40).map(|key| NewRecord::keyed(&format!("dead {key}"), "dead"));
    let good = (0..100).map(|key| NewRecord::keyed(&format!("good {}", key % 10), "good"));
    cluster.produce(&topic, dead.chain(good));
    let settings = KafkaSettings {
        max_in_flight: 4,
        // Each publish takes a while, as with a broker that does not answer.
        producer_properties: [("linger.ms".to_owned(), "50".to_owned())].into(),
        ..cluster.settings(&topic)
    };
    let gate = Gate::new(failing(), |_| false);
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for("all good records are done", &consumer, |snapshot| {
        snapshot.dlq_pending == 40 && snapshot.queued == 0 && gate.inner.count() == 140
    })
    .await;
    cluster.take_letters(&topic).await;
    stop_after_commits(consumer, &[140]).await;
    wait_until("all letters are stored", async || cluster.letters(&topic).len() == 40).await;
}

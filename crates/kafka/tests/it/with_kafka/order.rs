//! Which records wait for each other, and which run first.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use redrive_core::Span;
use redrive_kafka::{KafkaConsumer, KafkaSettings, OrderingMode, RecordState};

use crate::fixture::{
    Cluster, Gate, NewRecord, Recorder, Seen, blocking, busy, is_value, not_found, stop_after_commits, wait_for,
    wait_for_commits, wait_until,
};

/// The values of each key, in the order of the calls.
fn by_key(calls: &[Seen]) -> BTreeMap<Option<Vec<u8>>, Vec<&str>> {
    let mut keys: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for call in calls {
        keys.entry(call.key.clone()).or_default().push(&call.value);
    }
    keys
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_record_of_a_key_runs_at_a_time_and_keys_run_together() {
    let (cluster, topic) = Cluster::with_topic("keys", 1).await;
    let record = |number: i32| NewRecord::keyed(&format!("k{}", number % 3), &format!("{number:02}"));
    cluster.produce(&topic, (0..15).map(record));
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(cluster.settings(&topic), gate.clone(), None).await.unwrap();
    for round in 1..=5 {
        // The rest is queued behind one running record of each key.
        let queued = 15 - 3 * round;
        wait_for("one record of each key runs", &consumer, |snapshot| {
            gate.started().len() == 3 * round && (snapshot.running, snapshot.queued) == (3, queued)
        })
        .await;
        gate.open(3);
    }
    wait_for_commits(&consumer, &[15]).await;
    for values in by_key(&gate.started()).values() {
        assert!(values.is_sorted() && values.len() == 5, "{values:?}");
    }
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_ordered_within_its_partition_and_topic_only() {
    let cluster = Cluster::shared();
    let (first, second) = (cluster.topic("first", 2).await, cluster.topic("second", 1).await);
    cluster.produce(&first, &[NewRecord::keyed("same", "a").to(0), NewRecord::keyed("same", "b").to(1)]);
    cluster.produce(&second, &[NewRecord::keyed("same", "c")]);
    let settings = KafkaSettings { topics: vec![first, second], ..cluster.settings("both") };
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for("all three run together", &consumer, |snapshot| snapshot.running == 3).await;
    gate.open_for_all();
    consumer.stop().await;
    assert_eq!(gate.inner.count(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_without_a_key_wait_for_none_and_the_empty_key_is_a_key() {
    let (cluster, topic) = Cluster::with_topic("nulls", 1).await;
    let without: Vec<NewRecord> = (0..6).map(|number| NewRecord::without_key(&format!("null {number}"))).collect();
    let empty: Vec<NewRecord> = (0..6).map(|number| NewRecord::keyed("", &format!("empty {number}"))).collect();
    cluster.produce(&topic, [without, empty].concat());
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(cluster.settings(&topic), gate.clone(), None).await.unwrap();
    wait_for("six without a key and one with the empty key run", &consumer, |snapshot| {
        (snapshot.running, snapshot.queued) == (7, 5) && gate.started().len() == 7
    })
    .await;
    let started = gate.started();
    assert_eq!(by_key(&started)[&Some(Vec::new())], ["empty 0"]);
    assert_eq!(by_key(&started)[&None].len(), 6);
    gate.open_for_all();
    wait_for_commits(&consumer, &[12]).await;
    let calls = gate.inner.seen();
    assert!(by_key(&calls)[&Some(Vec::new())].is_sorted(), "{calls:?}");
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn partition_mode_runs_one_record_of_each_partition() {
    let (cluster, topic) = Cluster::with_topic("partitions", 2).await;
    let keyed = (0..10).map(|number| NewRecord::keyed(&format!("k{number}"), &format!("{number}")).to(number % 2));
    cluster.produce(&topic, keyed.chain([NewRecord::without_key("x").to(0), NewRecord::without_key("y").to(1)]));
    let settings = KafkaSettings { ordering_mode: OrderingMode::Partition, ..cluster.settings(&topic) };
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    for round in 1..=6 {
        wait_for("one record of each partition runs", &consumer, |snapshot| {
            gate.started().len() == 2 * round && (snapshot.running, snapshot.queued) == (2, 12 - 2 * round)
        })
        .await;
        gate.open(2);
    }
    wait_for_commits(&consumer, &[6, 6]).await;
    for partition in [0, 1] {
        let calls = gate.started();
        let offsets = calls.iter().filter(|call| call.partition == partition).map(|call| call.offset);
        assert!(offsets.is_sorted(), "{calls:?}");
    }
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_partition_mode_a_partition_waits_for_a_retry_and_others_do_not() {
    let (cluster, topic) = Cluster::with_topic("partitions", 2).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "fails").to(0), NewRecord::keyed("b", "waits").to(0)]);
    cluster.produce(&topic, ["1", "2", "3"].map(|value| NewRecord::keyed("c", value).to(1)));
    let settings = KafkaSettings { ordering_mode: OrderingMode::Partition, ..cluster.settings_without_retries(&topic) };
    let handler = Recorder::new(|call| if is_value(call, "fails") { Err(busy()) } else { Ok(()) });
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    let snapshot = wait_for("the other partition is done", &consumer, |snapshot| {
        snapshot.waiting == 1 && snapshot.partitions.iter().any(|partition| partition.committed == Some(3))
    })
    .await;
    assert_eq!((snapshot.queued, snapshot.running), (1, 0));
    assert!(!handler.values().contains(&"waits".to_owned()));
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unordered_records_of_one_key_run_together() {
    let (cluster, topic) = Cluster::with_topic("unordered", 1).await;
    cluster.produce(&topic, (0..10).map(|number| NewRecord::keyed("same", &format!("{number}"))));
    let settings = KafkaSettings { ordering_mode: OrderingMode::Unordered, ..cluster.settings(&topic) };
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for("all run", &consumer, |snapshot| snapshot.running == 10 && gate.started().len() == 10).await;
    gate.open_for_all();
    stop_after_commits(consumer, &[10]).await;
}

/// A delay that holds a slot would stop everything here: there are five times more failing records than slots.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_failing_records_than_slots_do_not_stop_other_keys() {
    let (cluster, topic) = Cluster::with_topic("failing", 1).await;
    let failing = |round: u32| (0..20).map(move |key| NewRecord::keyed(&format!("bad {key}"), &format!("bad {round}")));
    let good = (0..60).map(|number| NewRecord::keyed(&format!("good {}", number % 20), &format!("{number:02}")));
    cluster.produce(&topic, failing(1).chain(failing(2)).chain(good));
    let settings = KafkaSettings { max_in_flight: 4, ..cluster.settings_without_retries(&topic) };
    let handler = Recorder::new(|call| if call.content.payload.starts_with(b"bad") { Err(busy()) } else { Ok(()) });
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for("all good records are done", &consumer, |snapshot| {
        (snapshot.waiting, snapshot.queued, snapshot.running) == (20, 20, 0)
    })
    .await;
    let calls = handler.seen();
    assert_eq!(calls.iter().filter(|call| call.value == "bad 1").count(), 20, "each failed once");
    assert_eq!(calls.iter().filter(|call| call.value == "bad 2").count(), 0, "a later record of a failing key ran");
    assert_eq!(calls.len(), 80);
    for (key, values) in by_key(&calls) {
        assert!(values.is_sorted(), "{key:?}: {values:?}");
    }
    let committed = consumer.snapshot().partitions[0].committed;
    assert!(committed.is_none_or(|position| position == 0), "{committed:?}");
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_record_of_a_key_starts_after_the_report_of_the_letter() {
    let (cluster, topic) = Cluster::with_refused_letters("letters", 1).await;
    cluster.produce(
        &topic,
        &[NewRecord::keyed("a", "dead"), NewRecord::keyed("a", "next"), NewRecord::keyed("b", "other")],
    );
    let letters_at_start = Arc::new(Mutex::new(None));
    let seen = Arc::clone(&letters_at_start);
    let (observer, dlq) = (cluster.clone(), format!("{topic}.dlq"));
    let handler = Recorder::new(move |call| {
        if is_value(call, "dead") {
            return Err(not_found());
        }
        if is_value(call, "next") {
            *seen.lock().unwrap() = Some(observer.end(&dlq, 0));
        }
        Ok(())
    });
    let consumer = KafkaConsumer::start(cluster.settings(&topic), handler.clone(), None).await.unwrap();
    wait_for("the letter is refused again", &consumer, |snapshot| {
        let is_refused = blocking(snapshot).is_some_and(|record| matches!(record.state, RecordState::HandOverRetry(_)));
        is_refused && handler.values().contains(&"other".to_owned())
    })
    .await;
    assert_eq!(cluster.end(&format!("{topic}.dlq"), 0), 0);
    assert!(!handler.values().contains(&"next".to_owned()), "it ran before the letter was stored");
    let position = consumer.snapshot().partitions[0].committed;
    assert!(position.is_none_or(|position| position == 0), "committed {position:?} before the letter was stored");
    cluster.take_letters(&topic).await;
    wait_for_commits(&consumer, &[3]).await;
    assert_eq!(*letters_at_start.lock().unwrap(), Some(1), "the letter was stored when the next record began");
    assert_eq!(handler.count(), 3, "no attempt was repeated: {:?}", handler.seen());
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_due_retry_that_blocks_its_partition_runs_before_the_queue() {
    let (cluster, topic) = Cluster::with_topic("blocking", 1).await;
    let queue = (0..100).map(|number| NewRecord::keyed(&format!("k{number}"), "queued"));
    cluster.produce(&topic, [NewRecord::keyed("first", "blocks")].into_iter().chain(queue));
    let inner = Recorder::new(|call| match call.attempt {
        1 if is_value(call, "blocks") => Err(busy()),
        _ => Ok(()),
    });
    let gate = Gate::new(inner, |call| is_value(call, "queued"));
    let settings = KafkaSettings { max_in_flight: 1, ..cluster.settings(&topic) };
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for("the retry is due, and the only slot is taken", &consumer, |snapshot| {
        let is_due =
            blocking(snapshot).is_some_and(|record| record.attempt == 1 && record.age > Span::from_millis(100));
        is_due && snapshot.running > 0 && gate.started().len() > 1
    })
    .await;
    // Records that the runner has claimed ahead may run first.
    gate.open(4);
    wait_until("the retry runs", async || gate.inner.seen().iter().any(|call| call.attempt == 2)).await;
    gate.open_for_all();
    stop_after_commits(consumer, &[101]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_queue_of_one_partition_does_not_delay_another_partition() {
    let (cluster, topic) = Cluster::with_topic("fair", 2).await;
    let hot = (0..500).map(|number| NewRecord::keyed(&format!("k{}", number % 50), "hot").to(0));
    let quiet = (0..3).map(|number| NewRecord::keyed(&format!("k{number}"), "quiet").to(1));
    cluster.produce(&topic, hot.chain(quiet));
    let settings = KafkaSettings { max_in_flight: 2, ..cluster.settings(&topic) };
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for("all records are read", &consumer, |snapshot| snapshot.running + snapshot.queued == 503).await;
    // Enough for what was claimed before the quiet partition was read, and a few turns.
    gate.open(60);
    wait_until("the quiet partition is done", async || {
        gate.inner.seen().iter().filter(|call| call.value == "quiet").count() == 3
    })
    .await;
    gate.open_for_all();
    stop_after_commits(consumer, &[500, 3]).await;
}

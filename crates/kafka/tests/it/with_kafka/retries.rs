//! Attempts: how many, when, and how they end.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use redrive_core::Span;
use redrive_kafka::{KafkaConsumer, KafkaSettings, RecordState, ShutdownPolicy};
use redrive_run::{Call, Handled};
use redrive_store::{Clock, SystemClock};
use tokio::time::Instant;

use crate::fixture::{
    Cluster, FoundRecord, Gate, NewRecord, Recorder, blocking, busy, is_value, not_found, process, wait_for,
    wait_for_commits, wait_until,
};

/// Processes one record, and returns its letter.
async fn letter_of(
    cluster: &Cluster,
    handler: impl redrive_run::Handler,
    change: impl FnOnce(KafkaSettings) -> KafkaSettings,
) -> FoundRecord {
    let topic = cluster.topic("one", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("k", "v")]);
    process(change(cluster.settings(&topic)), handler, None, &[1]).await;
    cluster.only_letter(&topic)
}

fn header(letter: &FoundRecord, name: &str) -> String {
    letter.header(name).unwrap()
}

#[tokio::test]
async fn zero_retries_are_rejected_with_the_value_to_use() {
    let settings = KafkaSettings { max_retries: 0, ..Cluster::shared().settings("orders") };
    let error = KafkaConsumer::start(settings, Recorder::done(), None).await.unwrap_err().to_string();
    assert_eq!(error, "max_retries is invalid: '0'; allowed: 1 or more; for no retry, use 1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn max_retries_is_the_number_of_the_last_attempt() {
    join_all([1, 2, 7].map(async |max_retries| {
        let handler = Recorder::new(|_| Err(busy()));
        let cluster = Cluster::shared();
        let letter = letter_of(&cluster, handler.clone(), |settings| KafkaSettings { max_retries, ..settings }).await;
        let attempts: Vec<u32> = handler.seen().iter().map(|call| call.attempt).collect();
        assert_eq!(attempts, (1..=max_retries).collect::<Vec<_>>());
        assert_eq!(header(&letter, "x-retry-attempt"), max_retries.to_string());
        assert_eq!(header(&letter, "x-error-reason"), "busy");
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_permanent_error_ends_at_the_first_attempt() {
    let handler = Recorder::new(|_| Err(not_found()));
    let letter = letter_of(&Cluster::shared(), handler.clone(), |settings| settings).await;
    assert_eq!(handler.count(), 1);
    assert_eq!(header(&letter, "x-retry-attempt"), "1");
    assert_eq!(header(&letter, "x-error-reason"), "no such order");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_permanent_error_after_a_retry_names_its_own_attempt() {
    let handler = Recorder::new(|call| match call.attempt {
        1 => Err(busy()),
        _ => Err(not_found()),
    });
    let letter = letter_of(&Cluster::shared(), handler.clone(), |settings| settings).await;
    assert_eq!((handler.count(), header(&letter, "x-retry-attempt").as_str()), (2, "2"));
    assert_eq!(header(&letter, "x-error-reason"), "no such order");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_timeout_is_a_failed_attempt() {
    join_all([1, 2].map(async |max_retries| {
        let gate = Gate::closed();
        let task_timeout = Span::from_millis(100);
        let letter = letter_of(&Cluster::shared(), gate.clone(), |settings| KafkaSettings {
            max_retries,
            task_timeout,
            ..settings
        })
        .await;
        assert_eq!(gate.started().len(), usize::try_from(max_retries).unwrap());
        assert_eq!(header(&letter, "x-retry-attempt"), max_retries.to_string());
        assert_eq!(header(&letter, "x-error-reason"), "the attempt timed out after 100ms");
        assert_eq!(gate.inner.count(), 0, "a timed-out handler went on");
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_times_out_once_is_done_by_the_next_attempt() {
    let (cluster, topic) = Cluster::with_topic("timeout", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "1"), NewRecord::keyed("a", "2")]);
    let gate = Gate::new(Recorder::done(), |call| call.attempt == 1 && is_value(call, "1"));
    let settings = KafkaSettings { task_timeout: Span::from_millis(200), ..cluster.settings(&topic) };
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for_commits(&consumer, &[2]).await;
    let calls: Vec<(String, u32)> = gate.inner.seen().into_iter().map(|call| (call.value, call.attempt)).collect();
    assert_eq!(calls, [("1".to_owned(), 2), ("2".to_owned(), 1)]);
    let report = consumer.stop().await;
    assert_eq!((report.retried, report.done, report.dead_lettered), (1, 2, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_is_a_failed_attempt_and_stops_nothing() {
    let (cluster, topic) = Cluster::with_topic("panic", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "boom"), NewRecord::keyed("a", "1"), NewRecord::keyed("b", "2")]);
    let handler = Recorder::new(|call| if is_value(call, "boom") { panic!("division by zero") } else { Ok(()) });
    let consumer = KafkaConsumer::start(cluster.settings(&topic), handler.clone(), None).await.unwrap();
    wait_for_commits(&consumer, &[3]).await;
    assert!(consumer.snapshot().is_healthy() && !consumer.has_ended());
    consumer.stop().await;
    let letter = cluster.only_letter(&topic);
    assert_eq!(header(&letter, "x-error-reason"), "the handler panicked: division by zero");
    let attempts = handler.seen().iter().filter(|call| call.value == "boom").count();
    assert_eq!(header(&letter, "x-retry-attempt"), attempts.to_string());
}

/// When each attempt of the only record began.
async fn attempt_times(cluster: &Cluster, change: impl FnOnce(KafkaSettings) -> KafkaSettings) -> Vec<Duration> {
    let times: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let of_handler = Arc::clone(&times);
    let handler = Recorder::new(move |_| {
        of_handler.lock().unwrap().push(Instant::now());
        Err(busy())
    });
    letter_of(cluster, handler, change).await;
    let times = times.lock().unwrap();
    times.windows(2).map(|pair| pair[1].duration_since(pair[0])).collect()
}

/// An attempt is never early, and late by no more than a busy machine explains.
fn assert_delays(delays: &[Duration], expected: &[u64], jitter: u64) {
    const LATE: u64 = 350;
    assert_eq!(delays.len(), expected.len());
    for (delay, expected) in delays.iter().zip(expected) {
        let (least, most) = (Duration::from_millis(*expected), Duration::from_millis(expected + jitter + LATE));
        assert!((least..most).contains(delay), "{delays:?}, not {expected:?} ms");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delays_double_up_to_the_cap() {
    let delays = attempt_times(&Cluster::shared(), |settings| KafkaSettings {
        max_retries: 4,
        retry_backoff: Span::from_millis(150),
        max_retry_backoff: Span::from_millis(400),
        ..settings
    })
    .await;
    assert_delays(&delays, &[150, 300, 400], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delays_stay_equal_without_exponential_backoff() {
    let delays = attempt_times(&Cluster::shared(), |settings| KafkaSettings {
        max_retries: 4,
        exponential_backoff: false,
        retry_backoff: Span::from_millis(200),
        max_retry_backoff: Span::from_secs(30),
        ..settings
    })
    .await;
    assert_delays(&delays, &[200, 200, 200], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jitter_only_lengthens_a_delay() {
    let delays = attempt_times(&Cluster::shared(), |settings| KafkaSettings {
        max_retries: 6,
        exponential_backoff: false,
        retry_backoff: Span::from_millis(50),
        retry_jitter: Span::from_millis(200),
        ..settings
    })
    .await;
    assert_delays(&delays, &[50; 5], 200);
    assert!(delays.iter().any(|delay| *delay > Duration::from_millis(70)), "no jitter: {delays:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_waits_for_its_retry_frees_its_slot() {
    let (cluster, topic) = Cluster::with_topic("slot", 1).await;
    let others = (0..10).map(|number| NewRecord::keyed("b", &number.to_string()));
    cluster.produce(&topic, [NewRecord::keyed("a", "fails")].into_iter().chain(others));
    let settings = KafkaSettings {
        max_in_flight: 1,
        retry_backoff: Span::from_secs(2),
        max_retry_backoff: Span::from_secs(2),
        ..cluster.settings(&topic)
    };
    let handler = Recorder::new(|call| if call.attempt == 1 && is_value(call, "fails") { Err(busy()) } else { Ok(()) });
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    let snapshot = wait_for("the others are done", &consumer, |_| handler.count() == 11).await;
    let blocking = snapshot.partitions[0].blocking.clone().unwrap();
    assert!(matches!(blocking.state, RecordState::Retry(_)) && blocking.offset == 0, "{blocking:?}");
    wait_for_commits(&consumer, &[11]).await;
    assert_eq!(handler.seen().iter().map(|call| call.attempt).collect::<Vec<_>>(), [[1; 11].as_slice(), &[2]].concat());
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_blocks_its_partition_for_too_long_becomes_a_letter() {
    let (cluster, topic) = Cluster::with_topic("forced", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "fails"), NewRecord::keyed("a", "next")]);
    let settings =
        KafkaSettings { max_blocking_duration: Span::from_millis(400), ..cluster.settings_without_retries(&topic) };
    let handler = Recorder::new(|call| if is_value(call, "fails") { Err(busy()) } else { Ok(()) });
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for_commits(&consumer, &[2]).await;
    assert_eq!(consumer.snapshot().forced, 1);
    assert_eq!(handler.values(), ["fails", "next"]);
    consumer.stop().await;
    let letter = cluster.only_letter(&topic);
    assert_eq!(letter.text(), "fails");
    assert_eq!(header(&letter, "x-retry-attempt"), "1", "one attempt was made");
    let reason = header(&letter, "x-error-reason");
    assert!(reason.contains("blocked its partition for longer than 400ms"), "{reason}");
}

/// The duration counts from when the record blocks, and not from its arrival.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_only_waits_behind_another_is_not_forced() {
    let (cluster, topic) = Cluster::with_topic("behind", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "slow"), NewRecord::keyed("a", "next")]);
    let settings = KafkaSettings { max_blocking_duration: Span::from_millis(300), ..cluster.settings(&topic) };
    let gate = Gate::new(Recorder::done(), |call| is_value(call, "slow"));
    let consumer = KafkaConsumer::start(settings, gate.clone(), None).await.unwrap();
    wait_for("the record has blocked for long", &consumer, |snapshot| {
        blocking(snapshot).is_some_and(|record| record.age > Span::from_millis(600))
    })
    .await;
    gate.open_for_all();
    wait_for_commits(&consumer, &[2]).await;
    assert_eq!((consumer.snapshot().forced, gate.inner.count()), (0, 2));
    let report = consumer.stop().await;
    assert_eq!((report.done, report.dead_lettered), (2, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deferred_record_is_charged_no_attempt() {
    let (cluster, topic) = Cluster::with_topic("deferred", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "1"), NewRecord::keyed("a", "2")]);
    let attempts: Arc<Mutex<Vec<u32>>> = Arc::default();
    let of_handler = Arc::clone(&attempts);
    let handler = move |call: Call| {
        let mut attempts = of_handler.lock().unwrap();
        attempts.push(call.attempt);
        let is_deferred = attempts.len() < 6;
        let until = SystemClock.now().saturating_add(Span::from_millis(20));
        async move { if is_deferred { Handled::Deferred { until } } else { Handled::DONE } }
    };
    let settings = KafkaSettings { max_retries: 1, ..cluster.settings(&topic) };
    let consumer = KafkaConsumer::start(settings, handler, None).await.unwrap();
    wait_for_commits(&consumer, &[2]).await;
    assert_eq!(*attempts.lock().unwrap(), [1; 7]);
    let report = consumer.stop().await;
    assert_eq!((report.deferred, report.done, report.dead_lettered), (5, 2, 0));
}

/// The attempt that a shutdown stops is not the fault of its record.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attempt_that_a_shutdown_stops_makes_no_letter() {
    let (cluster, topic) = Cluster::with_topic("aborted", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "slow")]);
    let settings = KafkaSettings { max_retries: 1, shutdown_policy: ShutdownPolicy::Abort, ..cluster.settings(&topic) };
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings.clone(), gate.clone(), None).await.unwrap();
    wait_until("the record runs", async || gate.started().len() == 1).await;
    consumer.stop().await;
    assert_eq!(cluster.letters(&topic).len(), 0);
    assert!(cluster.committed(&settings.group_id, &topic, 1).get(&0).is_none_or(|(position, _)| *position == 0));
    let handler = Recorder::done();
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    wait_for_commits(&consumer, &[1]).await;
    assert_eq!(handler.values(), ["slow"]);
    consumer.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_graceful_stop_waits_for_running_records_and_commits_them() {
    let (cluster, topic) = Cluster::with_topic("graceful", 1).await;
    cluster.produce(&topic, &[NewRecord::keyed("a", "1"), NewRecord::keyed("b", "2"), NewRecord::keyed("a", "3")]);
    let settings = cluster.settings(&topic);
    let gate = Gate::closed();
    let consumer = KafkaConsumer::start(settings.clone(), gate.clone(), None).await.unwrap();
    wait_until("two records run", async || gate.started().len() == 2).await;
    let stopping = tokio::spawn(consumer.stop());
    gate.open_for_all();
    let report = stopping.await.unwrap();
    // The third one may have been claimed before the stop.
    assert!(report.done >= 2 && report.aborted == 0, "{report:?}");
    let done = i64::try_from(report.done).unwrap();
    assert_eq!(cluster.committed(&settings.group_id, &topic, 1)[&0], (done, String::new()));
}

//! The destination of the handler is down for a while: `on_outage = "pause"`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redrive_core::{BreakerConfig, Evidence, Failure, OnOutage, Span};
use redrive_kafka::{KafkaSettings, KafkaSource};
use redrive_run::{Runner, RunnerSettings};

use crate::fixture::{Cluster, FoundRecord, NewRecord, Recorder, commits, wait_until};

fn status(code: u16) -> Failure {
    Failure::new(format!("HTTP {code}")).with_evidence(Evidence::http(code))
}

/// Records `first..first + count`, of which every fiftieth is invalid.
fn records(first: usize, count: usize) -> Vec<NewRecord> {
    let value = |number: usize| if number % 50 == 17 { format!("invalid-{number}") } else { format!("ok-{number}") };
    (first..first + count).map(|number| NewRecord::keyed(&format!("key-{}", number % 40), &value(number))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_under_load_makes_no_letters() {
    const OUTAGE: Duration = Duration::from_secs(4);
    let (cluster, topic) = Cluster::with_topic("outage", 4).await;
    let is_down = Arc::new(AtomicBool::new(false));
    let handler = {
        let is_down = Arc::clone(&is_down);
        Recorder::new(move |call| match &*call.content.payload {
            invalid if invalid.starts_with(b"invalid") => Err(status(422)),
            _ if is_down.load(Ordering::SeqCst) => Err(status(503)),
            _ => Ok(()),
        })
    };
    let settings = KafkaSettings { max_retries: 4, on_outage: OnOutage::Pause, ..cluster.settings(&topic) };
    let source = KafkaSource::open(settings.clone(), None).await.unwrap();
    let breaker = Some(BreakerConfig::new(5, Span::from_secs(1), 1).unwrap());
    let runner = RunnerSettings { breaker, ..settings.runner() };
    let runner = Runner::new(source.clone(), handler.clone(), settings.policy().unwrap(), runner).unwrap();
    let running = runner.start().await.unwrap();

    let mut produced = 200;
    cluster.produce(&topic, records(0, produced));
    wait_until("the first records", async || handler.count() >= produced).await;
    is_down.store(true, Ordering::SeqCst);
    let began = tokio::time::Instant::now();
    while began.elapsed() < OUTAGE {
        cluster.produce(&topic, records(produced, 20));
        produced += 20;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let health = running.health().await;
    assert!(health.is_paused_by_outage && health.is_progressing(), "{health:?}");
    assert_eq!(health.destinations[0].trouble.as_ref().unwrap().error, "HTTP 503");
    is_down.store(false, Ordering::SeqCst);
    cluster.produce(&topic, records(produced, 100));
    produced += 100;
    wait_until("all records", async || {
        let snapshot = source.snapshot();
        let end: i64 = (0..4).map(|partition| cluster.end(&topic, partition)).sum();
        commits(&snapshot).into_iter().flatten().sum::<i64>() == end
    })
    .await;
    assert!(!running.health().await.is_paused_by_outage);
    let report = running.stop(Span::ZERO).await;
    source.close().await;

    let all: Vec<String> =
        records(0, produced).into_iter().map(|record| String::from_utf8(record.value.unwrap()).unwrap()).collect();
    let (invalid, ok): (BTreeSet<String>, BTreeSet<String>) =
        all.into_iter().partition(|value| value.starts_with("invalid"));
    let letters: Vec<String> = cluster.letters(&topic).iter().map(FoundRecord::text).collect();
    assert_eq!(letters.iter().cloned().collect::<BTreeSet<_>>(), invalid);
    assert_eq!(letters.len(), invalid.len());
    let seen = handler.seen();
    assert_eq!(seen.iter().map(|call| call.value.clone()).collect::<BTreeSet<_>>(), &invalid | &ok);
    // A short outage costs an attempt of what it has hit. An invalid record that was answered at its beginning divides it.
    assert_eq!(report.refunded, 0);
    assert!(seen.iter().all(|call| call.attempt <= 3), "attempts were spent in vain");
    let failed = seen.len() - produced;
    assert!(failed < 400, "{failed} calls of a destination that is down");
}

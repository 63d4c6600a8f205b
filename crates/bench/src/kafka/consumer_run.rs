//! One run of the consumer, and the work of handlers that wait, as for a database.

use std::time::Duration;

use anyhow::{Result, ensure};
use redrive_kafka::{ConsumerSnapshot, KafkaConsumer, KafkaSettings};
use redrive_run::{Call, Handler, RunReport};

use super::fixture::KafkaBench;
use super::stopwatch::Stopwatch;

pub(super) const CONCURRENCY: usize = 100;
pub(super) const WORK: Duration = Duration::from_millis(5);

/// What a run did.
pub(super) struct ConsumerRun {
    /// Records per second, from the first to the last.
    pub(super) rate: f64,
    /// The state at the last record.
    pub(super) snapshot: ConsumerSnapshot,
    pub(super) report: RunReport,
}

/// Runs the consumer until the handler has counted all records.
pub(super) async fn run(settings: KafkaSettings, handler: impl Handler, stopwatch: &Stopwatch) -> Result<ConsumerRun> {
    let consumer = KafkaConsumer::start(settings, handler, None).await?;
    let rate = stopwatch.until_over().await;
    let snapshot = consumer.snapshot();
    let report = consumer.stop().await;
    ensure!(snapshot.is_healthy(), "the consumer is in trouble: {:?}", snapshot.troubles);
    Ok(ConsumerRun { rate: rate?, snapshot, report })
}

/// The settings of a consumer with that work.
pub(super) fn settings(bench: &KafkaBench, topic: &str) -> KafkaSettings {
    KafkaSettings { max_in_flight: CONCURRENCY, ..bench.cluster.settings(topic) }
}

/// The records per second of handlers that do that work. None may fail.
pub(super) async fn waiting_rate(settings: KafkaSettings, stopwatch: &Stopwatch) -> Result<f64> {
    let counted = stopwatch.clone();
    let handler = move |_: Call| {
        let counted = counted.clone();
        async move {
            counted.work(WORK).await;
            counted.done();
        }
    };
    let run = run(settings, handler, stopwatch).await?;
    ensure!(run.report.retried == 0 && run.report.lost == 0, "records failed or were lost: {:?}", run.report);
    Ok(run.rate)
}

//! One run of the consumer.

use anyhow::{Result, ensure};
use redrive_kafka::{ConsumerSnapshot, KafkaConsumer, KafkaSettings};
use redrive_run::{Handler, RunReport};

use super::stopwatch::Stopwatch;

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

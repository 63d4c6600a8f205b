//! An ingest of a DLQ topic into a dead queue on disk, beside a plain loop over the same topic.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use redrive_core::{Policy, QueueName};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_kafka::{IngestSettings, KafkaIngest};
use redrive_model::{CreateQueue, GetStats, QueueSettings};
use redrive_run::{DeadQueue, StoreLetterBox};
use redrive_store::Store;

use crate::figure::{Figure, Target, progress};
use crate::folder::Folder;
use crate::kafka::{Backlog, KafkaBench, plain_loop};
use crate::measure::median_of;

const RUNS: usize = 3;
/// The time limit of a run.
const RUN_MAX: Duration = Duration::from_secs(180);
/// The least that is asked of a fast machine.
const LEAST: f64 = 20_000.0;

pub(super) fn figure(bench: &KafkaBench, backlog: &Backlog) -> Result<Figure> {
    progress("ingest of a DLQ topic");
    let rates = median_of(RUNS, || {
        let plain = plain_loop::rate(&bench.cluster, &backlog.topic, backlog.records)?;
        let own = bench.runtime.block_on(rate(bench, backlog))?;
        eprintln!("  {own:.0} letters/s, {plain:.0} records/s by the plain loop");
        Ok((own, plain))
    })?;
    let least = (LEAST / rates.1).min(0.3);
    Ok(Figure::of("ingest", "letters/s of 1 KiB on disk", rates)
        .beside("tuned plain loop", Target::RatioAtLeast(least)))
}

async fn rate(bench: &KafkaBench, backlog: &Backlog) -> Result<f64> {
    let folder = Folder::new("routes-ingest")?;
    let store: Arc<dyn Store> =
        Arc::new(EmbeddedStore::open(&folder.path().join("store"), &EmbeddedOptions::default())?);
    let queue = QueueName::new("dead")?;
    store.create_queue(CreateQueue { settings: QueueSettings::new(queue.clone()) }).await?;
    let letter_box = Arc::new(StoreLetterBox::new(Arc::clone(&store)));
    let consumer = bench.cluster.settings(&backlog.topic);
    let settings = IngestSettings {
        topics: consumer.topics,
        ..IngestSettings::new(consumer.bootstrap_servers, consumer.group_id, String::new())
    };
    let dead_queue = DeadQueue::new(letter_box, queue.clone(), Policy::default());
    let ingest = KafkaIngest::start(settings, dead_queue).await?;
    let limit = Instant::now() + RUN_MAX;
    let letters = async || anyhow::Ok(store.stats(GetStats { queue: queue.clone() }).await?.letters.live());
    let until = async |count| {
        while letters().await? < count {
            ensure!(Instant::now() < limit, "{} letters of {}", letters().await?, backlog.records);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        Ok(Instant::now())
    };
    let (begun, ended) = (until(1).await?, until(backlog.records).await?);
    let report = ingest.stop().await;
    ensure!(report.done >= backlog.records, "not all records were ingested: {report:?}");
    store.close().await?;
    Ok(backlog.records as f64 / ended.duration_since(begun).as_secs_f64())
}

//! Keys of which some are frequent. Records of one key run one after the other, so that the most frequent key sets a
//! bound that no consumer exceeds.

use anyhow::{Result, ensure};
use redrive_kafka::KafkaSettings;
use redrive_run::Call;

use super::fixture::{KafkaBench, RUNS, UNIT};
use super::stopwatch::Stopwatch;
use super::work::{CONCURRENCY, WORK, settings};
use super::{consumer_run, keys};
use crate::figure::{Figure, Reference, Target, progress};
use crate::measure::median;

/// Less than the topic has, so that the frequent keys fill it and the consumer has to wait for space.
const QUEUE_MAX_MESSAGES: usize = 500;
const POLL_BATCH: usize = 100;

struct Skew {
    name: &'static str,
    keys: Vec<u32>,
}

pub(super) fn figures(bench: &KafkaBench) -> Result<Vec<Figure>> {
    // Both take about four seconds.
    let skews = [
        Skew { name: "zipf keys/100", keys: keys::zipf(5_000) },
        Skew { name: "hot key of 50 %/100", keys: keys::one_hot(1_300) },
    ];
    let mut figures = Vec::new();
    for skew in skews {
        progress(skew.name);
        let topic = bench.runtime.block_on(bench.cluster.create_topic("skew", &[]))?;
        bench.cluster.fill(&topic, &skew.keys)?;
        let mut runs = Vec::new();
        for _ in 0..RUNS {
            runs.push(bench.runtime.block_on(run(bench, &topic, &skew.keys))?);
        }
        let (value, reference) = median(runs);
        figures.push(Figure {
            name: skew.name,
            value,
            unit: UNIT,
            reference: Reference { name: "bound by the most frequent key", value: reference },
            target: Target::OrientationRatioAtLeast(0.9),
        });
    }
    Ok(figures)
}

/// The records per second, and the bound that the keys set.
async fn run(bench: &KafkaBench, topic: &str, keys: &[u32]) -> Result<(f64, f64)> {
    let settings =
        KafkaSettings { queue_max_messages: QUEUE_MAX_MESSAGES, poll_batch_size: POLL_BATCH, ..settings(bench, topic) };
    let stopwatch = Stopwatch::new(keys.len() as u64);
    let counted = stopwatch.clone();
    let handler = move |_: Call| {
        let counted = counted.clone();
        async move {
            counted.work(WORK).await;
            counted.done();
        }
    };
    let run = consumer_run::run(settings, handler, &stopwatch).await?;
    ensure!(run.report.retried == 0 && run.report.lost == 0, "records failed or were lost: {:?}", run.report);
    let one_after_the_other = keys::most_frequent(keys) as f64;
    let spread_over_slots = keys.len() as f64 / CONCURRENCY as f64;
    let seconds_least = one_after_the_other.max(spread_over_slots) * stopwatch.work_seconds();
    Ok((run.rate, keys.len() as f64 / seconds_least))
}

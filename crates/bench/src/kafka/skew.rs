//! Keys of which some are frequent. Records of one key run one after the other, so that the most frequent key sets a
//! bound that no consumer exceeds.

use anyhow::Result;
use redrive_kafka::KafkaSettings;

use super::consumer_run::{CONCURRENCY, settings, waiting_rate};
use super::fixture::{KafkaBench, RUNS, UNIT};
use super::keys;
use super::stopwatch::Stopwatch;
use crate::figure::{Figure, Target, progress};
use crate::measure::median_of;

/// Less than the topic has, so that the frequent keys fill it and the consumer has to wait for space.
const QUEUE_MAX_MESSAGES: usize = 500;
const POLL_BATCH: usize = 100;

pub(super) fn figures(bench: &KafkaBench) -> Result<Vec<Figure>> {
    // Both take about four seconds.
    let skews = [("zipf keys/100", keys::zipf(5_000)), ("hot key of 50 %/100", keys::one_hot(1_300))];
    let mut figures = Vec::new();
    for (name, keys) in skews {
        progress(name);
        let topic = bench.runtime.block_on(bench.cluster.create_topic("skew", &[]))?;
        bench.cluster.fill(&topic, &keys)?;
        let rates = median_of(RUNS, || bench.runtime.block_on(run(bench, &topic, &keys)))?;
        figures.push(
            Figure::of(name, UNIT, rates)
                .beside("bound by the most frequent key", Target::RatioAtLeast(0.9))
                .for_orientation(),
        );
    }
    Ok(figures)
}

/// The records per second, and the bound that the keys set.
async fn run(bench: &KafkaBench, topic: &str, keys: &[u32]) -> Result<(f64, f64)> {
    let settings =
        KafkaSettings { queue_max_messages: QUEUE_MAX_MESSAGES, poll_batch_size: POLL_BATCH, ..settings(bench, topic) };
    let stopwatch = Stopwatch::new(keys.len() as u64);
    let rate = waiting_rate(settings, &stopwatch).await?;
    let one_after_the_other = keys::most_frequent(keys) as f64;
    let spread_over_slots = keys.len() as f64 / CONCURRENCY as f64;
    let seconds_least = one_after_the_other.max(spread_over_slots) * stopwatch.work_seconds();
    Ok((rate, keys.len() as f64 / seconds_least))
}

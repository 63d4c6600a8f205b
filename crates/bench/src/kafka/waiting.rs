//! Handlers that wait for 5 ms: the consumer should keep all its slots busy all the time, whether or
//! not some records fail.

use anyhow::Result;

use super::consumer_run::{CONCURRENCY, WORK, settings, waiting_rate};
use super::fixture::{Backlog, KafkaBench, RUNS, UNIT};
use super::stopwatch::Stopwatch;
use super::{failing, partition_threads};
use crate::figure::{Figure, Target, progress};
use crate::measure::median;

/// About four seconds. The backlog is longer, so that its end is not part of the measurement.
const RECORDS: u64 = 64_000;
/// The same for the threads, of which there are fewer.
const THREADS_RECORDS: u64 = 5_000;

pub(super) fn figures(bench: &KafkaBench, backlog: &Backlog) -> Result<Vec<Figure>> {
    progress("handlers that wait for 5 ms, without and with failures");
    let (mut by_bound, mut by_threads, mut by_failing) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let threads = threads(bench, backlog)?;
        let (rate, bound) = bench.runtime.block_on(run(bench, backlog))?;
        let failing = bench.runtime.block_on(failing::rate(bench, backlog, RECORDS))?;
        eprintln!("  threads {threads:.0}, consumer {rate:.0} of {bound:.0}, with failures {failing:.0}");
        by_bound.push((rate, bound));
        by_threads.push((rate, threads));
        by_failing.push((failing, rate));
    }
    let figure = |name, rates, reference_name, least| {
        Figure::of(name, UNIT, rates).beside(reference_name, Target::RatioAtLeast(least))
    };
    Ok(vec![
        figure("5 ms handlers/100", median(by_bound), "concurrency / measured handler time", 0.9),
        figure("5 ms, 100 vs 8 threads", median(by_threads), "one thread per partition", 10.0),
        figure("5 ms, 5 % to the DLQ", median(by_failing), "without failures", 0.7),
    ])
}

/// The rate of a run, and the rate of slots that are never idle.
async fn run(bench: &KafkaBench, backlog: &Backlog) -> Result<(f64, f64)> {
    let stopwatch = Stopwatch::new(RECORDS);
    let rate = waiting_rate(settings(bench, &backlog.topic), &stopwatch).await?;
    Ok((rate, CONCURRENCY as f64 / stopwatch.work_seconds()))
}

fn threads(bench: &KafkaBench, backlog: &Backlog) -> Result<f64> {
    let stopwatch = Stopwatch::new(THREADS_RECORDS);
    partition_threads::run(&bench.cluster, &backlog.topic, WORK, &stopwatch, |_| {})?;
    stopwatch.rate()
}

//! Handlers that do nothing: what the consumer itself costs.

use anyhow::{Result, ensure};
use redrive_run::Call;

use super::fixture::{Backlog, KafkaBench, RUNS, UNIT};
use super::stopwatch::Stopwatch;
use super::{consumer_run, hand_over, plain_loop};
use crate::figure::{Figure, Target, progress};
use crate::measure::median;
use crate::process::cpu_time;

pub(super) fn figures(bench: &KafkaBench, backlog: &Backlog) -> Result<Vec<Figure>> {
    progress("handlers that do nothing");
    let (mut by_plain, mut by_hand_over) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let plain = timed("plain loop", || plain_loop::rate(&bench.cluster, &backlog.topic, backlog.records))?;
        let handed_over = timed("bare hand-over", || {
            bench.runtime.block_on(hand_over::rate(&bench.cluster, &backlog.topic, backlog.records))
        })?;
        let own = timed("consumer", || bench.runtime.block_on(run(bench, backlog)))?;
        by_plain.push((own, plain));
        by_hand_over.push((own, handed_over));
    }
    Ok(vec![
        Figure::of("no-op handlers", UNIT, median(by_plain)).beside("tuned plain loop", Target::RatioAtLeast(0.5)),
        Figure::of("no-op, owned records", UNIT, median(by_hand_over))
            .beside("bare hand-over to a task, batches of 512", Target::RatioAtLeast(0.7)),
    ])
}

/// Prints the rate and the processor time of this process, which shares the machine with the broker.
fn timed(what: &str, rate: impl FnOnce() -> Result<f64>) -> Result<f64> {
    let before = cpu_time()?;
    let rate = rate()?;
    let used = cpu_time()?.saturating_sub(before);
    eprintln!("  {what}: {rate:.0} records/s, {:.1} s of processor time", used.as_secs_f64());
    Ok(rate)
}

async fn run(bench: &KafkaBench, backlog: &Backlog) -> Result<f64> {
    let stopwatch = Stopwatch::new(backlog.records);
    let counted = stopwatch.clone();
    let handler = move |_: Call| {
        counted.begin();
        counted.done();
        async {}
    };
    let run = consumer_run::run(bench.cluster.settings(&backlog.topic), handler, &stopwatch).await?;
    ensure!(run.report.done == backlog.records, "not all records were done: {:?}", run.report);
    Ok(run.rate)
}

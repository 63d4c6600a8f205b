//! The runner over a source that costs nothing, compared with a bare loop over the same source: what the runner itself
//! takes for each delivery.

use std::time::Instant;

use anyhow::{Result, ensure};
use redrive_core::{Policy, Span};
use redrive_run::{Call, ClaimSpec, DestinationFilter, FinishedDelivery, Resolution, Runner, RunnerSettings, Source};

use super::prepared_source::PreparedSource;
use crate::figure::{Figure, Target};
use crate::measure::median;

/// Enough slots that a claim is a large batch.
const SLOTS: usize = 1000;
/// Each run takes a second or more.
const DELIVERIES: usize = 3_000_000;
/// The bare loop is faster by an order of magnitude.
const BARE_DELIVERIES: usize = 10 * DELIVERIES;
const RUNS: usize = 3;

pub(super) async fn figure() -> Result<Figure> {
    let mut rates = Vec::new();
    for _ in 0..RUNS {
        let source = PreparedSource::new(BARE_DELIVERIES);
        let begin = Instant::now();
        claim_and_settle(&source).await?;
        let bare = BARE_DELIVERIES as f64 / begin.elapsed().as_secs_f64();
        let source = PreparedSource::new(DELIVERIES);
        let begin = Instant::now();
        run(&source).await?;
        rates.push((DELIVERIES as f64 / begin.elapsed().as_secs_f64(), bare));
    }
    Ok(Figure::of("runner alone/1000", "deliveries/s", median(rates))
        .beside("bare claim+settle", Target::AtLeast(1.2e6))
        .for_orientation())
}

async fn claim_and_settle(source: &PreparedSource) -> Result<()> {
    let mut left = BARE_DELIVERIES;
    while left > 0 {
        let claim = ClaimSpec { count: SLOTS, scope: DestinationFilter::AllBut(Vec::new()) };
        let claimed = source.claim(claim).await?;
        left -= claimed.len();
        let done = |fence| FinishedDelivery { fence, resolution: Resolution::Ack { result: None }, attempt: None };
        let settlements: Vec<_> = claimed.into_iter().map(|delivery| done(delivery.fence)).collect();
        let answers = source.settle(&settlements).await;
        ensure!(answers.iter().all(Result::is_ok), "a settlement was rejected");
    }
    Ok(())
}

/// Runs a runner until the last delivery is settled.
async fn run(source: &PreparedSource) -> Result<()> {
    let settings = RunnerSettings { concurrency: SLOTS, ..RunnerSettings::default() };
    let runner = Runner::new(source.clone(), |_: Call| async {}, Policy::builder().build()?, settings)?;
    let running = runner.start().await?;
    source.until_settled().await;
    let report = running.stop(Span::from_secs(30)).await;
    ensure!(report.done == DELIVERIES as u64, "not all deliveries were done: {report:?}");
    Ok(())
}

//! Handlers that do nothing, compared with a bare loop of lease and complete requests on the same store.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Result, ensure};
use redrive_core::Span;
use redrive_run::Call;
use tokio::sync::Notify;

use super::fixture::Fixture;
use crate::figure::{Figure, Target};
use crate::measure::median;

const ITEMS: usize = 100_000;
const RUNS: usize = 5;

pub(super) async fn figure() -> Result<Figure> {
    let fixture = Fixture::new().await?;
    let mut rates = Vec::new();
    for _ in 0..RUNS {
        fixture.fill(ITEMS).await?;
        let begin = Instant::now();
        fixture.lease_and_complete(ITEMS).await?;
        let bare = begin.elapsed();
        fixture.fill(ITEMS).await?;
        let begin = Instant::now();
        run(&fixture).await?;
        rates.push((ITEMS as f64 / begin.elapsed().as_secs_f64(), ITEMS as f64 / bare.as_secs_f64()));
    }
    Ok(Figure::of("no-op handlers/256", "items/s", median(rates))
        .beside("bare lease+complete", Target::RatioAtLeast(0.5)))
}

/// Runs a runner until the last item is settled.
async fn run(fixture: &Fixture) -> Result<()> {
    let (handled, all) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let is_all = Arc::clone(&all);
    let handler = move |_: Call| {
        if handled.fetch_add(1, Ordering::Relaxed) + 1 == ITEMS {
            is_all.notify_one();
        }
        async {}
    };
    let running = fixture.runner(handler)?.start().await?;
    all.notified().await;
    let report = running.stop(Span::from_secs(30)).await;
    ensure!(report.done == ITEMS as u64, "not all items were done: {report:?}");
    Ok(())
}

//! Handlers that wait: the runner should keep all its slots busy all the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use redrive_core::Span;
use redrive_run::Call;
use tokio::sync::Notify;

use super::CONCURRENCY;
use super::fixture::Fixture;
use crate::figure::{Figure, Target};

const ITEMS: usize = 100_000;
const HANDLER: Duration = Duration::from_millis(5);

pub(super) async fn figure() -> Result<Figure> {
    let fixture = Fixture::new().await?;
    fixture.fill(ITEMS).await?;
    let (handled, micros, all) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)), Arc::new(Notify::new()));
    let spent = Arc::clone(&micros);
    let is_all = Arc::clone(&all);
    let handler = move |_: Call| {
        let (handled, spent, is_all) = (Arc::clone(&handled), Arc::clone(&spent), Arc::clone(&is_all));
        async move {
            let begin = Instant::now();
            tokio::time::sleep(HANDLER).await;
            let micros = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
            spent.fetch_add(micros, Ordering::Relaxed);
            if handled.fetch_add(1, Ordering::Relaxed) + 1 == ITEMS {
                is_all.notify_one();
            }
        }
    };
    let begin = Instant::now();
    let running = fixture.runner(handler)?.start().await?;
    all.notified().await;
    let report = running.stop(Span::from_secs(30)).await;
    let rate = ITEMS as f64 / begin.elapsed().as_secs_f64();
    ensure!(report.done == ITEMS as u64, "not all items were done: {report:?}");
    let seconds = micros.load(Ordering::Relaxed) as f64 / 1e6 / ITEMS as f64;
    Ok(Figure::of("5 ms handlers/256", "items/s", (rate, CONCURRENCY as f64 / seconds))
        .beside("concurrency / measured handler time", Target::RatioAtLeast(0.95)))
}

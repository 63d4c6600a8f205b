//! Retries of due letters to an HTTP target, compared with a plain loop of the same client against that target.
//!
//! Both run in alternating turns of some seconds; the processor is stopped while the plain loop runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use redrive_core::{Policy, Span};
use redrive_embedded::EmbeddedOptions;
use redrive_run::{HttpSettings, HttpTarget, Processor, ProcessorSettings, RunnerSettings};
use redrive_store::SystemClock;
use reqwest::Client;
use tokio::task::JoinSet;

use super::caller::Caller;
use super::target::HttpServer;
use crate::figure::{Figure, Target, progress};
use crate::folder::Folder;

const LETTERS: u64 = 1_000_000;
const TURNS: u64 = 10;
const WORKERS: usize = 32;
/// The time limit of a turn.
const TURN_MAX: Duration = Duration::from_secs(120);
const BATCH: u64 = 1000;

pub(super) fn figures() -> Result<Vec<Figure>> {
    progress("capturing 1 M letters that are due");
    let folder = Folder::new("letters-drain")?;
    let caller = Caller::open(folder.path(), &EmbeddedOptions::default())?;
    for first in (0..LETTERS).step_by(usize::try_from(BATCH)?) {
        caller.take(caller.failures.due(&caller.queue, first..first + BATCH))?;
    }
    caller.until_idle()?;
    progress("draining them");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let rates = runtime.block_on(rates(&caller, &HttpServer::start()?))?;
    let completed = caller.stats()?.letters.by_status[redrive_core::Status::Completed as usize];
    ensure!(completed == LETTERS, "{completed} letters of {LETTERS} are completed");
    caller.close()?;
    Ok(vec![
        Figure::of("drain/1 M by 32 workers", "letters/s of 1 KiB to an HTTP target", rates)
            .beside("plain client loop, 32 tasks", Target::RatioAtLeast(0.45)),
    ])
}

/// The letters per second of the processor, and the requests per second of the plain loop.
async fn rates(caller: &Caller, target: &HttpServer) -> Result<(f64, f64)> {
    let settings = ProcessorSettings {
        runner: RunnerSettings { concurrency: WORKERS, ..RunnerSettings::default() },
        lease: Span::from_mins(1),
        policy: Policy::builder().build()?,
        interval: Span::from_mins(1),
    };
    let mut processor = Processor::new(Arc::new(caller.store.clone()), Arc::new(SystemClock), settings);
    processor.add(caller.queue.clone(), Arc::new(HttpTarget::new(&HttpSettings::new(target.url()))?))?;
    let client = Client::builder().no_proxy().build()?;
    let (mut drained, mut posted) = (Totals::default(), Totals::default());
    for turn in 1..=TURNS {
        let wanted = LETTERS / TURNS * turn - drained.count;
        drained.add(|| drain(&processor, caller, target, wanted)).await?;
        posted.add(|| post(&client, target, LETTERS / TURNS)).await?;
        eprintln!("  {:.0} letters/s, {:.0} requests/s", drained.rate(), posted.rate());
    }
    ensure!(drained.count == LETTERS, "{} letters of {LETTERS} were drained", drained.count);
    Ok((drained.rate(), posted.rate()))
}

/// Runs the processor until the target has accepted at least `wanted` letters; returns how many were completed.
async fn drain(processor: &Processor, caller: &Caller, target: &HttpServer, wanted: u64) -> Result<u64> {
    let before = target.accepted();
    processor.start(&caller.queue).await?;
    while target.accepted() - before < wanted {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let report = processor.stop(&caller.queue, Span::from_secs(30)).await?.context("the processor was not running")?;
    ensure!(report.done == target.accepted() - before, "not all letters were completed: {report:?}");
    Ok(report.done)
}

async fn post(client: &Client, target: &HttpServer, count: u64) -> Result<u64> {
    let each = count / WORKERS as u64;
    let mut tasks = JoinSet::new();
    for _ in 0..WORKERS {
        let (client, url) = (client.clone(), target.url());
        tasks.spawn(async move {
            for _ in 0..each {
                let answer = client.post(&url).body(&crate::plain::PAYLOAD[..]).send().await?.error_for_status()?;
                answer.bytes().await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    Ok(each * WORKERS as u64)
}

#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    count: u64,
    time: Duration,
}

impl Totals {
    async fn add<F: Future<Output = Result<u64>>>(&mut self, turn: impl FnOnce() -> F) -> Result<()> {
        let begin = Instant::now();
        self.count += tokio::time::timeout(TURN_MAX, turn()).await.context("a turn exceeded its time limit")??;
        self.time += begin.elapsed();
        Ok(())
    }

    fn rate(self) -> f64 {
        self.count as f64 / self.time.as_secs_f64()
    }
}

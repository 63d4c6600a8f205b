//! Worker processes behind a runner, compared with bare pipes to the same workers.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use redrive_core::{Policy, Span};
use redrive_run::{Runner, RunnerSettings, WorkerCommand, WorkerPool};

use super::fixture::Fixture;
use super::worker::{self, PingPong};
use crate::figure::{Figure, Target};
use crate::measure::median;

const PROCESSES: usize = 2;
/// More than the number of workers: a call that waits for a free worker is cheap.
const CONCURRENCY: usize = 32;
const ITEMS: usize = 20_000;
const RUNS: usize = 3;

pub(super) async fn figure() -> Result<Figure> {
    let mut command = worker::command()?;
    command.processes = PROCESSES;
    let pool = WorkerPool::start(command.clone()).await?;
    let fixture = Fixture::new().await?;
    let mut rates = Vec::new();
    for _ in 0..RUNS {
        let command = command.clone();
        let bare = tokio::task::spawn_blocking(move || ping_pong(&command)).await??;
        fixture.fill(ITEMS).await?;
        let begin = Instant::now();
        run(&fixture, pool.clone()).await?;
        rates.push((ITEMS as f64 / begin.elapsed().as_secs_f64(), bare));
    }
    pool.stop(Span::from_secs(5)).await;
    Ok(Figure::of("2 worker processes", "items/s of 1 KiB", median(rates))
        .beside("bare pipe ping-pong, 2 processes", Target::RatioAtLeast(0.2)))
}

/// The calls per second over bare pipes, with one thread per process, measured once all processes have started.
fn ping_pong(command: &WorkerCommand) -> Result<f64> {
    let mut workers = Vec::new();
    for _ in 0..PROCESSES {
        workers.push(PingPong::start(command)?);
    }
    let begin = Instant::now();
    let threads = workers.into_iter().map(|mut worker| {
        std::thread::spawn(move || -> Result<PingPong> {
            for _ in 0..ITEMS / PROCESSES {
                worker.call()?;
            }
            Ok(worker)
        })
    });
    let mut workers = Vec::new();
    for thread in threads.collect::<Vec<_>>() {
        workers.push(thread.join().ok().context("a thread panicked")??);
    }
    let rate = ITEMS as f64 / begin.elapsed().as_secs_f64();
    workers.into_iter().try_for_each(PingPong::end)?;
    Ok(rate)
}

async fn run(fixture: &Fixture, pool: WorkerPool) -> Result<()> {
    let settings = RunnerSettings { concurrency: CONCURRENCY, ..RunnerSettings::default() };
    let runner = Runner::new(fixture.source(), pool, Policy::builder().build()?, settings)?;
    let running = runner.start().await?;
    fixture.until_empty().await?;
    let report = running.stop(Span::from_secs(30)).await;
    ensure!(report.done == ITEMS as u64, "not all items were done: {report:?}");
    Ok(())
}

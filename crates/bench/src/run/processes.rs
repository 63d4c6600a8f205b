//! Worker processes behind a runner, beside bare pipes to the same workers.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use redrive_core::{Policy, Span};
use redrive_run::{Runner, RunnerSettings, WorkerCommand, WorkerPool};

use super::bed::Bed;
use super::worker::{PingPong, WORD};
use crate::figure::{Figure, Reference, Target};

const PROCESSES: usize = 2;
const ITEMS: usize = 20_000;
const RUNS: usize = 3;

#[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
pub(super) async fn figure() -> Result<Figure> {
    let mut command = WorkerCommand::new(std::env::current_exe()?, [] as [&str; 0]);
    command.env.insert(WORD.into(), "1".into());
    command.processes = PROCESSES;
    let pool = WorkerPool::start(command).await?;
    let bed = Bed::new().await?;
    let mut rates = Vec::new();
    for _ in 0..RUNS {
        let begin = Instant::now();
        tokio::task::spawn_blocking(ping_pong).await??;
        let bare = ITEMS as f64 / begin.elapsed().as_secs_f64();
        bed.fill(ITEMS).await?;
        let begin = Instant::now();
        run(&bed, pool.clone()).await?;
        rates.push((ITEMS as f64 / begin.elapsed().as_secs_f64(), bare));
    }
    pool.stop(Span::from_secs(5)).await;
    rates.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let (value, reference) = rates[RUNS / 2];
    Ok(Figure {
        name: "2 worker processes",
        value,
        unit: "items/s of 1 KiB",
        reference: Reference { name: "bare pipe ping-pong, 2 processes", value: reference },
        target: Target::RatioAtLeast(0.3),
    })
}

/// Each process with a thread of its own that writes and reads.
fn ping_pong() -> Result<()> {
    let threads = (0..PROCESSES).map(|_| {
        std::thread::spawn(|| -> Result<()> {
            let mut worker = PingPong::start()?;
            for _ in 0..ITEMS / PROCESSES {
                worker.call()?;
            }
            worker.end()
        })
    });
    for thread in threads.collect::<Vec<_>>() {
        thread.join().ok().context("a thread panicked")??;
    }
    Ok(())
}

async fn run(bed: &Bed, pool: WorkerPool) -> Result<()> {
    let settings = RunnerSettings { concurrency: PROCESSES, ..RunnerSettings::default() };
    let runner = Runner::new(bed.source(), pool, Policy::builder().build()?, settings)?;
    let running = runner.start().await?;
    bed.emptied().await?;
    let report = running.stop(Span::from_secs(30)).await;
    ensure!(report.done == ITEMS as u64, "not all were done: {report:?}");
    Ok(())
}

//! How long one durable produce takes when they come at a steady rate, whether or not the last one is done.

use std::time::{Duration, Instant};

use anyhow::Result;
use redrive_client::Queue;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::redrive::batch;
use crate::folder::Folder;
use crate::plain::Plain;

const EVERY: Duration = Duration::from_millis(1);
const COUNT: u32 = 4_000;

/// The time that one in a hundred exceeds, in milliseconds, from when it should have begun.
///
/// Requests are begun by a thread: the runtime's timers know whole milliseconds only, and would be late by up to one.
pub(super) fn served(runtime: &Runtime, queue: &Queue) -> Result<f64> {
    let mut took = JoinSet::new();
    steadily(|due| {
        let queue = queue.clone();
        let produce = async move {
            queue.produce(batch(1)).await?;
            anyhow::Ok(since(due))
        };
        took.spawn_on(produce, runtime.handle());
        Ok(())
    })?;
    let mut times = Vec::new();
    while let Some(time) = runtime.block_on(took.join_next()) {
        times.push(time??);
    }
    Ok(p99(times))
}

/// The same with nothing but a file.
pub(super) fn plain() -> Result<f64> {
    let folder = Folder::new("latency")?;
    let mut plain = Plain::open(folder.path(), 1)?;
    let mut times = Vec::new();
    steadily(|due| {
        plain.append()?;
        times.push(since(due));
        Ok(())
    })?;
    Ok(p99(times))
}

/// Does something again and again, each time when it is due, or at once where it is late.
#[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
fn steadily(mut act: impl FnMut(Instant) -> Result<()>) -> Result<()> {
    let begin = Instant::now();
    for number in 0..COUNT {
        let due = begin + EVERY * number;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        act(due)?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
fn since(due: Instant) -> Duration {
    due.elapsed()
}

fn p99(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() * 99 / 100].as_secs_f64() * 1e3
}

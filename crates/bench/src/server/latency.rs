//! How long one durable produce takes when they come at a steady rate, whether or not the last one is done.

use std::time::{Duration, Instant};

use anyhow::Result;
use redrive_client::Queue;
use tokio::task::JoinSet;

use super::redrive::batch;
use crate::folder::Folder;
use crate::plain::Plain;

const EVERY: Duration = Duration::from_millis(1);
const COUNT: u32 = 4_000;

/// The time that one in a hundred exceeds, in milliseconds, from when it should have begun.
#[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
pub(super) async fn served(queue: &Queue) -> Result<f64> {
    let mut took = JoinSet::new();
    let begin = Instant::now();
    for number in 0..COUNT {
        let due = begin + EVERY * number;
        tokio::time::sleep_until(due.into()).await;
        let queue = queue.clone();
        took.spawn(async move {
            queue.produce(batch(1)).await?;
            anyhow::Ok(due.elapsed())
        });
    }
    let mut times = Vec::new();
    while let Some(time) = took.join_next().await {
        times.push(time??);
    }
    Ok(p99(times))
}

/// The same with nothing but a file.
#[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
pub(super) fn plain() -> Result<f64> {
    let folder = Folder::new("latency")?;
    let mut plain = Plain::open(folder.path(), 1)?;
    let begin = Instant::now();
    let mut times = Vec::new();
    for number in 0..COUNT {
        let due = begin + EVERY * number;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        plain.append()?;
        times.push(due.elapsed());
    }
    Ok(p99(times))
}

fn p99(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() * 99 / 100].as_secs_f64() * 1e3
}

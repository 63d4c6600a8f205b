//! The latency of durable produce requests that start at a steady rate, without waiting for the previous one.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::redrive::RawQueue;
use crate::folder::Folder;
use crate::plain::Plain;

const INTERVAL: Duration = Duration::from_millis(1);
const COUNT: u32 = 4_000;

/// The 99th percentile in milliseconds, counted from when each request was due.
///
/// This thread starts the requests: the runtime's timers have a resolution of one millisecond, and would be late by up
/// to that.
pub(super) fn of_server(runtime: &Runtime, queue: &RawQueue) -> Result<f64> {
    let mut requests = JoinSet::new();
    at_steady_rate(|due| {
        let queue = queue.clone();
        let produce = async move {
            queue.produce(1).await?;
            anyhow::Ok(since(due))
        };
        requests.spawn_on(produce, runtime.handle());
        Ok(())
    })?;
    let mut times = Vec::new();
    while let Some(time) = runtime.block_on(requests.join_next()) {
        times.push(time??);
    }
    Ok(p99(times))
}

/// The same for plain appends to a file.
pub(super) fn of_plain_file() -> Result<f64> {
    let folder = Folder::new("latency")?;
    let mut plain = Plain::open(folder.path(), 1)?;
    let mut times = Vec::new();
    at_steady_rate(|due| {
        plain.append()?;
        times.push(since(due));
        Ok(())
    })?;
    Ok(p99(times))
}

/// Calls `act` at a steady rate: each time when it is due, or immediately if it is late.
fn at_steady_rate(mut act: impl FnMut(Instant) -> Result<()>) -> Result<()> {
    let begin = Instant::now();
    for number in 0..COUNT {
        let due = begin + INTERVAL * number;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        act(due)?;
    }
    Ok(())
}

fn since(due: Instant) -> Duration {
    due.elapsed()
}

fn p99(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() * 99 / 100].as_secs_f64() * 1e3
}

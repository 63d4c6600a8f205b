//! How often an idle runner wakes up the threads of its process.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use redrive_core::Span;
use redrive_run::Call;

use super::fixture::Fixture;
use crate::figure::{Figure, Target};

const IDLE_TIME: Duration = Duration::from_secs(5);

pub(super) async fn figure() -> Result<Figure> {
    let fixture = Fixture::new().await?;
    let without = wake_ups().await?;
    let running = fixture.runner(|_: Call| async {})?.start().await?;
    let with = wake_ups().await?;
    running.stop(Span::from_secs(1)).await;
    let wake_ups = (with.saturating_sub(without) as f64, without as f64);
    Ok(Figure::of("idle runner", "wake-ups in 5 s, beyond those without a runner", wake_ups)
        .beside("without a runner", Target::AtMost(1.0)))
}

/// The number of wake-ups of all threads of this process while it is idle.
async fn wake_ups() -> Result<u64> {
    // Earlier work ends first: the store proves its last batch after a second.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let before = switches()?;
    tokio::time::sleep(IDLE_TIME).await;
    Ok(switches()?.saturating_sub(before))
}

/// The voluntary context switches of all threads: each is a sleep that ends with a wake-up.
fn switches() -> Result<u64> {
    let mut switches = 0;
    for thread in fs::read_dir("/proc/self/task")? {
        let status = fs::read_to_string(thread?.path().join("status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        switches += line.context("no voluntary_ctxt_switches in the status of a thread")?.trim().parse::<u64>()?;
    }
    Ok(switches)
}

//! The figures of the mailbox benchmark. Mailbox and reference are measured in turns.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::{Context, Result};
use redrive_mailbox::{MailboxBackend, MailboxName, MailboxSettings};
use redrive_redis::{RedisClient, RedisSettings};
use tokio::runtime::Runtime;

use super::{memory, raw_scripts, throughput, wake_up};
use crate::figure::{Figure, Target, progress};
use crate::measure::{median, median_of};
use crate::part::{Part, is_selected};

const RUNS: usize = 5;
const REDIS_MESSAGES: usize = 20_000;
const MEMORY_MESSAGES: usize = 200_000;
const UNIT: &str = "messages/s";

pub(crate) fn figures(part: Option<Part>) -> Result<Vec<Figure>> {
    let threads = std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let mut figures = Vec::new();
    if is_selected(part, Part::Speed) {
        figures.push(runtime.block_on(in_memory())?);
        figures.push(runtime.block_on(on_redis())?);
    }
    if is_selected(part, Part::Latency) {
        figures.push(wake_ups(&runtime)?);
    }
    Ok(figures)
}

async fn in_memory() -> Result<Figure> {
    progress("mailbox in memory");
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        let own = throughput::rate(&memory::mailbox()?, MEMORY_MESSAGES).await?;
        runs.push((own, memory::channel_rate(MEMORY_MESSAGES).await?));
    }
    Ok(Figure::of("memory by 64", UNIT, median(runs))
        .beside("bounded channel", Target::AtLeast(200_000.0))
        .for_orientation())
}

async fn on_redis() -> Result<Figure> {
    progress("mailbox on Redis");
    let url = url()?;
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        let own = throughput::rate(&open("bench-throughput").await?, REDIS_MESSAGES).await?;
        runs.push((own, raw_scripts::rate(&url, REDIS_MESSAGES).await?));
    }
    Ok(Figure::of("redis by 64", UNIT, median(runs)).beside("raw pipelined scripts", Target::RatioAtLeast(0.5)))
}

fn wake_ups(runtime: &Runtime) -> Result<Figure> {
    progress("wake-up of a waiting receive");
    let url = url()?;
    let times = median_of(RUNS, || {
        let own = runtime.block_on(async { wake_up::of_receive(&open("bench-wake-up").await?).await })?;
        Ok((own, runtime.block_on(wake_up::of_blpop(&url))?))
    })?;
    Ok(Figure::of("redis wake-up p99", "µs", times).beside("BLPOP", Target::RatioAtMost(3.0)))
}

/// An empty mailbox on Redis.
async fn open(name: &str) -> Result<Arc<dyn MailboxBackend>> {
    let client = RedisClient::connect(RedisSettings::new(url()?)).await?;
    let mailbox = client.mailbox(&MailboxName::new(name)?, MailboxSettings::default()).await?;
    mailbox.purge().await?;
    Ok(mailbox)
}

fn url() -> Result<String> {
    let address = std::env::var("REDRIVE_TEST_REDIS").context("run this benchmark by `cargo xtask bench mailbox`")?;
    Ok(format!("redis://{address}"))
}

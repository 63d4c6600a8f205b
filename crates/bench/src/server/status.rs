//! The time until the overview of a large server is there.

use std::time::Instant;

use anyhow::{Result, ensure};
use futures_util::future::try_join_all;
use redrive_client::Client;
use redrive_core::QueueName;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Capture, CreateQueue, QueueSettings};
use redrive_proto::redrive::v1::StatusGetRequest;
use redrive_store::{Clock, Store, SystemClock};

use super::redrive::ServerProcess;
use crate::figure::{Figure, Target, progress};
use crate::folder::Folder;
use crate::letters::failures::Failures;
use crate::measure::median;

const QUEUES: u64 = 10_000;
const LETTERS_OF_QUEUE: u64 = 200;
const LETTERS: u64 = QUEUES * LETTERS_OF_QUEUE;
/// Requests to the store that wait for the same sync.
const CONCURRENT: usize = 100;
const RUNS: usize = 15;

/// The first page, the totals and what needs attention, compared with the health of the same server.
pub(super) fn figure() -> Result<Figure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let folder = Folder::new("status")?;
    progress("10 k queues with 2 M letters");
    runtime.block_on(fill(&folder))?;
    let server = ServerProcess::start_on(folder)?;
    progress("overviews of 10 k queues");
    let times = runtime.block_on(async {
        let client = server.client()?;
        // The first answer opens the connection, and counts the letters that became due meanwhile.
        time_status(&client).await?;
        let mut runs = Vec::new();
        for _ in 0..RUNS {
            runs.push((time_status(&client).await?, time_health(&client).await?));
        }
        anyhow::Ok(median(runs))
    })?;
    Ok(Figure::of("status/10 k queues, 2 M letters", "ms, first page and totals", times)
        .beside("GET /health", Target::AtMost(100.0))
        .for_orientation())
}

async fn fill(folder: &Folder) -> Result<()> {
    let store = EmbeddedStore::open(&folder.path().join("data"), &EmbeddedOptions::default())?;
    let failures = Failures::new(SystemClock.now());
    let queues = (0..QUEUES).map(|number| QueueName::new(&format!("dead-{number:05}")).map(|name| (name, number)));
    let queues = queues.collect::<Result<Vec<_>, _>>()?;
    for queues in queues.chunks(CONCURRENT) {
        let create = |name: &QueueName| store.create_queue(CreateQueue { settings: QueueSettings::new(name.clone()) });
        try_join_all(queues.iter().map(|(name, _)| create(name))).await?;
        let captures = queues.iter().map(|(name, number)| {
            let numbers = number * LETTERS_OF_QUEUE..(number + 1) * LETTERS_OF_QUEUE;
            let letters = numbers.map(|number| failures.letter(number, failures.common(number)));
            store.capture(Capture::new(name.clone(), letters.collect()))
        });
        try_join_all(captures).await?;
    }
    Ok(store.close().await?)
}

async fn time_status(client: &Client) -> Result<f64> {
    let begin = Instant::now();
    let status = client.status(&StatusGetRequest::default()).await?;
    let time = begin.elapsed().as_secs_f64() * 1e3;
    let totals = status.totals.unwrap_or_default();
    let expected = (i64::try_from(QUEUES)?, i64::try_from(LETTERS)?);
    ensure!((totals.queues, totals.dead) == expected, "{} queues, {} letters", totals.queues, totals.dead);
    ensure!(status.queues.len() == 100, "{} queues in the first page", status.queues.len());
    Ok(time)
}

async fn time_health(client: &Client) -> Result<f64> {
    let begin = Instant::now();
    let health = client.health().await?;
    let time = begin.elapsed().as_secs_f64() * 1e3;
    ensure!(health.is_well(), "the server is {}", health.status);
    Ok(time)
}

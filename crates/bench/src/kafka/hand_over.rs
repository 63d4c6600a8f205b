//! The bare hand-over: a thread copies records out of the client library and sends them to a task in batches.
//!
//! This is the least that any consumer does whose handlers run on an asynchronous runtime.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Result, anyhow, ensure};
use bytes::Bytes;
use rdkafka::Message;
use rdkafka::message::BorrowedMessage;
use tokio::sync::mpsc;

use super::cluster::Cluster;
use super::plain_consumer::PlainConsumer;
use super::stopwatch::{RUN_MAX, Stopwatch};

const BATCH: usize = 512;
const BATCHES_MAX: usize = 8;

/// A record without a borrow of the client library.
struct OwnedRecord {
    partition: i32,
    offset: i64,
    timestamp: Option<i64>,
    key: Option<Bytes>,
    payload: Bytes,
}

impl OwnedRecord {
    fn of(record: &BorrowedMessage<'_>) -> Self {
        Self {
            partition: record.partition(),
            offset: record.offset(),
            timestamp: record.timestamp().to_millis(),
            key: record.key().map(Bytes::copy_from_slice),
            payload: record.payload().map(Bytes::copy_from_slice).unwrap_or_default(),
        }
    }
}

/// The records per second that arrive in the task.
pub(super) async fn rate(cluster: &Cluster, topic: &str, records: u64) -> Result<f64> {
    let (tx, mut rx) = mpsc::channel::<Vec<OwnedRecord>>(BATCHES_MAX);
    let stopwatch = Stopwatch::new(records);
    let consumer = PlainConsumer::of_group(cluster, topic)?;
    let poller = std::thread::spawn(move || read(consumer, &tx, records));
    let counted = stopwatch.clone();
    let receive = tokio::spawn(async move {
        while let Some(batch) = rx.recv().await {
            for record in batch {
                counted.begin();
                let OwnedRecord { partition, offset, timestamp, key, payload } = record;
                black_box((partition, offset, timestamp, key, payload));
                counted.done();
            }
        }
    });
    receive.await?;
    poller.join().map_err(|_| anyhow!("the thread of the hand-over panicked"))??;
    stopwatch.rate()
}

/// Sends records until there are none left. A batch is sent when it is full, or when nothing more was fetched ahead.
fn read(mut consumer: PlainConsumer, tx: &mpsc::Sender<Vec<OwnedRecord>>, records: u64) -> Result<()> {
    let mut left = records;
    let started = Instant::now();
    while left > 0 {
        let mut batch = Vec::with_capacity(BATCH);
        batch.extend(consumer.next()?.map(|record| OwnedRecord::of(&record)));
        if batch.is_empty() {
            ensure!(started.elapsed() < RUN_MAX, "the hand-over did not get all records");
            continue;
        }
        while batch.len() < BATCH
            && let Some(record) = consumer.next_fetched()?
        {
            batch.push(OwnedRecord::of(&record));
        }
        left = left.saturating_sub(batch.len() as u64);
        tx.blocking_send(batch)?;
    }
    Ok(())
}

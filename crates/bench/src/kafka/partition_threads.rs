//! One thread per partition: the usual way to process a topic in parallel. Each thread does the work of a record before
//! it reads the next one.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, ensure};
use rdkafka::Message;

use super::cluster::{Cluster, PARTITIONS};
use super::plain_consumer::PlainConsumer;
use super::stopwatch::{RUN_MAX, Stopwatch};

/// Runs until the stopwatch is over. `done` gets the timestamp of every record that was processed, in milliseconds.
pub(super) fn run(
    cluster: &Cluster,
    topic: &str,
    work: Duration,
    stopwatch: &Stopwatch,
    done: impl Fn(Option<i64>) + Sync,
) -> Result<()> {
    std::thread::scope(|scope| {
        let done = &done;
        let spawn = |partition| scope.spawn(move || process(cluster, topic, partition, work, stopwatch, done));
        let threads: Vec<_> = (0..PARTITIONS).map(spawn).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?)
    })
}

fn process(
    cluster: &Cluster,
    topic: &str,
    partition: i32,
    work: Duration,
    stopwatch: &Stopwatch,
    done: &impl Fn(Option<i64>),
) -> Result<()> {
    let mut consumer = PlainConsumer::of_partition(cluster, topic, partition)?;
    // The same timers as those of the handlers, so that the same work takes the same time.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let started = Instant::now();
    while !stopwatch.is_over() {
        ensure!(started.elapsed() < RUN_MAX, "the threads did not process all records");
        if let Some(record) = consumer.next()? {
            runtime.block_on(stopwatch.work(work));
            done(record.timestamp().to_millis());
            stopwatch.done();
        }
    }
    Ok(())
}

//! The tuned plain loop: one thread that reads borrowed records and does nothing else.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Result, ensure};
use rdkafka::Message;

use super::cluster::Cluster;
use super::plain_consumer::PlainConsumer;
use super::stopwatch::{RUN_MAX, Stopwatch};

/// The records per second of the calling thread.
pub(crate) fn rate(cluster: &Cluster, topic: &str, records: u64) -> Result<f64> {
    let mut consumer = PlainConsumer::of_group(cluster, topic)?;
    let stopwatch = Stopwatch::new(records);
    let started = Instant::now();
    while !stopwatch.is_over() {
        match consumer.next()? {
            Some(record) => {
                stopwatch.begin();
                black_box((record.key(), record.payload(), record.offset()));
                stopwatch.done();
            }
            None => ensure!(started.elapsed() < RUN_MAX, "the plain loop did not get all records"),
        }
    }
    stopwatch.rate()
}

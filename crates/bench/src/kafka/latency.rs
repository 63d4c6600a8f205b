//! The time from the broker's timestamp until a record is done, at a steady rate that does not depend on the consumer.
//!
//! The timestamps have a resolution of a millisecond, so that every latency is too long by half of one on average.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use redrive_core::Time;
use redrive_kafka::KafkaConsumer;
use redrive_run::Call;
use redrive_store::{Clock, SystemClock};

use super::cluster::{Cluster, PARTITIONS};
use super::fixture::{KafkaBench, RUNS};
use super::keys::KEYS;
use super::partition_threads;
use super::stopwatch::Stopwatch;
use crate::figure::{Figure, Target, progress};
use crate::measure::median;

/// The threads can process about twice as many.
const RATE: u32 = 2_000;
const WORK: Duration = Duration::from_micros(500);
/// Not measured: connections are opened, and caches are cold.
const WARM_UP: usize = RATE as usize;
const MEASURED: usize = 4 * RATE as usize;
const ASSIGNED_WITHIN: Duration = Duration::from_secs(30);

pub(super) fn figures(bench: &KafkaBench) -> Result<Vec<Figure>> {
    progress("latency at a steady rate");
    let (mut p50, mut p99) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let own = of_consumer(bench)?;
        let threads = of_threads(bench)?;
        p50.push((own.percentile(50), threads.percentile(50)));
        p99.push((own.percentile(99), threads.percentile(99)));
    }
    let figure = |name, times| {
        Figure::of(name, "ms from the broker's timestamp", times)
            .beside("one thread per partition", Target::RatioAtMost(1.5))
            .for_orientation()
    };
    Ok(vec![figure("p50 at 2000/s, 0.5 ms", median(p50)), figure("p99 at 2000/s, 0.5 ms", median(p99))])
}

/// The latencies of a run, in the order in which records were done.
#[derive(Clone, Default)]
struct Latencies(Arc<Mutex<Vec<Duration>>>);

impl Latencies {
    fn add(&self, timestamp: Option<Time>) {
        let latency = timestamp.map(|timestamp| Duration::from(SystemClock.now().since(timestamp)));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(latency);
    }

    /// The latencies after the warm-up, in ascending order.
    fn measured(&self) -> Result<SortedLatencies> {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut measured = all.get(WARM_UP..).context("too few records were done")?.to_vec();
        ensure!(measured.len() * 10 >= MEASURED * 9, "only {} records of {MEASURED} were done", measured.len());
        measured.sort_unstable();
        Ok(SortedLatencies(measured))
    }
}

struct SortedLatencies(Vec<Duration>);

impl SortedLatencies {
    /// In milliseconds.
    fn percentile(&self, percent: usize) -> f64 {
        self.0[(self.0.len() * percent / 100).min(self.0.len() - 1)].as_secs_f64() * 1e3
    }
}

fn new_topic(bench: &KafkaBench) -> Result<String> {
    let by_broker = [("message.timestamp.type", "LogAppendTime")];
    bench.runtime.block_on(bench.cluster.create_topic("latency", &by_broker))
}

fn of_consumer(bench: &KafkaBench) -> Result<SortedLatencies> {
    let topic = new_topic(bench)?;
    let (latencies, stopwatch) = (Latencies::default(), Stopwatch::new((WARM_UP + MEASURED) as u64));
    let (seen, counted) = (latencies.clone(), stopwatch.clone());
    let handler = move |call: Call| {
        let (seen, counted) = (seen.clone(), counted.clone());
        async move {
            counted.work(WORK).await;
            seen.add(call.origin.timestamp);
            counted.done();
        }
    };
    let settings = bench.cluster.settings(&topic);
    let consumer = bench.runtime.block_on(KafkaConsumer::start(settings, handler, None))?;
    bench.runtime.block_on(until_assigned(&consumer))?;
    let produced = produce(&bench.cluster, &topic);
    let over = bench.runtime.block_on(stopwatch.until_over());
    bench.runtime.block_on(consumer.stop());
    produced?;
    over?;
    latencies.measured()
}

async fn until_assigned(consumer: &KafkaConsumer) -> Result<()> {
    let assigned = async {
        while consumer.snapshot().partitions.len() < PARTITIONS.unsigned_abs() as usize {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(ASSIGNED_WITHIN, assigned).await.context("the consumer got no partitions")
}

fn of_threads(bench: &KafkaBench) -> Result<SortedLatencies> {
    let topic = new_topic(bench)?;
    let (latencies, stopwatch) = (Latencies::default(), Stopwatch::new((WARM_UP + MEASURED) as u64));
    let seen = |millis: Option<i64>| latencies.add(millis.map(|millis| Time::from_micros(millis * 1_000)));
    std::thread::scope(|scope| {
        let producer = scope.spawn(|| produce(&bench.cluster, &topic));
        let processed = partition_threads::run(&bench.cluster, &topic, WORK, &stopwatch, seen);
        producer.join().map_err(|_| anyhow!("the producer panicked"))??;
        processed
    })?;
    latencies.measured()
}

/// Produces records at the rate: each when it is due, or immediately if it is late.
fn produce(cluster: &Cluster, topic: &str) -> Result<()> {
    let producer = cluster.producer("0")?;
    let begin = Instant::now();
    for (number, key) in (0..KEYS).cycle().take(WARM_UP + MEASURED).enumerate() {
        let due = begin + Duration::from_secs(1) * u32::try_from(number)? / RATE;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        producer.send(topic, key)?;
    }
    producer.flush()
}

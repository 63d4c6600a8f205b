//! Resident memory of a consumer whose handlers are blocked while a long backlog waits, in a separate process: this one
//! has memory left from other parts.

use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use redrive_kafka::{KafkaConsumer, KafkaSettings, ShutdownPolicy};
use redrive_run::Call;

use super::cluster::{Cluster, PARTITIONS};
use super::fixture::Backlog;
use crate::figure::{Figure, Target, progress};
use crate::process::resident_bytes;

/// If this variable is set, the program measures the memory of a consumer of this topic.
const CHILD_VARIABLE: &str = "REDRIVE_BENCH_KAFKA_MEMORY";
const MIB: f64 = (1 << 20) as f64;
/// What the client library may fetch ahead, in MiB.
const CLIENT_QUEUE: f64 = 16.0;
const MEASURED_EVERY: Duration = Duration::from_millis(100);
/// The consumer gets this long to fill its queue, and the same again to show that it stays at that.
const MEASUREMENTS: usize = 60;

pub(super) fn figures(backlog: &Backlog) -> Result<Vec<Figure>> {
    progress("memory while handlers are blocked");
    let child = Command::new(std::env::current_exe()?)
        .env(CHILD_VARIABLE, &backlog.topic)
        .stderr(Stdio::inherit())
        .output()
        .context("could not start the process of the consumer")?;
    ensure!(child.status.success(), "the process of the consumer failed: {}", child.status);
    let growth: u64 = String::from_utf8(child.stdout)?.trim().parse().context("the process printed no number")?;
    let limit = KafkaSettings::default().queue_max_bytes as f64 / MIB + CLIENT_QUEUE;
    let memory = (growth as f64 / MIB, limit);
    Ok(vec![
        Figure::of("memory, blocked handlers", "MiB of growth, 1 M records waiting", memory)
            .beside("queue_max_bytes + client queue", Target::AtMost(200.0)),
    ])
}

/// The topic, if this process was started to measure the memory of a consumer.
pub(crate) fn child_topic() -> Option<String> {
    std::env::var(CHILD_VARIABLE).ok()
}

/// Prints by how many bytes the resident memory of this process grows, at most.
pub(crate) fn measure(topic: &str) -> Result<()> {
    let cluster = Cluster::from_environment()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let growth = runtime.block_on(growth(&cluster, topic))?;
    println!("{growth}");
    Ok(())
}

async fn growth(cluster: &Cluster, topic: &str) -> Result<u64> {
    let settings = KafkaSettings {
        // The bytes are the limit, not the number of records.
        queue_max_messages: 10_000_000,
        shutdown_policy: ShutdownPolicy::Abort,
        ..cluster.settings(topic)
    };
    let before = resident_bytes()?;
    let consumer = KafkaConsumer::start(settings, |_: Call| std::future::pending::<()>(), None).await?;
    let mut most = before;
    for _ in 0..2 * MEASUREMENTS {
        tokio::time::sleep(MEASURED_EVERY).await;
        most = most.max(resident_bytes()?);
    }
    let snapshot = consumer.snapshot();
    consumer.stop().await;
    eprintln!("  {} records of {} bytes are held", snapshot.running + snapshot.queued, snapshot.bytes);
    let is_paused = snapshot.paused_partitions == PARTITIONS.unsigned_abs() as usize;
    ensure!(is_paused, "the consumer has not filled its queue: {} bytes are held", snapshot.bytes);
    Ok(most.saturating_sub(before))
}

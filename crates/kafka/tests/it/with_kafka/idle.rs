//! The CPU time of a consumer that has nothing to do. It is measured in a process of its own.

use std::time::Duration;

use redrive_kafka::{KafkaConsumer, KafkaSettings};
use redrive_run::Call;

use crate::fixture::{ChildProcess, Cluster, NewRecord, Recorder, is_child, not_found, report, variable, wait_until};

const SETTINGS: &str = "REDRIVE_KAFKA_CHILD_SETTINGS";
const PENDING: &str = "REDRIVE_KAFKA_CHILD_PENDING";
/// How long is measured.
const WINDOW: Duration = Duration::from_secs(3);
/// The share of one core that a consumer may use without work, in percent.
const IDLE_PERCENT_MAX: u64 = 5;

/// The CPU time of all threads of this process, in milliseconds.
fn cpu_millis() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The name of the program may contain spaces. After it, user and system time are fields 12 and 13, in ticks of 10 ms.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap() * 10).sum()
}

/// Not a test: a consumer that measures itself once this many letters wait.
#[test]
fn consumer() {
    if !is_child() {
        return;
    }
    let settings: KafkaSettings = serde_json::from_str(&variable(SETTINGS)).unwrap();
    let pending: usize = variable(PENDING).parse().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let handler = Recorder::new(|_: &Call| Err(not_found()));
        let consumer = KafkaConsumer::start(settings, handler, None).await.unwrap();
        wait_until("the consumer has its partitions and its letters", async || {
            let snapshot = consumer.snapshot();
            !snapshot.partitions.is_empty() && snapshot.dlq_pending == pending
        })
        .await;
        // The delays between hand-overs grow at first.
        tokio::time::sleep(WINDOW).await;
        let before = cpu_millis();
        tokio::time::sleep(WINDOW).await;
        report(&(cpu_millis() - before).to_string());
        assert_eq!(consumer.snapshot().dlq_pending, pending);
    });
}

/// The CPU time in percent of one core of a consumer with these settings.
fn measure(settings: &KafkaSettings, pending: usize) -> u64 {
    let text = serde_json::to_string(settings).unwrap();
    let variables = [(SETTINGS, text.as_str()), (PENDING, &pending.to_string())];
    let child = ChildProcess::start(module_path!(), "consumer", &variables);
    let millis: u64 = child.next_report().parse().unwrap();
    let percent = millis * 100 / u64::try_from(WINDOW.as_millis()).unwrap();
    println!("{pending} letters wait: {millis} ms of CPU time in {WINDOW:?}, {percent} %");
    percent
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_consumer_without_records_uses_no_cpu() {
    let (cluster, topic) = Cluster::with_topic("idle", 8).await;
    let percent = measure(&cluster.settings(&topic), 0);
    assert!(percent <= IDLE_PERCENT_MAX, "{percent} % of a core");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_consumer_whose_dlq_is_down_does_not_spin() {
    let (cluster, topic) = Cluster::with_topic("pending", 8).await;
    let rejecting = [("retention.ms", "-1"), ("max.message.bytes", "1")];
    cluster.alter(&format!("{topic}.dlq"), &rejecting).await;
    let records: Vec<NewRecord> = (0..200).map(|number| NewRecord::keyed(&format!("k{number}"), "bad")).collect();
    cluster.produce(&topic, &records);
    let percent = measure(&cluster.settings(&topic), records.len());
    assert!(percent <= 2 * IDLE_PERCENT_MAX, "{percent} % of a core");
}

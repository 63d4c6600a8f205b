//! Consumers in another process that is killed in the middle of its work.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::{Span, SplitMix64};
use redrive_kafka::{KafkaConsumer, KafkaSettings};
use redrive_run::{Call, Handled, Handler};
use redrive_testkit::{TempDir, folder};

use crate::fixture::{
    ChildProcess, Cluster, History, LoadRecord, check_letters, is_child, load, rounds, to_produce, variable, wait_until,
};

const SETTINGS: &str = "REDRIVE_KAFKA_CHILD_SETTINGS";
const LOG: &str = "REDRIVE_KAFKA_CHILD_LOG";
const PARTITIONS: i32 = 4;
const KEYS: u64 = 40;

/// Writes a line for each step to a file that all processes append to.
struct LoggingHandler(Arc<File>);

impl LoggingHandler {
    fn log(&self, step: &str, record: LoadRecord) {
        // One write for a line, so that no line is torn by a kill or by another process.
        (&*self.0).write_all(format!("{} {step} {record}\n", std::process::id()).as_bytes()).unwrap();
    }
}

/// Logs how the attempt ended, also if it was cancelled.
struct RunningRecord<'h> {
    handler: &'h LoggingHandler,
    record: LoadRecord,
    step: &'static str,
}

impl Drop for RunningRecord<'_> {
    fn drop(&mut self) {
        self.handler.log(self.step, self.record);
    }
}

#[async_trait]
impl Handler for LoggingHandler {
    async fn handle(&self, call: Call) -> Handled {
        let record = LoadRecord::parse(std::str::from_utf8(&call.content.payload).unwrap());
        self.log("started", record);
        let mut running = RunningRecord { handler: self, record, step: "failed" };
        tokio::time::sleep(Duration::from_millis(5)).await;
        let result = record.result(call.attempt);
        let fails_again = result.as_ref().is_err_and(|failure| failure.error.message == "busy");
        running.step = if fails_again { "failed" } else { "ended" };
        drop(running);
        result.map_or_else(Handled::failed, |()| Handled::DONE)
    }
}

/// Not a test: the process that the tests kill.
#[test]
fn consumer() {
    if !is_child() {
        return;
    }
    let settings: KafkaSettings = serde_json::from_str(&variable(SETTINGS)).unwrap();
    let file = OpenOptions::new().append(true).create(true).open(variable(LOG)).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let _consumer = KafkaConsumer::start(settings, LoggingHandler(Arc::new(file)), None).await.unwrap();
        std::future::pending::<()>().await;
    });
}

/// The log of all processes.
struct Log {
    path: PathBuf,
    _folder: TempDir,
}

impl Log {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        Self { path: folder.path().join("log"), _folder: folder }
    }

    fn lines(&self) -> usize {
        std::fs::read(&self.path).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count())
    }

    /// Checks the order of every key over all processes.
    fn history(&self) -> History {
        let mut history = History::default();
        for line in std::fs::read_to_string(&self.path).unwrap().lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [process, step, record] = words[..] else { panic!("a torn line: {line}") };
            let record = LoadRecord::parse(record);
            match step {
                "started" => history.started(process, record),
                "failed" => history.failed(record),
                _ => history.ended(record),
            }
        }
        history
    }
}

/// Kills consumers of one group in the middle of a load until the last one has done the rest. Returns the number of
/// letters that are there a second time.
async fn kill_consumers(name: &str, kills: u64, change: impl FnOnce(&Cluster, &mut KafkaSettings)) -> usize {
    let (cluster, topic) = Cluster::with_topic(name, PARTITIONS).await;
    let load = load(KEYS, 15 * (kills + 1));
    cluster.produce(&topic, to_produce(&load));
    let mut settings = KafkaSettings { max_in_flight: 16, ..cluster.settings(&topic) };
    change(&cluster, &mut settings);
    let group = settings.group_id.clone();
    let log = Log::new(name);
    let text = serde_json::to_string(&settings).unwrap();
    let variables = [(SETTINGS, text.as_str()), (LOG, log.path.to_str().unwrap())];
    let mut random = SplitMix64::new(1);
    for _ in 0..kills {
        let mut child = ChildProcess::start(module_path!(), "consumer", &variables);
        // Two lines a record. The load is long enough for all kills.
        let lines = log.lines() + usize::try_from(200 + random.next() % 800).unwrap();
        wait_until("the child processes records", async || {
            assert!(child.is_running(), "the child has ended");
            log.lines() >= lines
        })
        .await;
        child.kill();
    }
    let mut child = ChildProcess::start(module_path!(), "consumer", &variables);
    let end = i64::try_from(load.len()).unwrap();
    wait_until("the last child commits the end", async || {
        assert!(child.is_running(), "the child has ended");
        cluster.committed_sum(&group, &topic, PARTITIONS) == end
    })
    .await;
    child.kill();
    let history = log.history();
    history.check_all_ended(&load);
    let repeated = check_letters(&load, &cluster.letters(&topic));
    println!("{} records, {} of them again, {repeated} letters a second time", load.len(), history.repeated);
    repeated
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_consumer_loses_no_record_no_letter_and_no_order() {
    kill_consumers("killed", rounds(3, 20), |_, _| {}).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_transactions_a_killed_consumer_leaves_exactly_one_letter_per_failure() {
    let repeated = kill_consumers("killed-transactions", rounds(2, 20), |cluster, settings| {
        settings.dlq_transactional_id = Some(cluster.name("killed"));
    })
    .await;
    assert_eq!(repeated, 0, "letters are there a second time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspended_consumer_whose_partitions_moved_adds_no_letter_and_no_commit() {
    let (cluster, topic) = Cluster::with_topic("zombie", PARTITIONS).await;
    let load = load(KEYS, 30);
    cluster.produce(&topic, to_produce(&load));
    let log = Log::new("zombie");
    let start = |name: &str| {
        let mut settings = KafkaSettings {
            max_in_flight: 16,
            dlq_delivery_timeout: Span::from_secs(2),
            dlq_transactional_id: Some(cluster.name(name)),
            ..cluster.settings(&topic)
        };
        // The broker aborts the open transaction of the suspended consumer, which its successor waits for.
        settings.producer_properties.insert("transaction.timeout.ms".to_owned(), "2000".to_owned());
        let text = serde_json::to_string(&settings).unwrap();
        let variables = [(SETTINGS, text.as_str()), (LOG, log.path.to_str().unwrap())];
        (ChildProcess::start(module_path!(), "consumer", &variables), settings.group_id)
    };
    let (mut zombie, group) = start("first");
    wait_until("the first consumer works", async || log.lines() >= 500).await;
    zombie.suspend();
    let (mut successor, _) = start("second");
    let end = i64::try_from(load.len()).unwrap();
    let committed = || cluster.committed_sum(&group, &topic, PARTITIONS);
    wait_until("the successor commits the end", async || committed() == end).await;
    // What was running ends, whatever becomes of its result. It is a member again when it processes a second load.
    zombie.resume();
    successor.kill();
    let more: Vec<LoadRecord> = self::load(KEYS, 32).split_off(load.len());
    cluster.produce(&topic, to_produce(&more));
    let end = end + i64::try_from(more.len()).unwrap();
    wait_until("the first consumer commits the end", async || committed() == end).await;
    assert!(zombie.is_running());
    zombie.kill();
    let all = [load, more].concat();
    log.history().check_all_ended(&all);
    assert_eq!(check_letters(&all, &cluster.letters(&topic)), 0, "letters are there a second time");
}

//! A process with runners over a store on disk that is killed repeatedly during its work.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use redrive_core::{Backoff, Failure, Policy, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{CreateQueue, DeathReason, GetConservation, GetStats, Produce, QueueSettings, Rejection};
use redrive_run::{Call, DueLetters, Handled, Runner, RunnerSettings, StoreQueue};
use redrive_store::{Store, StoreError};
use redrive_testkit::{folder, soak_factor};

use crate::fixture::{
    Random, dead, item, queue, queue_name, run_on_threads, transient, wait_for, wait_until, without_breaker,
};

const DIRECTORY: &str = "REDRIVE_RUN_CHILD";
const FIRST: &str = "REDRIVE_RUN_CHILD_FIRST";
const POISON: &str = "REDRIVE_RUN_CHILD_POISON";
const ATTEMPTS: u32 = 3;
const KILLS: u64 = 10;
/// The number of items that one child produces.
const ITEMS: u64 = 300;
/// Short, so that the leases of a killed process expire soon.
const LEASE: Span = Span::from_millis(300);

fn open(directory: &Path) -> EmbeddedStore {
    let options = EmbeddedOptions { segment_bytes: 1 << 20, ..EmbeddedOptions::default() };
    EmbeddedStore::open(directory, &options).expect("the store can be opened after a crash")
}

async fn create(store: &EmbeddedStore, settings: QueueSettings) {
    match store.create_queue(CreateQueue { settings }).await {
        Ok(_) | Err(StoreError::Rejected(Rejection::QueueExists(_))) => {}
        Err(error) => panic!("{error}"),
    }
}

async fn create_queues(store: &EmbeddedStore) {
    create(store, queue("dead")).await;
    let mut orders = queue("orders");
    orders.dead_queue = Some(dead());
    orders.max_attempts = ATTEMPTS;
    orders.lease_timeout = LEASE;
    create(store, orders).await;
}

fn policy() -> Policy {
    Policy::builder().max_attempts(ATTEMPTS).backoff(Backoff::fixed(Span::ZERO)).build().unwrap()
}

fn orders(store: &EmbeddedStore) -> StoreQueue {
    StoreQueue::new(Arc::new(store.clone()), queue_name("orders"), LEASE)
}

/// Sends a line to the parent process, unbuffered.
fn report(line: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n@ {line}").unwrap();
    out.flush().unwrap();
}

/// Reports each attempt before it does the work. Most attempts succeed, some fail, some hang.
async fn work(call: Call) -> Handled {
    let number = String::from_utf8_lossy(&call.content.payload).into_owned();
    report(&format!("run {number} {}", call.attempt));
    if number == "poison" {
        std::process::abort();
    }
    let mut random = Random::new(number.parse::<u64>().unwrap() * 7 + u64::from(call.attempt));
    for _ in 0..random.below(50) {
        tokio::task::yield_now().await;
    }
    match random.below(100) {
        0..70 => {
            report(&format!("done {number}"));
            Handled::DONE
        }
        70..90 => Handled::failed(transient()),
        90..95 => Handled::failed(Failure::new("no such thing")),
        _ => std::future::pending().await,
    }
}

/// Not a test: the process that the tests kill.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let first: u64 = std::env::var(FIRST).unwrap().parse().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    runtime.block_on(async {
        let store = open(&PathBuf::from(directory));
        create_queues(&store).await;
        let settings = |concurrency| RunnerSettings { timeout: Span::from_millis(200), ..without_breaker(concurrency) };
        let mut running = Vec::new();
        for concurrency in [1, 4, 16] {
            let runner = Runner::new(orders(&store), work, policy(), settings(concurrency)).unwrap();
            running.push(runner.start().await.unwrap());
        }
        let letters = DueLetters::new(Arc::new(store.clone()), dead(), LEASE);
        running.push(Runner::new(letters, work, policy(), settings(4)).unwrap().start().await.unwrap());
        if std::env::var_os(POISON).is_some() {
            store.produce(Produce::new(queue_name("orders"), vec![item("poison")])).await.unwrap();
        }
        let mut random = Random::new(first);
        let mut next = first;
        while next < first + ITEMS {
            let last = (next + 1 + random.below(5) as u64).min(first + ITEMS);
            // Reported before and after: items that were not acknowledged may exist, acknowledged ones must.
            report(&format!("produce {next} {last}"));
            let items = (next..last).map(|number| item(&number.to_string())).collect();
            store.produce(Produce::new(queue_name("orders"), items)).await.unwrap();
            report(&format!("produced {next} {last}"));
            next = last;
        }
        std::future::pending::<()>().await;
    });
}

fn start(directory: &Path, first: u64, is_poisoned: bool) -> (Child, impl Iterator<Item = String>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "runner::killed::child", "--nocapture"]);
    command.env(DIRECTORY, directory).env(FIRST, first.to_string());
    if is_poisoned {
        command.env(POISON, "1");
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    (child, lines.filter_map(|line| line.strip_prefix("@ ").map(str::to_owned)))
}

/// The reports of the children.
#[derive(Debug, Default)]
struct Reports {
    produced: BTreeSet<u64>,
    next: u64,
    done: BTreeSet<u64>,
    /// The newest attempt of each item that started.
    attempts: BTreeMap<u64, u32>,
}

impl Reports {
    fn add(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| words.get(index).and_then(|word| word.parse::<u64>().ok());
        match (words[0], number(1), number(2)) {
            ("produce", Some(_), Some(last)) => self.next = self.next.max(last),
            ("produced", Some(first), Some(last)) => self.produced.extend(first..last),
            ("done", Some(work), _) => drop(self.done.insert(work)),
            ("run", Some(work), Some(attempt)) => {
                let attempt = u32::try_from(attempt).unwrap();
                assert!(attempt <= ATTEMPTS, "{work} has attempt {attempt}, over the limit");
                let before = self.attempts.insert(work, attempt).unwrap_or(0);
                assert!(
                    before < attempt,
                    "attempt {attempt} of {work} after attempt {before}: a crash must count as an attempt"
                );
            }
            // The last line of a killed child may be incomplete.
            _ => {}
        }
    }
}

#[test]
fn work_of_killed_processes_is_completed_or_becomes_a_letter_within_its_attempt_limit() {
    if std::env::var_os(DIRECTORY).is_some() {
        return;
    }
    let folder = folder("killed");
    let mut reports = Reports::default();
    let mut random = Random::new(1);
    for _ in 0..KILLS * soak_factor() {
        let (mut child, mut lines) = start(folder.path(), reports.next, false);
        for _ in 0..50 + random.below(500) {
            reports.add(&lines.next().expect("the child reports until it is killed"));
        }
        child.kill().unwrap();
        lines.for_each(|line| reports.add(&line));
        child.wait().unwrap();
    }
    run_on_threads(2, async {
        let store = open(folder.path());
        let (tx, mut rx) = tokio::sync::mpsc::channel::<(u64, u32)>(100_000);
        let handler = move |call: Call| {
            let tx = tx.clone();
            async move {
                let number = String::from_utf8_lossy(&call.content.payload).parse().unwrap();
                tx.send((number, call.attempt)).await.unwrap();
            }
        };
        let running =
            Runner::new(orders(&store), handler, policy(), without_breaker(16)).unwrap().start().await.unwrap();
        wait_until("an empty queue", || async { total(&store, "orders").await == 0 }).await;
        running.stop(Span::from_secs(1)).await;
        while let Ok((number, attempt)) = rx.try_recv() {
            reports.add(&format!("run {number} {attempt}"));
            reports.add(&format!("done {number}"));
        }
        let letters = letters(&store).await;
        let mut lost = 0;
        for number in &reports.produced {
            match letters.get(number) {
                None => {
                    assert!(reports.done.contains(number), "{number} is lost: no letter, and no handler completed it");
                }
                Some((attempts, reason)) => {
                    let started = reports.attempts.get(number).copied().unwrap_or(0);
                    assert!(
                        (started..=ATTEMPTS).contains(attempts),
                        "{number}: {attempts} attempts, {started} started"
                    );
                    assert!(started >= 1 || *reason == DeathReason::MaxAttempts, "{number} died without an attempt");
                    lost += u32::from(*reason == DeathReason::MaxAttempts);
                }
            }
        }
        assert!(
            reports.produced.len() > 100 && letters.len() > 10,
            "too little work to test anything: {} letters",
            letters.len()
        );
        println!("{} produced, {} letters, {lost} of them by crashes alone", reports.produced.len(), letters.len());
        assert!(store.conservation(GetConservation).await.unwrap().holds());
        store.close().await.unwrap();
    });
}

#[test]
fn an_item_that_crashes_its_process_becomes_a_letter_when_its_attempts_are_spent() {
    if std::env::var_os(DIRECTORY).is_some() {
        return;
    }
    let folder = folder("poison");
    let mut reports = Reports::default();
    for crash in 1..=ATTEMPTS {
        // Only the first child produces the poison item.
        let (mut child, lines) = start(folder.path(), reports.next, crash == 1);
        let mut poison_attempts = Vec::new();
        for line in lines {
            reports.add(&line);
            poison_attempts.extend(line.strip_prefix("run poison ").map(str::to_owned));
        }
        assert!(!child.wait().unwrap().success());
        assert_eq!(poison_attempts, [crash.to_string()], "each crash counts as one attempt");
    }
    run_on_threads(2, async {
        let store = open(folder.path());
        let handler = |call: Call| async move {
            assert_ne!(call.content.payload, "poison", "the poison item must not run again");
        };
        let running =
            Runner::new(orders(&store), handler, policy(), without_breaker(16)).unwrap().start().await.unwrap();
        wait_until("an empty queue", || async { total(&store, "orders").await == 0 }).await;
        running.stop(Span::from_secs(1)).await;
        let list = redrive_model::ListLetters { queue: dead(), statuses: Vec::new(), after: None, limit: 100_000 };
        // Its last lease may not have expired yet.
        let letter = wait_for("the letter of the poison item", async {
            loop {
                let letters = store.letters(list.clone()).await.unwrap();
                let poison = letters.iter().find(|letter| letter.info.source_id.as_deref() == Some("poison"));
                if let Some(poison) = poison {
                    return poison.info.letter.as_ref().unwrap().id;
                }
                tokio::task::yield_now().await;
            }
        })
        .await;
        let record = store.letter(redrive_model::GetLetter { queue: dead(), letter }).await.unwrap();
        let death = record.context.unwrap().death.unwrap();
        assert_eq!((death.attempts, death.reason), (ATTEMPTS, DeathReason::MaxAttempts));
        store.close().await.unwrap();
    });
}

async fn total(store: &EmbeddedStore, name: &str) -> u64 {
    store
        .stats(GetStats { queue: queue_name(name) })
        .await
        .unwrap()
        .partitions
        .iter()
        .map(|partition| partition.total)
        .sum()
}

/// The letters by the number of their item, with attempts and reason of death.
async fn letters(store: &EmbeddedStore) -> BTreeMap<u64, (u32, DeathReason)> {
    let list = redrive_model::ListLetters { queue: dead(), statuses: Vec::new(), after: None, limit: 100_000 };
    let mut letters = BTreeMap::new();
    for stored in store.letters(list).await.unwrap() {
        let letter = stored.info.letter.as_ref().unwrap().id;
        let record = store.letter(redrive_model::GetLetter { queue: dead(), letter }).await.unwrap();
        let death = record.context.unwrap().death.unwrap();
        let number = stored.info.source_id.unwrap().parse().unwrap();
        assert!(letters.insert(number, (death.attempts, death.reason)).is_none(), "{number} has two letters");
    }
    letters
}

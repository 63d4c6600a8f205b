//! A process that is killed while it uses a store on the real disk.
//!
//! This cannot detect a missing sync, since the operating system keeps what a dead process wrote; the tests on the
//! simulated disk do. It shows that nothing else depends on a clean shutdown.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redrive_core::{Priority, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{
    CreateQueue, DeadCause, GetConservation, Lease, ListLetters, NewItem, OnRejected, Produce, Rejection, Settle,
    SettleAction, Settlement,
};
use redrive_store::{Store, StoreError};
use redrive_testkit::{folder, soak_factor};
use tokio::task::JoinSet;

use crate::rig::{Random, SEGMENT, error_chain, item, items, name, number_of, run, settings, waiting_lease};

const DIRECTORY: &str = "REDRIVE_STORE_CHILD";
const FIRST: &str = "REDRIVE_STORE_CHILD_FIRST";
const ROUNDS: u64 = 50;

fn options() -> EmbeddedOptions {
    EmbeddedOptions { segment_bytes: SEGMENT, cache_bytes: 16 * 1024, ..EmbeddedOptions::default() }
}

fn open(directory: &Path) -> EmbeddedStore {
    EmbeddedStore::open(directory, &options()).unwrap_or_else(|error| panic!("opening failed: {}", error_chain(&error)))
}

/// Not a test but the process that gets killed. It prints each operation before it starts, and again when it is
/// acknowledged.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let first: u64 = std::env::var(FIRST).unwrap().parse().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    runtime.block_on(async {
        let store = open(&PathBuf::from(directory));
        for queue in ["dead", "orders"] {
            let mut settings = settings(queue);
            // Short, so that items leased by a killed process are available again soon.
            settings.lease_timeout = Span::from_millis(300);
            if queue == "orders" {
                settings.dead_queue = Some(name("dead"));
            }
            match store.create_queue(CreateQueue { settings }).await {
                Ok(_) | Err(StoreError::Rejected(Rejection::QueueExists(_))) => {}
                Err(error) => panic!("{error}"),
            }
        }
        let next = Arc::new(AtomicU64::new(first));
        let mut tasks = JoinSet::new();
        for task in 0..3 {
            tasks.spawn(produce(store.clone(), Arc::clone(&next), Random::new(first + task)));
            tasks.spawn(consume(store.clone(), Random::new(first + 100 + task)));
        }
        // Until it is killed.
        while let Some(ended) = tasks.join_next().await {
            ended.unwrap();
        }
    });
}

async fn produce(store: EmbeddedStore, next: Arc<AtomicU64>, mut random: Random) {
    loop {
        let count = 1 + random.below(5) as u64;
        let first = next.fetch_add(count, Ordering::Relaxed);
        let numbers: Vec<u64> = (first..first + count).collect();
        let items = numbers.iter().map(|number| {
            let priority = Priority::ALL[random.below(3)];
            let message_id = Some(format!("message-{number}").into());
            NewItem { priority, message_id, ..item(*number, 10 + random.below(2_000)) }
        });
        let produce = Produce::new(name("orders"), items.collect());
        print("produce", &numbers);
        store.produce(produce).await.unwrap();
        print("produced", &numbers);
    }
}

async fn consume(store: EmbeddedStore, mut random: Random) {
    loop {
        let batch = 1 + random.below(4) as u64;
        let leased = match store.lease(Lease { wait: Span::from_secs(1), ..waiting_lease("orders", batch) }).await {
            Ok(leased) => leased,
            Err(StoreError::TimedOut) => continue,
            Err(error) => panic!("{error}"),
        };
        let is_dead = random.chance(15);
        let numbers: Vec<u64> = leased.items.iter().map(|item| number_of(&item.content.payload).unwrap()).collect();
        let action = || {
            if is_dead {
                SettleAction::Dead { attempt: None, why: DeadCause::Permanent }
            } else {
                SettleAction::Complete { attempt: None }
            }
        };
        let items = leased.items.iter().map(|item| Settlement { id: item.info.id, action: action() }).collect();
        print(if is_dead { "give-up" } else { "complete" }, &numbers);
        let (queue, partition, on_rejected) = (name("orders"), Some(leased.partition), OnRejected::Continue);
        let answers = store.settle(Settle { queue, partition, items, on_rejected }).await.unwrap();
        // On a busy machine a lease may have expired: its items are rejected.
        let settled = numbers.into_iter().zip(answers).filter(|(_, answer)| answer.is_ok());
        let settled: Vec<u64> = settled.map(|(number, _)| number).collect();
        print(if is_dead { "gave-up" } else { "completed" }, &settled);
    }
}

fn print(what: &str, numbers: &[u64]) {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    println!("{what} {}", numbers.join(","));
}

/// The output of the killed processes.
#[derive(Default)]
struct ChildOutput {
    /// The numbers of the items, by what was announced or acknowledged.
    produced: BTreeSet<u64>,
    announced: BTreeSet<u64>,
    completed: BTreeSet<u64>,
    may_be_completed: BTreeSet<u64>,
    given_up: BTreeSet<u64>,
    /// Items of one produce: all of them must be found, or none.
    together: Vec<Vec<u64>>,
    highest: u64,
}

impl ChildOutput {
    fn record(&mut self, line: &str) -> bool {
        // The first line of a process is preceded by output of the test harness.
        let words = ["produced", "produce", "completed", "complete", "gave-up", "give-up"];
        let Some((at, what)) = words.iter().find_map(|word| Some((line.find(&format!("{word} "))?, *word))) else {
            return false;
        };
        let numbers = line[at + what.len() + 1..].split(',').filter_map(|number| number.parse::<u64>().ok());
        let numbers: Vec<u64> = numbers.collect();
        self.highest = numbers.iter().copied().max().unwrap_or(0).max(self.highest);
        match what {
            "produce" => {
                self.announced.extend(&numbers);
                self.together.push(numbers);
            }
            "produced" => self.produced.extend(&numbers),
            "complete" => self.may_be_completed.extend(&numbers),
            "completed" => self.completed.extend(&numbers),
            "gave-up" => self.given_up.extend(&numbers),
            _ => {}
        }
        matches!(what, "produced" | "completed" | "gave-up")
    }

    /// Checks the items that were found, given as number and queue.
    fn check(&self, found: &BTreeMap<u64, &str>) {
        for number in &self.produced {
            let may_be_gone = self.may_be_completed.contains(number) || self.completed.contains(number);
            assert!(may_be_gone || found.contains_key(number), "item {number} was acknowledged, but is lost");
        }
        for number in &self.completed {
            assert!(!found.contains_key(number), "item {number} was completed, but was found");
        }
        for number in &self.given_up {
            let queue = found.get(number);
            assert!(queue.is_none_or(|queue| *queue == "dead"), "item {number} was given up, but is in {queue:?}");
        }
        for number in found.keys() {
            assert!(self.announced.contains(number), "item {number} was never produced");
        }
        for numbers in &self.together {
            let is_there = |number: &&u64| found.contains_key(number) || self.may_be_completed.contains(number);
            let there = numbers.iter().filter(is_there).count();
            assert!(there == 0 || there == numbers.len(), "only {there} of {numbers:?} were found");
        }
    }
}

async fn all(store: &EmbeddedStore) -> BTreeMap<u64, &'static str> {
    let mut found = BTreeMap::new();
    let mut sources = BTreeSet::new();
    for queue in ["orders", "dead"] {
        let mut items = items(store, queue).await;
        let list = ListLetters { queue: name(queue), statuses: Vec::new(), after: None, limit: 1_000_000 };
        items.extend(store.letters(list).await.unwrap());
        let ids: BTreeSet<_> = items.iter().map(|item| item.info.id).collect();
        items.sort_by_key(|item| item.info.id);
        items.dedup_by_key(|item| item.info.id);
        assert_eq!(ids.len(), items.len());
        for item in &items {
            let number = number_of(&item.content.payload).expect("its own payload");
            assert!(found.insert(number, queue).is_none(), "item {number} was found twice");
            assert!(sources.insert((queue, item.info.source_id.clone())), "a source id was found twice");
        }
    }
    let conservation = store.conservation(GetConservation).await.unwrap();
    assert!(conservation.holds() && conservation.present == found.len() as u64, "{conservation:?}, {}", found.len());
    found
}

#[test]
fn acknowledged_changes_survive_a_kill() {
    if std::env::var_os(DIRECTORY).is_some() {
        return;
    }
    let folder = folder("killed");
    let mut output = ChildOutput::default();
    let mut random = Random::new(1);
    for round in 0..ROUNDS * soak_factor() {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::child", "--nocapture"])
            .env(DIRECTORY, folder.path())
            .env(FIRST, (output.highest + 1).to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        // Killed after a different number of acknowledgements in each round, in the middle of the next operations.
        let mut left = random.below(120);
        while left > 0 {
            let Some(line) = lines.next() else { panic!("round {round}: the child ended early") };
            left -= usize::from(output.record(&line));
        }
        child.kill().unwrap();
        // Output before its death counts, too.
        for line in lines {
            output.record(&line);
        }
        child.wait().unwrap();
        run(async {
            let store = open(folder.path());
            output.check(&all(&store).await);
            // Half of the time without closing: the directory is released nevertheless, a little later.
            let store = if random.chance(50) {
                store
            } else {
                drop(store);
                loop {
                    match EmbeddedStore::open(folder.path(), &options()) {
                        Ok(store) => break store,
                        Err(_still_locked) => tokio::task::yield_now().await,
                    }
                }
            };
            store.close().await.unwrap();
        });
    }
    assert!(output.completed.len() > 100 && output.given_up.len() > 10, "too few items were settled");
}

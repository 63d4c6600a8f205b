//! A process with runners over a journal that is killed in the middle of its work, again and again.

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

use crate::rig::{Random, dead, item, named, queue, run_on_threads, soon, transient, unbroken, until};

const DIRECTORY: &str = "REDRIVE_RUN_CHILD";
const FIRST: &str = "REDRIVE_RUN_CHILD_FIRST";
const POISON: &str = "REDRIVE_RUN_CHILD_POISON";
const ATTEMPTS: u32 = 3;
const KILLS: u64 = 10;
/// What one child produces.
const ITEMS: u64 = 300;
/// Short, so that what a killed process held comes back soon.
const LEASE: Span = Span::from_millis(300);

fn open(directory: &Path) -> EmbeddedStore {
    let options = EmbeddedOptions { segment_bytes: 1 << 20, ..EmbeddedOptions::default() };
    EmbeddedStore::open(directory, &options).expect("what was acknowledged can be opened")
}

async fn make(store: &EmbeddedStore, settings: QueueSettings) {
    match store.create_queue(CreateQueue { settings }).await {
        Ok(_) | Err(StoreError::Rejected(Rejection::QueueExists(_))) => {}
        Err(error) => panic!("{error}"),
    }
}

async fn make_queues(store: &EmbeddedStore) {
    make(store, queue("dead")).await;
    let mut orders = queue("orders");
    orders.dead_queue = Some(dead());
    orders.max_attempts = ATTEMPTS;
    orders.lease_timeout = LEASE;
    make(store, orders).await;
}

fn policy() -> Policy {
    Policy::builder().max_attempts(ATTEMPTS).backoff(Backoff::fixed(Span::ZERO)).build().unwrap()
}

fn orders(store: &EmbeddedStore) -> StoreQueue {
    StoreQueue::new(Arc::new(store.clone()), named("orders"), LEASE)
}

/// One word to the parent, at once.
fn say(words: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n@ {words}").unwrap();
    out.flush().unwrap();
}

/// Says what it does before it does it. Some fail, some hang, most succeed.
async fn work(call: Call) -> Handled {
    let number = String::from_utf8_lossy(&call.content.payload).into_owned();
    say(&format!("run {number} {}", call.attempt));
    if number == "poison" {
        std::process::abort();
    }
    let mut random = Random::new(number.parse::<u64>().unwrap() * 7 + u64::from(call.attempt));
    for _ in 0..random.below(50) {
        tokio::task::yield_now().await;
    }
    match random.below(100) {
        0..70 => {
            say(&format!("did {number}"));
            Handled::DONE
        }
        70..90 => Handled::failed(transient()),
        90..95 => Handled::failed(Failure::new("no such thing")),
        _ => std::future::pending().await,
    }
}

/// Not a test of its own: the process that gets killed.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let first: u64 = std::env::var(FIRST).unwrap().parse().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    runtime.block_on(async {
        let store = open(&PathBuf::from(directory));
        make_queues(&store).await;
        let settings = |concurrency| RunnerSettings { timeout: Span::from_millis(200), ..unbroken(concurrency) };
        let mut running = Vec::new();
        for concurrency in [1, 4, 16] {
            let runner = Runner::new(orders(&store), work, policy(), settings(concurrency)).unwrap();
            running.push(runner.start().await.unwrap());
        }
        let letters = DueLetters::new(Arc::new(store.clone()), dead(), LEASE);
        running.push(Runner::new(letters, work, policy(), settings(4)).unwrap().start().await.unwrap());
        if std::env::var_os(POISON).is_some() {
            let twin = store.produce(Produce::new(named("orders"), vec![item("poison")])).await;
            twin.unwrap();
        }
        let mut random = Random::new(first);
        let mut next = first;
        while next < first + ITEMS {
            let last = (next + 1 + random.below(5) as u64).min(first + ITEMS);
            // Said before and after: what was not acknowledged may be there, what was must be.
            say(&format!("produce {next} {last}"));
            let items = (next..last).map(|number| item(&number.to_string())).collect();
            store.produce(Produce::new(named("orders"), items)).await.unwrap();
            say(&format!("produced {next} {last}"));
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

/// What the children said.
#[derive(Debug, Default)]
struct Heard {
    produced: BTreeSet<u64>,
    next: u64,
    did: BTreeSet<u64>,
    /// The newest attempt that began.
    attempts: BTreeMap<u64, u32>,
}

impl Heard {
    fn hear(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| words.get(index).and_then(|word| word.parse::<u64>().ok());
        match (words[0], number(1), number(2)) {
            ("produce", Some(_), Some(last)) => self.next = self.next.max(last),
            ("produced", Some(first), Some(last)) => self.produced.extend(first..last),
            ("did", Some(work), _) => drop(self.did.insert(work)),
            ("run", Some(work), Some(attempt)) => {
                let attempt = u32::try_from(attempt).unwrap();
                assert!(attempt <= ATTEMPTS, "{work} is tried a {attempt}th time");
                let before = self.attempts.insert(work, attempt).unwrap_or(0);
                assert!(before < attempt, "attempt {attempt} of {work} after attempt {before}: a crash counts");
            }
            // The last line of one that was killed may be cut.
            _ => {}
        }
    }
}

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("run-{name}-{}", std::process::id()))
}

#[test]
fn work_of_processes_that_were_killed_is_done_or_a_letter_and_never_tried_too_often() {
    if std::env::var_os(DIRECTORY).is_some() {
        return;
    }
    let factor: u64 = std::env::var("REDRIVE_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    let directory = directory("killed");
    let mut heard = Heard::default();
    let mut random = Random::new(1);
    for _ in 0..KILLS * factor {
        let (mut child, mut lines) = start(&directory, heard.next, false);
        for _ in 0..50 + random.below(500) {
            heard.hear(&lines.next().expect("a child that works until it is killed"));
        }
        child.kill().unwrap();
        lines.for_each(|line| heard.hear(&line));
        child.wait().unwrap();
    }
    run_on_threads(2, async {
        let store = open(&directory);
        let (did, mut hear) = tokio::sync::mpsc::channel::<(u64, u32)>(100_000);
        let handler = move |call: Call| {
            let did = did.clone();
            async move {
                let number = String::from_utf8_lossy(&call.content.payload).parse().unwrap();
                did.send((number, call.attempt)).await.unwrap();
            }
        };
        let running = Runner::new(orders(&store), handler, policy(), unbroken(16)).unwrap().start().await.unwrap();
        until("an empty queue", || async { total(&store, "orders").await == 0 }).await;
        running.stop(Span::from_secs(1)).await;
        while let Ok((number, attempt)) = hear.try_recv() {
            heard.hear(&format!("run {number} {attempt}"));
            heard.hear(&format!("did {number}"));
        }
        let letters = letters(&store).await;
        let mut lost = 0;
        for number in &heard.produced {
            match letters.get(number) {
                None => assert!(heard.did.contains(number), "{number} is gone and nobody did it"),
                Some((attempts, reason)) => {
                    let begun = heard.attempts.get(number).copied().unwrap_or(0);
                    assert!((begun..=ATTEMPTS).contains(attempts), "{number}: {attempts} attempts, {begun} seen");
                    assert!(begun >= 1 || *reason == DeathReason::MaxAttempts, "{number} died untried");
                    lost += u32::from(*reason == DeathReason::MaxAttempts);
                }
            }
        }
        assert!(heard.produced.len() > 100 && letters.len() > 10, "there was work: {} letters", letters.len());
        println!("{} produced, {} letters, {lost} of them by crashes alone", heard.produced.len(), letters.len());
        assert!(store.conservation(GetConservation).await.unwrap().holds());
        store.close().await.unwrap();
    });
    std::fs::remove_dir_all(&directory).unwrap();
}

/// What kills its process is quarantined after as many crashes as it has attempts, and the others go on.
#[test]
fn an_item_that_kills_its_process_is_a_letter_after_as_many_crashes_as_it_has_attempts() {
    if std::env::var_os(DIRECTORY).is_some() {
        return;
    }
    let directory = directory("poison");
    let mut heard = Heard::default();
    for crash in 1..=ATTEMPTS {
        // Only the first one brings it along.
        let (mut child, lines) = start(&directory, heard.next, crash == 1);
        let mut killers = Vec::new();
        for line in lines {
            heard.hear(&line);
            killers.extend(line.strip_prefix("run poison ").map(str::to_owned));
        }
        assert!(!child.wait().unwrap().success());
        assert_eq!(killers, [crash.to_string()], "a crash counts, and each of them once");
    }
    run_on_threads(2, async {
        let store = open(&directory);
        let handler = |call: Call| async move {
            assert_ne!(call.content.payload, "poison", "it would have killed a fourth process");
        };
        let running = Runner::new(orders(&store), handler, policy(), unbroken(16)).unwrap().start().await.unwrap();
        until("an empty queue", || async { total(&store, "orders").await == 0 }).await;
        running.stop(Span::from_secs(1)).await;
        let list = redrive_model::ListLetters { queue: dead(), statuses: Vec::new(), after: None, limit: 100_000 };
        // Its last lease may still have a moment to run.
        let letter = soon("a letter about the poison", async {
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
    std::fs::remove_dir_all(&directory).unwrap();
}

async fn total(store: &EmbeddedStore, name: &str) -> u64 {
    store.stats(GetStats { queue: named(name) }).await.unwrap().partitions.iter().map(|partition| partition.total).sum()
}

/// Letters by the number of their item: how many attempts it had, and what it died of.
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

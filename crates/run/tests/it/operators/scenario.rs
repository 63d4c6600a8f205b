//! One scenario: letters, concurrent operations on them, a clock that advances by random steps, and crashes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::{Cause, LetterId, RetryPolicy, Span, Status, Trigger};
use redrive_journal::{Crash, SimDisk, SyncFault};
use redrive_model::{CreateQueue, GetConservation, NewLetter, Rejection, StoredItem};
use redrive_run::{ProcessorError, Retried};
use redrive_store::{ManualClock, Store, StoreError};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::coverage::Coverage;
use super::handler::RandomHandler;
use super::instance::{Instance, Operation};
use super::letter::LetterOp;
use super::linearize;
use super::log::RequestLog;
use crate::fixture::{Random, START, dead, new_letter, queue};

const STEPS: u64 = 40;
const OPERATORS: [&str; 2] = ["ann", "bob"];

type Answer = Result<Option<Retried>, ProcessorError>;

struct Scenario {
    seed: u64,
    random: Random,
    clock: ManualClock,
    disk: SimDisk,
    log: Arc<RequestLog>,
    instance: Instance,
    handler: Arc<RandomHandler>,
    steps: watch::Sender<u64>,
    always_succeeds: Arc<AtomicBool>,
    /// The operations on the current instance that have no answer yet.
    in_flight: JoinSet<Answer>,
    sources: usize,
    edits: usize,
}

pub(super) async fn run_scenario(seed: u64) -> Coverage {
    let mut scenario = Scenario::new(seed).await;
    for step in 0..STEPS {
        let crashes = scenario.random.chance(6);
        if crashes {
            scenario.crash_and_restart().await;
        } else {
            scenario.step(step).await;
        }
        scenario.check().await;
    }
    scenario.complete_all().await;
    scenario.check_histories().await
}

impl Scenario {
    async fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let clock = ManualClock::new(START);
        let (disk, log) = (SimDisk::new(), Arc::new(RequestLog::new(&clock)));
        let (steps, watching) = watch::channel(0);
        let always_succeeds = Arc::new(AtomicBool::new(false));
        let handler = Arc::new(RandomHandler {
            seed,
            log: Arc::clone(&log),
            clock: clock.clone(),
            steps: watching,
            always_succeeds: Arc::clone(&always_succeeds),
        });
        let instance = Instance::open(&disk, &clock, &log, random.next(), handler.clone());
        let mut settings = queue("dead");
        settings.letters.completed_retention = Some(Span::from_days(1_000));
        instance.store.create_queue(CreateQueue { settings }).await.unwrap();
        instance.processor.start(&dead()).await.unwrap();
        let in_flight = JoinSet::new();
        Self {
            seed,
            random,
            clock,
            disk,
            log,
            instance,
            handler,
            steps,
            always_succeeds,
            in_flight,
            sources: 0,
            edits: 0,
        }
    }

    async fn step(&mut self, step: u64) {
        self.start_operations();
        self.until_idle().await;
        self.steps.send_replace(step);
        self.until_idle().await;
        // Shorter than a lease, longer than a lease, or long enough for most scheduled retries.
        let longest = [1, 20_000, 90_000, 700_000][self.random.below(4)];
        self.clock.advance(Span::from_millis(self.random.below(longest) as u64));
        self.until_idle().await;
        self.log.read().step += 1;
    }

    /// Starts concurrent operations of the source and of all operators, often on the same letter.
    fn start_operations(&mut self) {
        for _ in 0..self.random.below(3) {
            let operation = self.capture();
            self.in_flight.spawn(self.instance.clone().perform(operation));
        }
        let letters: Vec<LetterId> = self.log.read().letters.keys().copied().collect();
        if letters.is_empty() {
            return;
        }
        let newest = letters.len().saturating_sub(12);
        let target = letters[newest + self.random.below(letters.len() - newest)];
        for actor in OPERATORS {
            for _ in 0..1 + self.random.below(2) {
                let other = letters[self.random.below(letters.len())];
                let letter = if self.random.chance(70) { target } else { other };
                let operation = self.random_operation(letter, actor);
                self.in_flight.spawn(self.instance.clone().perform(operation));
            }
        }
    }

    fn random_operation(&mut self, letter: LetterId, actor: &'static str) -> Operation {
        match self.random.below(100) {
            0..40 => Operation::Retry(letter, actor),
            40..58 => Operation::Archive(letter),
            58..78 => Operation::Restore(letter),
            78..92 => {
                self.edits += 1;
                Operation::Edit(letter, format!("edited {}", self.edits))
            }
            _ => Operation::Purge(letter),
        }
    }

    /// A capture of new work, or of work that failed before.
    fn capture(&mut self) -> Operation {
        let is_repeated = self.sources > 0 && self.random.chance(30);
        let source = if is_repeated { self.random.below(self.sources) } else { self.sources };
        self.sources += usize::from(!is_repeated);
        let policies = [RetryPolicy::Immediate, RetryPolicy::Immediate, RetryPolicy::Linear, RetryPolicy::Never];
        let letter = new_letter(&format!("work {source}"), "x", &self.clock);
        let max_retries = u32::try_from(self.random.below(4)).unwrap();
        Operation::Capture(Box::new(NewLetter { policy: policies[self.random.below(4)], max_retries, ..letter }))
    }

    /// Waits until the system is idle: every request has its reply, and every task had the chance to react.
    async fn until_idle(&mut self) {
        let mut before = 0;
        let mut quiet = 0;
        while quiet < 3 {
            // The writer replies in order: every earlier request has its reply by now.
            self.instance.store.local.conservation(GetConservation).await.unwrap();
            for _ in 0..8 {
                tokio::task::yield_now().await;
            }
            let now = self.log.read().total;
            quiet = if now == before && !self.log.is_busy() { quiet + 1 } else { 0 };
            before = now;
        }
        while let Some(answer) = self.in_flight.try_join_next() {
            self.check_answer(&answer.unwrap());
        }
    }

    /// An operation succeeds, or is rejected with the reason. A retry may have lost its claim to another operation.
    fn check_answer(&self, answer: &Answer) {
        let is_expected = match answer {
            Ok(_) | Err(ProcessorError::ClaimLost) => true,
            Err(ProcessorError::Store(StoreError::Rejected(rejection))) => matches!(
                rejection,
                Rejection::LetterConflict { .. } | Rejection::NoSuchLetter(_) | Rejection::SourceHeld { .. }
            ),
            Err(_) => false,
        };
        assert!(is_expected, "REDRIVE_SEED={}: {answer:?}", self.seed);
    }

    /// The machine crashes during operations, and restarts.
    async fn crash_and_restart(&mut self) {
        if self.random.chance(50) {
            self.disk.stop_after(self.random.below(40) as u64);
        } else {
            // Writes may or may not be on disk, and their requests get no reply.
            self.disk.fail_syncs_after(self.random.below(4) as u64, SyncFault::PowerLoss);
        }
        for _ in 0..3 {
            // Captures during the crash are the ones whose letters may exist although no reply was received.
            for _ in 0..3 {
                let operation = self.capture();
                self.in_flight.spawn(self.instance.clone().perform(operation));
            }
            self.start_operations();
            for _ in 0..self.random.below(40) {
                tokio::task::yield_now().await;
            }
        }
        self.disk.stop_after(0);
        self.instance.store.crash();
        self.in_flight = JoinSet::new();
        // The store can no longer write and returns an error; it only has to end.
        let _failed = self.instance.store.close().await;
        let crashes = [Crash::Any, Crash::LoseAll, Crash::KeepAll, Crash::ProcessOnly];
        self.disk.crash(crashes[self.random.below(4)], self.random.next());
        self.disk.heal_syncs();
        let seed = self.random.next();
        self.instance = Instance::open(&self.disk, &self.clock, &self.log, seed, self.handler.clone());
        self.log.read().coverage.count("restart");
        // List the letters before anything changes them, to record the effects of the last requests.
        self.instance.letters().await;
        self.instance.processor.start(&dead()).await.unwrap();
        self.until_idle().await;
        self.log.read().step += 1;
    }

    async fn check(&self) {
        self.instance.letters().await;
        let sums = self.instance.store.local.conservation(GetConservation).await.unwrap();
        assert!(sums.holds(), "REDRIVE_SEED={}: {sums:?}", self.seed);
        let problems = self.log.read().problems.join("\n");
        assert!(problems.is_empty(), "REDRIVE_SEED={}: {problems}", self.seed);
    }

    /// Lets every call succeed, restores archived letters, and retries until all letters are completed.
    async fn complete_all(&mut self) {
        self.always_succeeds.store(true, Ordering::Relaxed);
        for step in 0..30 {
            let letters = self.instance.letters().await;
            if letters.iter().all(|letter| status(letter) == Status::Completed) {
                return;
            }
            for letter in &letters {
                let id = letter.info.letter.as_ref().unwrap().id;
                let operation = match status(letter) {
                    Status::Archived => Operation::Restore(id),
                    Status::Pending | Status::Exhausted => Operation::Retry(id, "ann"),
                    Status::Retrying | Status::Completed => continue,
                };
                self.in_flight.spawn(self.instance.clone().perform(operation));
                self.until_idle().await;
            }
            self.steps.send_replace(STEPS + step);
            self.until_idle().await;
            self.clock.advance(Span::from_mins(10));
            self.until_idle().await;
            self.log.read().step += 1;
        }
        let left: Vec<Status> = self.instance.letters().await.iter().map(status).collect();
        panic!("REDRIVE_SEED={}: not all letters were completed: {left:?}", self.seed);
    }

    /// Every letter exists or was purged, and every history is linearizable.
    async fn check_histories(self) -> Coverage {
        self.check().await;
        let (histories, claims_without_reply) = self.log.histories();
        for (letter, history) in histories {
            let checked = linearize::check(&history, &claims_without_reply);
            assert!(checked.is_ok(), "REDRIVE_SEED={}: letter {letter}: {}", self.seed, checked.unwrap_err());
            match self.instance.record(letter).await {
                Ok(record) => {
                    for attempt in &record.attempts {
                        let needs_actor = attempt.cause != Some(Cause::Lost) && attempt.trigger == Trigger::Manual;
                        assert!(!needs_actor || attempt.actor.is_some(), "REDRIVE_SEED={}: {attempt:?}", self.seed);
                        if let Some(cause @ (Cause::Late | Cause::Lost)) = attempt.cause {
                            self.log.read().coverage.count(format!("record: {cause}"));
                        }
                    }
                }
                Err(_gone) => {
                    let is_purged = history.iter().any(|entry| entry.op == LetterOp::Purge);
                    assert!(is_purged, "REDRIVE_SEED={}: letter {letter} is lost", self.seed);
                }
            }
        }
        self.instance.processor.stop_all(Span::ZERO).await;
        std::mem::take(&mut self.log.read().coverage)
    }
}

fn status(letter: &StoredItem) -> Status {
    letter.info.letter.as_ref().unwrap().status
}

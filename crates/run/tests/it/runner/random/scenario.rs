//! One scenario: queues, runners, operators, and a clock that advances by random steps.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use redrive_core::{Backoff, LetterId, OnOutage, Policy, RetryPolicy, Span, Status, Time, Trigger};
use redrive_model::{Archive, ClaimById, CreateQueue, GetStats, NewItem, Produce, Restore, RetryAt, SettleAction};
use redrive_run::{DueLetters, Liveness, RunReport, Runner, RunnerSettings, Running, StoreQueue};
use redrive_store::{Clock, Store, StoreError};
use tokio::sync::watch;

use super::handler::RandomHandler;
use super::model::{ATTEMPTS, DELAY, Model, RETRIES, WorkState};
use crate::fixture::{Fault, Fixture, LEASE, Random, item, kind_of, queue, queue_name, settings, without_breaker};

const QUEUES: [&str; 3] = ["q0", "q1", "q2"];
const DEAD_QUEUE: &str = "q-dead";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Claims never expire.
    Reliable,
    /// Claims expire, and requests to the store fail or lose their replies.
    Faulty,
}

enum AnyRunner {
    Items(Runner<StoreQueue>),
    Letters(Runner<DueLetters>),
}

impl AnyRunner {
    /// Starts the runner, repeatedly if requests to the store fail.
    async fn start(&self, fixture: &Fixture) -> Running {
        loop {
            let started = match self {
                Self::Items(runner) => runner.start().await,
                Self::Letters(runner) => runner.start().await,
            };
            match started {
                Ok(running) => return running,
                Err(_failed) => fixture.until_idle_for(1, 6).await,
            }
        }
    }
}

/// A runner that is stopped and started again.
struct RunnerSlot {
    runner: AnyRunner,
    running: Option<Running>,
    queue: &'static str,
    concurrency: usize,
    /// When a shutdown stops the handlers of the runner.
    aborts_at: Arc<Mutex<Option<Time>>>,
}

struct Scenario {
    fixture: Fixture,
    kind: Kind,
    random: Random,
    model: Arc<Model>,
    runners: Vec<RunnerSlot>,
    steps: watch::Sender<u64>,
    always_succeeds: Arc<AtomicBool>,
    produced: usize,
    reports: RunReport,
    done_manually: u64,
    archived: Vec<(LetterId, String)>,
}

pub(super) async fn run_scenario(seed: u64, kind: Kind) {
    let mut scenario = Scenario::new(seed, kind).await;
    for step in 0..60 {
        scenario.step(step).await;
        scenario.check(seed).await;
    }
    scenario.complete_all(seed).await;
    scenario.check_final_state(seed).await;
}

impl Scenario {
    async fn new(seed: u64, kind: Kind) -> Self {
        let mut random = Random::new(seed);
        let policy = if random.chance(50) { RetryPolicy::Immediate } else { RetryPolicy::Linear };
        let fixture = Fixture::new().await;
        let mut dead_queue = queue(DEAD_QUEUE);
        dead_queue.letters.moved_policy = Some(policy.into());
        dead_queue.letters.moved_max_retries = Some(RETRIES);
        fixture.store.local.create_queue(CreateQueue { settings: dead_queue }).await.unwrap();
        for name in QUEUES {
            let mut settings = queue(name);
            settings.dead_queue = Some(queue_name(DEAD_QUEUE));
            settings.max_attempts = ATTEMPTS;
            fixture.store.local.create_queue(CreateQueue { settings }).await.unwrap();
        }
        let model = Arc::new(Model::new(policy, kind == Kind::Faulty));
        let (steps, watching) = watch::channel(0);
        let always_succeeds = Arc::new(AtomicBool::new(false));
        let mut scenario = Self {
            fixture,
            kind,
            random,
            model,
            runners: Vec::new(),
            steps,
            always_succeeds,
            produced: 0,
            reports: RunReport::default(),
            done_manually: 0,
            archived: Vec::new(),
        };
        for name in QUEUES {
            for _ in 0..=scenario.random.below(2) {
                let slot = scenario.slot(seed, Some(name), &watching);
                scenario.runners.push(slot);
            }
        }
        for _ in 0..=scenario.random.below(2) {
            let slot = scenario.slot(seed, None, &watching);
            scenario.runners.push(slot);
        }
        for slot in &mut scenario.runners {
            slot.running = Some(slot.runner.start(&scenario.fixture).await);
        }
        scenario
    }

    fn slot(&mut self, seed: u64, queue: Option<&'static str>, steps: &watch::Receiver<u64>) -> RunnerSlot {
        let concurrency = 1 + self.random.below(8);
        let base = if self.random.chance(50) { without_breaker(concurrency) } else { settings(concurrency) };
        let is_beating = self.kind == Kind::Faulty && self.random.chance(50);
        // The model follows every charge, and a handler does not know which ones are refunded.
        let is_pausing = self.kind == Kind::Faulty && base.breaker.is_some() && self.random.chance(50);
        let settings = RunnerSettings {
            timeout: Span::from_secs(10 + self.random.below(30) as u64),
            liveness: if is_beating { Liveness::Beats } else { Liveness::Running },
            on_outage: if is_pausing { OnOutage::Pause } else { OnOutage::DeadLetter },
            ..base
        };
        let aborts_at = Arc::default();
        let handler = RandomHandler {
            seed,
            aborts_at: Arc::clone(&aborts_at),
            model: Arc::clone(&self.model),
            clock: self.fixture.clock.clone(),
            steps: steps.clone(),
            always_succeeds: Arc::clone(&self.always_succeeds),
            is_letter: queue.is_none(),
            has_breaker: settings.breaker.is_some(),
        };
        let policy = Policy::builder().max_attempts(ATTEMPTS).backoff(Backoff::fixed(DELAY)).build().unwrap();
        let store = self.fixture.store();
        let runner = match queue {
            Some(name) => {
                let source = StoreQueue::new(store, queue_name(name), LEASE);
                AnyRunner::Items(self.fixture.runner(source, handler, policy, settings))
            }
            None => {
                let source = DueLetters::new(store, queue_name(DEAD_QUEUE), LEASE);
                AnyRunner::Letters(self.fixture.runner(source, handler, policy, settings))
            }
        };
        RunnerSlot { runner, running: None, queue: queue.unwrap_or(DEAD_QUEUE), concurrency, aborts_at }
    }

    async fn step(&mut self, step: u64) {
        match self.random.below(100) {
            0..35 => self.produce().await,
            35..45 => self.restart().await,
            45..55 => self.pause_or_resume().await,
            55..65 => self.archive().await,
            65..75 => self.restore().await,
            75..85 => self.manual_retry().await,
            85..92 if self.kind == Kind::Faulty => self.inject_faults(),
            _ => {}
        }
        self.until_idle().await;
        self.steps.send_replace(step);
        self.until_idle().await;
        let longest = if self.kind == Kind::Faulty { 120_000 } else { 10_000 };
        self.fixture.advance(Span::from_millis(self.random.below(longest) as u64));
        self.until_idle().await;
    }

    /// Waits until the system is idle and, where claims never expire, until every claim has its handler or waits in a
    /// runner.
    async fn until_idle(&self) {
        loop {
            self.fixture.until_idle_for(3, 6).await;
            if self.kind == Kind::Faulty {
                return;
            }
            let mut is_settled = true;
            for name in QUEUES.into_iter().chain([DEAD_QUEUE]) {
                is_settled &= self.is_settled(name).await;
            }
            if is_settled {
                return;
            }
        }
    }

    /// Whether every claim of a queue has its handler or waits: for its destination, which starts slowly after a pause, or
    /// for a slot, if a runner uses all of its slots. What waits for its destination may have no claim any more, if it was
    /// archived: its runner learns that from the next extension.
    async fn is_settled(&self, queue: &str) -> bool {
        let leased = usize::try_from(self.fixture.leased(queue).await).unwrap();
        let (mut waiting, mut is_any_full) = (0, false);
        for slot in self.runners.iter().filter(|slot| slot.queue == queue) {
            let Some(running) = &slot.running else { continue };
            let health = running.health().await;
            waiting += health.waiting;
            is_any_full |= health.running == slot.concurrency;
        }
        let inner = self.model.read();
        let running = inner.running_in(queue, DEAD_QUEUE);
        let has_problems = !inner.problems.is_empty();
        has_problems || running <= leased && (leased <= running + waiting || is_any_full)
    }

    async fn produce(&mut self) {
        let name = QUEUES[self.random.below(3)];
        let count = 1 + self.random.below(6);
        let mut items: Vec<NewItem> = Vec::new();
        for number in self.produced..self.produced + count {
            let text = format!("{name}-{number}");
            let mut state = WorkState::default();
            let mut new = item(&text);
            if self.random.chance(20) {
                let at = self.fixture.clock.now().saturating_add(Span::from_secs(1 + self.random.below(60) as u64));
                (new.enqueue_at, state.not_before) = (Some(at), Some(at));
            }
            self.model.read().work.insert(text, state);
            items.push(new);
        }
        self.produced += count;
        self.fixture.store.local.produce(Produce::new(queue_name(name), items)).await.unwrap();
    }

    /// Stops a runner, with or without time to drain, and starts it again.
    async fn restart(&mut self) {
        let index = self.random.below(self.runners.len());
        let drain = if self.random.chance(50) { Span::ZERO } else { Span::from_secs(3) };
        self.until_idle().await;
        let Some(running) = self.runners[index].running.take() else { return };
        *self.runners[index].aborts_at.lock().unwrap() = Some(self.fixture.clock.now().saturating_add(drain));
        let stopping = tokio::spawn(running.stop(drain));
        while !stopping.is_finished() {
            self.until_idle().await;
            self.fixture.advance(Span::from_secs(1));
        }
        self.count(stopping.await.unwrap());
        let slot = &mut self.runners[index];
        *slot.aborts_at.lock().unwrap() = None;
        slot.running = Some(slot.runner.start(&self.fixture).await);
    }

    fn count(&mut self, report: RunReport) {
        if self.kind == Kind::Reliable {
            assert_eq!((report.uncertain, report.unsettled), (0, 0), "every result has its reply");
        }
        self.reports.done += report.done;
        self.reports.lost += report.lost;
    }

    async fn pause_or_resume(&mut self) {
        let index = self.random.below(self.runners.len());
        let Some(running) = &self.runners[index].running else { return };
        if running.health().await.is_paused { running.resume().await } else { running.pause().await }
    }

    /// A random letter with one of these statuses.
    async fn letter(&mut self, statuses: &[Status]) -> Option<(LetterId, String)> {
        let list = redrive_model::ListLetters {
            queue: queue_name(DEAD_QUEUE),
            statuses: statuses.to_vec(),
            after: None,
            limit: 1_000,
        };
        let letters = self.fixture.store.local.letters(list).await.unwrap();
        let letter = letters.get(self.random.below(letters.len()))?;
        let name = letter.info.source_id.as_deref()?.to_owned();
        let info = letter.info.letter.as_ref()?;
        if let Some(state) = self.model.read().work.get_mut(&name).filter(|state| !state.is_running) {
            state.resolve_charge(|state| state.is_dead && state.retries == info.retries);
        }
        Some((info.id, name))
    }

    async fn archive(&mut self) {
        let statuses = [Status::Pending, Status::Retrying, Status::Exhausted];
        let Some((letter, name)) = self.letter(&statuses).await else { return };
        self.fixture
            .store
            .local
            .archive(Archive { queue: queue_name(DEAD_QUEUE), letters: vec![letter] })
            .await
            .unwrap();
        let was_retrying = self.info(letter).await.before.is_some_and(|before| before.status == Status::Retrying);
        if let Some(state) = self.model.read().work.get_mut(&name) {
            state.is_archived = true;
            state.has_unrecorded_attempt |= was_retrying;
            state.claim += u64::from(was_retrying);
            state.is_running = false;
        }
        self.archived.push((letter, name));
    }

    async fn restore(&mut self) {
        if self.archived.is_empty() {
            return;
        }
        let (letter, name) = self.archived.swap_remove(self.random.below(self.archived.len()));
        let before = self.info(letter).await.before.map(|before| before.status);
        // Updated first: the letter may run as soon as it is restored.
        if let Some(state) = self.model.read().work.get_mut(&name) {
            state.is_archived = false;
            if before == Some(Status::Retrying) {
                self.model.record_failure(state, true, false, self.fixture.clock.now());
            }
        }
        self.fixture
            .store
            .local
            .restore(Restore { queue: queue_name(DEAD_QUEUE), letters: vec![letter] })
            .await
            .unwrap();
    }

    async fn info(&self, letter: LetterId) -> redrive_model::LetterInfo {
        let get = redrive_model::GetLetter { queue: queue_name(DEAD_QUEUE), letter };
        *self.fixture.store.local.letter(get).await.unwrap().info.letter.unwrap()
    }

    /// An operator claims a letter and settles it with a random result.
    async fn manual_retry(&mut self) {
        let Some((letter, name)) = self.letter(&[Status::Pending, Status::Exhausted]).await else { return };
        let claim = ClaimById {
            queue: queue_name(DEAD_QUEUE),
            letters: vec![letter.into()],
            lease: LEASE,
            trigger: Trigger::Manual,
        };
        let claimed = match self.fixture.store.local.claim_by_id(claim).await {
            Ok(claimed) => claimed,
            // A runner claimed it first.
            Err(StoreError::Rejected(_)) => return,
            Err(error) => panic!("{error}"),
        };
        let (action, is_done, is_failed) = match self.random.below(3) {
            0 => (SettleAction::Complete { attempt: None }, true, false),
            1 => (SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true }, false, true),
            _ => (SettleAction::Release, false, false),
        };
        let now = self.fixture.clock.now();
        {
            let mut inner = self.model.read();
            let has_faults = self.model.has_faults;
            let Some(state) = inner.work.get_mut(&name) else { return };
            let was_running = state.is_running;
            state.is_done |= is_done;
            state.is_done_letter |= is_done;
            self.done_manually += u64::from(is_done);
            // The store records an attempt even if the result carries none.
            state.records += u32::from(is_done || is_failed);
            if is_failed {
                self.model.record_failure(state, true, false, now);
            }
            if was_running && !has_faults {
                inner.problems.push(format!("{name} is claimed manually while its handler runs"));
            }
        }
        self.fixture
            .store
            .local
            .settle_all(queue_name(DEAD_QUEUE), None, vec![claimed.letters[0].info.id], action)
            .await
            .unwrap();
    }

    /// Makes some of the next requests fail and others lose their replies, for about a step.
    fn inject_faults(&mut self) {
        let mut random = Random::new(self.random.next());
        let mut left = 10 + random.below(40);
        self.fixture.store.inject(move |request| {
            left = left.saturating_sub(1);
            let is_writing = matches!(kind_of(request), "claim" | "settle" | "extend" | "letter");
            if left == 0 || !is_writing {
                return Fault::None;
            }
            match random.below(10) {
                0..3 => Fault::Fail(StoreError::Overloaded),
                3..5 => Fault::LoseReply(StoreError::Overloaded),
                _ => Fault::None,
            }
        });
    }

    async fn check(&self, seed: u64) {
        let problems = std::mem::take(&mut self.model.read().problems);
        assert!(problems.is_empty(), "seed {seed}: {problems:#?}");
        self.fixture.assert_conserved().await;
    }

    /// Lets every call succeed, and waits until all work is completed or exhausted.
    async fn complete_all(&mut self, seed: u64) {
        self.fixture.store.clear_faults();
        while !self.archived.is_empty() {
            self.restore().await;
        }
        self.always_succeeds.store(true, Ordering::Relaxed);
        for RunnerSlot { running, .. } in &self.runners {
            if let Some(running) = running {
                running.resume().await;
            }
        }
        for round in 0.. {
            self.steps.send_modify(|step| *step += 1);
            self.until_idle().await;
            let mut left = 0;
            for name in QUEUES {
                left += self.fixture.items(name).await.len();
            }
            let dead_queue = self.fixture.store.local.stats(GetStats { queue: queue_name(DEAD_QUEUE) }).await.unwrap();
            left += usize::try_from(dead_queue.letters.of(Status::Retrying)).unwrap();
            if left == 0 && dead_queue.next_due_at.is_none() {
                break;
            }
            if round >= 600 {
                let mut health = Vec::new();
                for RunnerSlot { running, .. } in &self.runners {
                    health.push(running.as_ref().unwrap().health().await);
                }
                panic!("seed {seed}: work is left: {dead_queue:?} {health:#?}");
            }
            // A long step is safe only while there is no claim that would expire.
            let mut leased = dead_queue.letters.of(Status::Retrying);
            for name in QUEUES {
                leased += self.fixture.leased(name).await;
            }
            let is_long = self.model.read().running == 0 && leased == 0;
            self.fixture.advance(if is_long { Span::from_mins(1) } else { Span::from_secs(5) });
            self.until_idle().await;
            self.check(seed).await;
        }
        for index in 0..self.runners.len() {
            let running = self.runners[index].running.take().unwrap();
            let report = running.stop(Span::ZERO).await;
            self.count(report);
        }
    }

    async fn check_final_state(&mut self, seed: u64) {
        self.check(seed).await;
        let list = redrive_model::ListLetters {
            queue: queue_name(DEAD_QUEUE),
            statuses: Vec::new(),
            after: None,
            limit: 100_000,
        };
        let letters = self.fixture.store.local.letters(list).await.unwrap();
        let states = self.model.read().work.clone();
        assert_eq!(states.len(), self.produced);
        let mut done = 0;
        for (name, mut state) in states {
            let of_it: Vec<_> =
                letters.iter().filter(|letter| letter.info.source_id.as_deref() == Some(&name)).collect();
            let about_work = format!("seed {seed}: {name}: {state:?}");
            assert!(of_it.len() <= 1, "{about_work}: {} letters", of_it.len());
            let Some(letter) = of_it.first() else {
                assert!(state.is_done, "{about_work}: lost");
                assert!(!state.is_done_letter || self.kind == Kind::Faulty, "{about_work}: its letter is gone");
                done += u64::from(state.is_done);
                continue;
            };
            let about = letter.info.letter.as_deref().unwrap();
            let get = redrive_model::GetLetter { queue: queue_name(DEAD_QUEUE), letter: about.id };
            let record = self.fixture.store.local.letter(get).await.unwrap();
            let death = record.context.unwrap().death.unwrap();
            state.resolve_charge(|state| (state.charged, state.retries) == (death.attempts, about.retries));
            assert!(death.attempts <= ATTEMPTS, "{about_work}: {death:?}");
            match about.status {
                Status::Completed => assert!(state.is_done, "{about_work}: completed without a successful handler"),
                Status::Exhausted => assert!(about.retries >= RETRIES, "{about_work}: {about:?}"),
                _ => panic!("{about_work}: {about:?}"),
            }
            if self.kind == Kind::Faulty {
                continue;
            }
            done += u64::from(state.is_done);
            assert_eq!(state.is_done, about.status == Status::Completed, "{about_work}: {about:?}");
            assert_eq!((death.attempts, about.retries), (state.charged, state.retries), "{about_work}: {about:?}");
            let attempts = death.attempts + state.retries + u32::from(state.is_done);
            assert_eq!(about.total_attempts, attempts, "{about_work}: {about:?}");
            if !state.has_unrecorded_attempt {
                assert_eq!(record.attempts.len(), state.records as usize, "{about_work}: {:#?}", record.attempts);
            }
        }
        if self.kind == Kind::Reliable {
            assert_eq!(self.reports.done + self.done_manually, done, "seed {seed}: the reports of the runners");
        }
    }
}

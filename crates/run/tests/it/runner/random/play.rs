//! One play: queues, runners, people, and a clock that is moved by chance.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::{Backoff, LetterId, Policy, RetryPolicy, Span, Status, Trigger};
use redrive_model::{Archive, ClaimById, CreateQueue, GetStats, NewItem, Produce, Restore, RetryAt, SettleAction};
use redrive_run::{DueLetters, Liveness, RunReport, Runner, RunnerSettings, Running, StoreQueue};
use redrive_store::{Clock, Store, StoreError};
use tokio::sync::watch;

use super::book::{ATTEMPTS, Book, DELAY, RETRIES, Story};
use super::handler::Chance;
use crate::rig::{Act, LEASE, Random, World, item, kind_of, named, queue, settings, unbroken};

const QUEUES: [&str; 3] = ["q0", "q1", "q2"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Claims never run out.
    Orderly,
    /// They do, and the store refuses or loses answers.
    Wild,
}

enum AnyRunner {
    Items(Runner<StoreQueue>),
    Letters(Runner<DueLetters>),
}

impl AnyRunner {
    /// Starts it, also when the store refuses at first.
    async fn start(&self, world: &World) -> Running {
        loop {
            let started = match self {
                Self::Items(runner) => runner.start().await,
                Self::Letters(runner) => runner.start().await,
            };
            match started {
                Ok(running) => return running,
                Err(_refused) => world.calm_for(1, 6).await,
            }
        }
    }
}

struct Play {
    world: World,
    kind: Kind,
    random: Random,
    book: Arc<Book>,
    runners: Vec<(AnyRunner, Option<Running>)>,
    steps: watch::Sender<u64>,
    is_healed: Arc<AtomicBool>,
    produced: usize,
    reports: RunReport,
    done_by_hand: u64,
    archived: Vec<(LetterId, String)>,
}

pub(super) async fn play(seed: u64, kind: Kind) {
    let mut play = Play::new(seed, kind).await;
    for step in 0..60 {
        play.step(step).await;
        play.check(seed).await;
    }
    play.heal(seed).await;
    play.verdict(seed).await;
}

impl Play {
    async fn new(seed: u64, kind: Kind) -> Self {
        let mut random = Random::new(seed);
        let policy = if random.chance(50) { RetryPolicy::Immediate } else { RetryPolicy::Linear };
        let world = World::new().await;
        let mut graves = queue("graves");
        graves.letters.moved_policy = Some(policy);
        graves.letters.moved_max_retries = Some(RETRIES);
        world.store.local.create_queue(CreateQueue { settings: graves }).await.unwrap();
        for name in QUEUES {
            let mut settings = queue(name);
            settings.dead_queue = Some(named("graves"));
            settings.max_attempts = ATTEMPTS;
            world.store.local.create_queue(CreateQueue { settings }).await.unwrap();
        }
        let book = Arc::new(Book::new(policy, kind == Kind::Wild));
        let (steps, watching) = watch::channel(0);
        let is_healed = Arc::new(AtomicBool::new(false));
        let mut play = Self {
            world,
            kind,
            random,
            book,
            runners: Vec::new(),
            steps,
            is_healed,
            produced: 0,
            reports: RunReport::default(),
            done_by_hand: 0,
            archived: Vec::new(),
        };
        for name in QUEUES {
            for _ in 0..=play.random.below(2) {
                let runner = play.runner(seed, Some(name), &watching);
                play.runners.push((runner, None));
            }
        }
        for _ in 0..=play.random.below(2) {
            let runner = play.runner(seed, None, &watching);
            play.runners.push((runner, None));
        }
        for (runner, running) in &mut play.runners {
            *running = Some(runner.start(&play.world).await);
        }
        play
    }

    fn runner(&mut self, seed: u64, queue: Option<&str>, steps: &watch::Receiver<u64>) -> AnyRunner {
        let concurrency = 1 + self.random.below(8);
        let base = if self.random.chance(50) { unbroken(concurrency) } else { settings(concurrency) };
        let is_beating = self.kind == Kind::Wild && self.random.chance(50);
        let settings = RunnerSettings {
            timeout: Span::from_secs(10 + self.random.below(30) as u64),
            liveness: if is_beating { Liveness::Beats } else { Liveness::Running },
            ..base
        };
        let handler = Chance {
            seed,
            book: Arc::clone(&self.book),
            clock: self.world.clock.clone(),
            steps: steps.clone(),
            is_healed: Arc::clone(&self.is_healed),
            is_letter: queue.is_none(),
        };
        let policy = Policy::builder().max_attempts(ATTEMPTS).backoff(Backoff::fixed(DELAY)).build().unwrap();
        let store = self.world.store();
        match queue {
            Some(name) => {
                let source = StoreQueue::new(store, named(name), LEASE);
                AnyRunner::Items(self.world.runner(source, handler, policy, settings))
            }
            None => {
                let source = DueLetters::new(store, named("graves"), LEASE);
                AnyRunner::Letters(self.world.runner(source, handler, policy, settings))
            }
        }
    }

    async fn step(&mut self, step: u64) {
        match self.random.below(100) {
            0..35 => self.produce().await,
            35..45 => self.restart().await,
            45..55 => self.pause_or_resume().await,
            55..65 => self.archive().await,
            65..75 => self.restore().await,
            75..85 => self.by_hand().await,
            85..92 if self.kind == Kind::Wild => self.trouble(),
            _ => {}
        }
        self.calm().await;
        self.steps.send_replace(step);
        self.calm().await;
        let longest = if self.kind == Kind::Wild { 120_000 } else { 10_000 };
        self.world.advance(Span::from_millis(self.random.below(longest) as u64));
        self.calm().await;
    }

    /// Waits until nothing happens; and, where no claim is ever lost, until every claim has its handler.
    async fn calm(&self) {
        loop {
            self.world.calm_for(3, 6).await;
            if self.kind == Kind::Wild {
                return;
            }
            let mut leased = 0;
            for name in QUEUES.into_iter().chain(["graves"]) {
                leased += self.world.leased(name).await;
            }
            let running = self.book.read().stories.values().filter(|story| story.is_running).count();
            if leased == running as u64 {
                return;
            }
        }
    }

    async fn produce(&mut self) {
        let name = QUEUES[self.random.below(3)];
        let count = 1 + self.random.below(6);
        let mut items: Vec<NewItem> = Vec::new();
        for number in self.produced..self.produced + count {
            let text = format!("{name}-{number}");
            let mut story = Story::default();
            let mut new = item(&text);
            if self.random.chance(20) {
                let at = self.world.clock.now().saturating_add(Span::from_secs(1 + self.random.below(60) as u64));
                (new.enqueue_at, story.not_before) = (Some(at), Some(at));
            }
            self.book.read().stories.insert(text, story);
            items.push(new);
        }
        self.produced += count;
        self.world.store.local.produce(Produce::new(named(name), items)).await.unwrap();
    }

    /// Stops a runner, with or without patience, and starts it again.
    async fn restart(&mut self) {
        let index = self.random.below(self.runners.len());
        let patience = if self.random.chance(50) { Span::ZERO } else { Span::from_secs(3) };
        let Some(running) = self.runners[index].1.take() else { return };
        self.calm().await;
        let stopping = tokio::spawn(running.stop(patience));
        while !stopping.is_finished() {
            self.calm().await;
            self.world.advance(Span::from_secs(1));
        }
        self.count(stopping.await.unwrap());
        self.runners[index].1 = Some(self.runners[index].0.start(&self.world).await);
    }

    fn count(&mut self, report: RunReport) {
        if self.kind == Kind::Orderly {
            assert_eq!((report.uncertain, report.unsettled), (0, 0), "nothing is unclear here");
        }
        self.reports.done += report.done;
        self.reports.lost += report.lost;
    }

    async fn pause_or_resume(&mut self) {
        let index = self.random.below(self.runners.len());
        let Some(running) = &self.runners[index].1 else { return };
        if running.health().await.is_paused { running.resume().await } else { running.pause().await }
    }

    /// A letter in one of these states, by chance.
    async fn letter(&mut self, statuses: &[Status]) -> Option<(LetterId, String)> {
        let list = redrive_model::ListLetters {
            queue: named("graves"),
            statuses: statuses.to_vec(),
            after: None,
            limit: 1_000,
        };
        let letters = self.world.store.local.letters(list).await.unwrap();
        let letter = letters.get(self.random.below(letters.len()))?;
        let name = letter.info.source_id.as_deref()?.to_owned();
        Some((letter.info.letter.as_ref()?.id, name))
    }

    async fn archive(&mut self) {
        let statuses = [Status::Pending, Status::Retrying, Status::Exhausted];
        let Some((letter, name)) = self.letter(&statuses).await else { return };
        self.world.store.local.archive(Archive { queue: named("graves"), letters: vec![letter] }).await.unwrap();
        let was_retrying = self.info(letter).await.before.is_some_and(|before| before.status == Status::Retrying);
        if let Some(story) = self.book.read().stories.get_mut(&name) {
            story.is_archived = true;
            story.is_blurred |= was_retrying;
            story.claim += u64::from(was_retrying);
            story.is_running = false;
        }
        self.archived.push((letter, name));
    }

    async fn restore(&mut self) {
        if self.archived.is_empty() {
            return;
        }
        let (letter, name) = self.archived.swap_remove(self.random.below(self.archived.len()));
        let before = self.info(letter).await.before.map(|before| before.status);
        // Written down first: it may run the moment it is back.
        if let Some(story) = self.book.read().stories.get_mut(&name) {
            story.is_archived = false;
            if before == Some(Status::Retrying) {
                self.book.failed(story, true, false, self.world.clock.now());
            }
        }
        self.world.store.local.restore(Restore { queue: named("graves"), letters: vec![letter] }).await.unwrap();
    }

    async fn info(&self, letter: LetterId) -> redrive_model::LetterInfo {
        let get = redrive_model::GetLetter { queue: named("graves"), letter };
        *self.world.store.local.letter(get).await.unwrap().info.letter.unwrap()
    }

    /// A person retries a letter.
    async fn by_hand(&mut self) {
        let Some((letter, name)) = self.letter(&[Status::Pending, Status::Exhausted]).await else { return };
        let claim =
            ClaimById { queue: named("graves"), letters: vec![letter.into()], lease: LEASE, trigger: Trigger::Manual };
        let claimed = match self.world.store.local.claim_by_id(claim).await {
            Ok(claimed) => claimed,
            // Somebody was faster.
            Err(StoreError::Rejected(_)) => return,
            Err(error) => panic!("{error}"),
        };
        let (action, is_done, is_failed) = match self.random.below(3) {
            0 => (SettleAction::Complete { attempt: None }, true, false),
            1 => (SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true }, false, true),
            _ => (SettleAction::Release, false, false),
        };
        let now = self.world.clock.now();
        {
            let mut inner = self.book.read();
            let is_wild = self.book.is_wild;
            let Some(story) = inner.stories.get_mut(&name) else { return };
            let was_running = story.is_running;
            story.is_done |= is_done;
            story.is_done_letter |= is_done;
            self.done_by_hand += u64::from(is_done);
            // An attempt of which nothing is told has its record all the same.
            story.records += u32::from(is_done || is_failed);
            if is_failed {
                self.book.failed(story, true, false, now);
            }
            if was_running && !is_wild {
                inner.problems.push(format!("{name} is claimed by hand while its handler runs"));
            }
        }
        self.world
            .store
            .local
            .settle_all(named("graves"), None, vec![claimed.letters[0].info.id], action)
            .await
            .unwrap();
    }

    /// The store refuses some requests and loses the answers of others, for a step or so.
    fn trouble(&mut self) {
        let mut random = Random::new(self.random.next());
        let mut left = 10 + random.below(40);
        self.world.store.rule(move |request| {
            left = left.saturating_sub(1);
            let is_writing = matches!(kind_of(request), "claim" | "settle" | "extend" | "letter");
            if left == 0 || !is_writing {
                return Act::Pass;
            }
            match random.below(10) {
                0..3 => Act::Refuse(StoreError::Overloaded),
                3..5 => Act::Lose(StoreError::Overloaded),
                _ => Act::Pass,
            }
        });
    }

    async fn check(&self, seed: u64) {
        let problems = std::mem::take(&mut self.book.read().problems);
        assert!(problems.is_empty(), "seed {seed}: {problems:#?}");
        self.world.conserved().await;
    }

    /// Everything succeeds from now on: all that is not exhausted comes to an end.
    async fn heal(&mut self, seed: u64) {
        self.world.store.open();
        while !self.archived.is_empty() {
            self.restore().await;
        }
        self.is_healed.store(true, Ordering::Relaxed);
        for (_, running) in &self.runners {
            if let Some(running) = running {
                running.resume().await;
            }
        }
        for round in 0.. {
            self.steps.send_modify(|step| *step += 1);
            self.calm().await;
            let mut left = 0;
            for name in QUEUES {
                left += self.world.items(name).await.len();
            }
            let graves = self.world.store.local.stats(GetStats { queue: named("graves") }).await.unwrap();
            left += usize::try_from(graves.letters.of(Status::Retrying)).unwrap();
            if left == 0 && graves.next_due_at.is_none() {
                break;
            }
            if round >= 600 {
                let mut health = Vec::new();
                for (_, running) in &self.runners {
                    health.push(running.as_ref().unwrap().health().await);
                }
                panic!("seed {seed}: it does not come to an end: {graves:?} {health:#?}");
            }
            // Nobody holds a claim that a long step would end.
            let is_long = self.book.read().running == 0 && graves.letters.of(Status::Retrying) == 0;
            self.world.advance(if is_long { Span::from_mins(1) } else { Span::from_secs(5) });
            self.calm().await;
            self.check(seed).await;
        }
        for index in 0..self.runners.len() {
            let running = self.runners[index].1.take().unwrap();
            let report = running.stop(Span::ZERO).await;
            self.count(report);
        }
    }

    async fn verdict(&mut self, seed: u64) {
        self.check(seed).await;
        let list =
            redrive_model::ListLetters { queue: named("graves"), statuses: Vec::new(), after: None, limit: 100_000 };
        let letters = self.world.store.local.letters(list).await.unwrap();
        let stories = self.book.read().stories.clone();
        assert_eq!(stories.len(), self.produced);
        let mut done = 0;
        for (name, story) in &stories {
            let of_it: Vec<_> =
                letters.iter().filter(|letter| letter.info.source_id.as_deref() == Some(name)).collect();
            let told = format!("seed {seed}: {name}: {story:?}");
            assert!(of_it.len() <= 1, "{told}: {} letters", of_it.len());
            let Some(letter) = of_it.first() else {
                assert!(story.is_done, "{told}: lost");
                assert!(!story.is_done_letter || self.kind == Kind::Wild, "{told}: its letter is gone");
                done += u64::from(story.is_done);
                continue;
            };
            let about = letter.info.letter.as_deref().unwrap();
            let get = redrive_model::GetLetter { queue: named("graves"), letter: about.id };
            let record = self.world.store.local.letter(get).await.unwrap();
            let death = record.context.unwrap().death.unwrap();
            assert!(death.attempts <= ATTEMPTS, "{told}: {death:?}");
            match about.status {
                Status::Completed => assert!(story.is_done, "{told}: completed by nobody"),
                Status::Exhausted => assert!(about.retries >= RETRIES, "{told}: {about:?}"),
                _ => panic!("{told}: {about:?}"),
            }
            if self.kind == Kind::Wild {
                continue;
            }
            done += u64::from(story.is_done);
            assert_eq!(story.is_done, about.status == Status::Completed, "{told}: {about:?}");
            assert_eq!((death.attempts, about.retries), (story.charged, story.retries), "{told}: {about:?}");
            let by_retries = 1 + story.retries + u32::from(story.is_done);
            assert_eq!(about.total_attempts, by_retries, "{told}: {about:?}");
            if !story.is_blurred {
                assert_eq!(record.attempts.len(), story.records as usize, "{told}: {:#?}", record.attempts);
            }
        }
        if self.kind == Kind::Orderly {
            assert_eq!(self.reports.done + self.done_by_hand, done, "seed {seed}: what the runners say they did");
        }
    }
}

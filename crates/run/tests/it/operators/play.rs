//! One play: letters, those who want something of them, a clock that is moved by chance, and a machine that stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::{Cause, LetterId, RetryPolicy, Span, Status, Trigger};
use redrive_journal::{Crash, SimDisk, SyncFault};
use redrive_model::{CreateQueue, GetConservation, NewLetter, Rejection, StoredItem};
use redrive_run::{ProcessorError, Retried};
use redrive_store::{ManualClock, Store, StoreError};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::handler::Chance;
use super::letter::Ask;
use super::life::{Life, Wish};
use super::log::Log;
use super::order;
use super::tally::Tally;
use crate::rig::{Random, START, dead, new_letter, queue};

const STEPS: u64 = 40;
const PEOPLE: [&str; 2] = ["ann", "bob"];

type Answer = Result<Option<Retried>, ProcessorError>;

struct Play {
    seed: u64,
    random: Random,
    clock: ManualClock,
    disk: SimDisk,
    log: Arc<Log>,
    life: Life,
    handler: Arc<Chance>,
    steps: watch::Sender<u64>,
    is_healed: Arc<AtomicBool>,
    /// What was begun in this life and has not been answered.
    under_way: JoinSet<Answer>,
    sources: usize,
    edits: usize,
}

pub(super) async fn play(seed: u64) -> Tally {
    let mut play = Play::new(seed).await;
    for step in 0..STEPS {
        let is_last_of_life = play.random.chance(6);
        if is_last_of_life {
            play.stop_somewhere().await;
        } else {
            play.step(step).await;
        }
        play.check().await;
    }
    play.heal().await;
    play.verdict().await
}

impl Play {
    async fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let clock = ManualClock::new(START);
        let (disk, log) = (SimDisk::new(), Arc::new(Log::new(&clock)));
        let (steps, watching) = watch::channel(0);
        let is_healed = Arc::new(AtomicBool::new(false));
        let handler = Arc::new(Chance {
            seed,
            log: Arc::clone(&log),
            clock: clock.clone(),
            steps: watching,
            is_healed: Arc::clone(&is_healed),
        });
        let life = Life::open(&disk, &clock, &log, random.next(), handler.clone());
        let mut graves = queue("dead");
        graves.letters.completed_retention = Some(Span::from_days(1_000));
        life.door.create_queue(CreateQueue { settings: graves }).await.unwrap();
        life.processor.start(&dead()).await.unwrap();
        let under_way = JoinSet::new();
        Self { seed, random, clock, disk, log, life, handler, steps, is_healed, under_way, sources: 0, edits: 0 }
    }

    async fn step(&mut self, step: u64) {
        self.wish_some();
        self.calm().await;
        self.steps.send_replace(step);
        self.calm().await;
        // Shorter than a lease, longer than one, or long enough for most that is scheduled.
        let longest = [1, 20_000, 90_000, 700_000][self.random.below(4)];
        self.clock.advance(Span::from_millis(self.random.below(longest) as u64));
        self.calm().await;
        self.log.read().step += 1;
    }

    /// Everybody wants something at the same time, and often of the same letter.
    fn wish_some(&mut self) {
        for _ in 0..self.random.below(3) {
            let wish = self.capture();
            self.under_way.spawn(self.life.clone().fulfil(wish));
        }
        let letters: Vec<LetterId> = self.log.read().letters.keys().copied().collect();
        if letters.is_empty() {
            return;
        }
        let newest = letters.len().saturating_sub(12);
        let target = letters[newest + self.random.below(letters.len() - newest)];
        for actor in PEOPLE {
            for _ in 0..1 + self.random.below(2) {
                let other = letters[self.random.below(letters.len())];
                let letter = if self.random.chance(70) { target } else { other };
                let wish = self.wish(letter, actor);
                self.under_way.spawn(self.life.clone().fulfil(wish));
            }
        }
    }

    fn wish(&mut self, letter: LetterId, actor: &'static str) -> Wish {
        match self.random.below(100) {
            0..40 => Wish::Retry(letter, actor),
            40..58 => Wish::Archive(letter),
            58..78 => Wish::Restore(letter),
            78..92 => {
                self.edits += 1;
                Wish::Edit(letter, format!("edited {}", self.edits))
            }
            _ => Wish::Purge(letter),
        }
    }

    /// A failure of new work, or of work that failed before.
    fn capture(&mut self) -> Wish {
        let is_again = self.sources > 0 && self.random.chance(30);
        let source = if is_again { self.random.below(self.sources) } else { self.sources };
        self.sources += usize::from(!is_again);
        let policies = [RetryPolicy::Immediate, RetryPolicy::Immediate, RetryPolicy::Linear, RetryPolicy::Never];
        let letter = new_letter(&format!("work {source}"), "x", &self.clock);
        let max_retries = u32::try_from(self.random.below(4)).unwrap();
        Wish::Capture(Box::new(NewLetter { policy: policies[self.random.below(4)], max_retries, ..letter }))
    }

    /// Waits until nothing happens any more: all requests were answered and everybody has slept over it.
    async fn calm(&mut self) {
        let mut before = 0;
        let mut quiet = 0;
        while quiet < 3 {
            // The writer answers in order: what was asked before this is answered, too.
            self.life.door.local.conservation(GetConservation).await.unwrap();
            for _ in 0..8 {
                tokio::task::yield_now().await;
            }
            let now = self.log.read().total;
            quiet = if now == before && !self.log.is_busy() { quiet + 1 } else { 0 };
            before = now;
        }
        while let Some(answer) = self.under_way.try_join_next() {
            self.hear(&answer.unwrap());
        }
    }

    /// What people are told is what they asked for, or a conflict that says why not.
    fn hear(&self, answer: &Answer) {
        let is_clear = match answer {
            Ok(_) => true,
            Err(ProcessorError::Store(StoreError::Rejected(refusal))) => matches!(
                refusal,
                Rejection::LetterConflict { .. } | Rejection::NoSuchLetter(_) | Rejection::SourceHeld { .. }
            ),
            Err(_) => false,
        };
        assert!(is_clear, "REDRIVE_SEED={}: {answer:?}", self.seed);
    }

    /// The machine stops in the middle of work, and comes back.
    async fn stop_somewhere(&mut self) {
        if self.random.chance(50) {
            self.disk.stop_after(self.random.below(40) as u64);
        } else {
            // What was written is there or not, and nobody was told so.
            self.disk.fail_syncs_after(self.random.below(4) as u64, SyncFault::PowerLoss);
        }
        for _ in 0..3 {
            // Only what comes to be in the middle of it may be there without anybody knowing.
            for _ in 0..3 {
                let wish = self.capture();
                self.under_way.spawn(self.life.clone().fulfil(wish));
            }
            self.wish_some();
            for _ in 0..self.random.below(40) {
                tokio::task::yield_now().await;
            }
        }
        self.disk.stop_after(0);
        self.life.door.shut();
        self.under_way = JoinSet::new();
        // It cannot write any more, and says so; all that matters is that it has ended.
        let _failed = self.life.door.close().await;
        let crashes = [Crash::Any, Crash::LoseAll, Crash::KeepAll, Crash::ProcessOnly];
        self.disk.crash(crashes[self.random.below(4)], self.random.next());
        self.disk.heal_syncs();
        let seed = self.random.next();
        self.life = Life::open(&self.disk, &self.clock, &self.log, seed, self.handler.clone());
        self.log.read().tally.count("restart");
        // What came of the last requests is seen before anything is done about it.
        self.life.look().await;
        self.life.processor.start(&dead()).await.unwrap();
        self.calm().await;
        self.log.read().step += 1;
    }

    async fn check(&self) {
        self.life.look().await;
        let sums = self.life.door.local.conservation(GetConservation).await.unwrap();
        assert!(sums.holds(), "REDRIVE_SEED={}: {sums:?}", self.seed);
        let problems = self.log.read().problems.join("\n");
        assert!(problems.is_empty(), "REDRIVE_SEED={}: {problems}", self.seed);
    }

    /// From now on all that is tried succeeds, and people bring everything back.
    async fn heal(&mut self) {
        self.is_healed.store(true, Ordering::Relaxed);
        for step in 0..30 {
            let letters = self.life.look().await;
            if letters.iter().all(|letter| status(letter) == Status::Completed) {
                return;
            }
            for letter in &letters {
                let id = letter.info.letter.as_ref().unwrap().id;
                let wish = match status(letter) {
                    Status::Archived => Wish::Restore(id),
                    Status::Pending | Status::Exhausted => Wish::Retry(id, "ann"),
                    Status::Retrying | Status::Completed => continue,
                };
                self.under_way.spawn(self.life.clone().fulfil(wish));
                self.calm().await;
            }
            self.steps.send_replace(STEPS + step);
            self.calm().await;
            self.clock.advance(Span::from_mins(10));
            self.calm().await;
            self.log.read().step += 1;
        }
        let left: Vec<Status> = self.life.look().await.iter().map(status).collect();
        panic!("REDRIVE_SEED={}: not all was done: {left:?}", self.seed);
    }

    /// Everything is there or was purged, and everybody was told the truth.
    async fn verdict(self) -> Tally {
        self.check().await;
        let (stories, unheard) = self.log.stories();
        for (letter, story) in stories {
            let followed = order::check(&story, &unheard);
            assert!(followed.is_ok(), "REDRIVE_SEED={}: letter {letter}: {}", self.seed, followed.unwrap_err());
            match self.life.record(letter).await {
                Ok(record) => {
                    for attempt in &record.attempts {
                        let is_told = attempt.cause != Some(Cause::Lost) && attempt.trigger == Trigger::Manual;
                        assert!(!is_told || attempt.actor.is_some(), "REDRIVE_SEED={}: {attempt:?}", self.seed);
                        if let Some(cause @ (Cause::Late | Cause::Lost)) = attempt.cause {
                            self.log.read().tally.count(format!("record: {cause}"));
                        }
                    }
                }
                Err(_gone) => {
                    let is_purged = story.iter().any(|entry| entry.ask == Ask::Purge);
                    assert!(is_purged, "REDRIVE_SEED={}: letter {letter} is lost", self.seed);
                }
            }
        }
        self.life.processor.stop_all(Span::ZERO).await;
        std::mem::take(&mut self.log.read().tally)
    }
}

fn status(letter: &StoredItem) -> Status {
    letter.info.letter.as_ref().unwrap().status
}

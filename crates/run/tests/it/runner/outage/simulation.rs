//! A runner over one of two sources, with a destination that a script takes down, on a manual clock.
//!
//! The time passes in ticks. A call gets the answer of the time at which it began, some ticks later.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use redrive_core::{Backoff, BreakerConfig, Evidence, Failure, OnOutage, Policy, Span, Time};
use redrive_model::{Content, FullLetter};
use redrive_run::{Call, Handled, Handler, RunReport, RunnerHealth, RunnerSettings, Running, Work};
use redrive_store::Clock;
use tokio::sync::Semaphore;

use crate::fixture::{CallInbox, Fixture, ManualHandler, PendingCall, START, dead, item, settings};
use crate::keyed::{DeadQueue, KeyedSource};

pub(super) const TICK: Span = Span::from_millis(250);
/// The open time of the breaker.
pub(super) const OPEN: Span = Span::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceKind {
    /// A queue of a store, with one destination.
    Queue,
    /// The model of a Kafka source: of the records that are due, those with the lowest offset come first.
    Log,
}

pub(super) const BOTH: [SourceKind; 2] = [SourceKind::Queue, SourceKind::Log];

/// The answer of a destination, which depends on the work and on the seconds since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Ok,
    /// The destination fails.
    Status500,
    /// The work is invalid.
    Status422,
    /// The destination asks for a wait of this many seconds.
    Status429(u64),
    /// There is no connection.
    NotSent,
}

type Script = Box<dyn Fn(&str, f64) -> Answer>;

/// A call that has ended.
#[derive(Debug, Clone)]
pub(super) struct CallRecord {
    pub(super) payload: String,
    pub(super) began: f64,
    pub(super) attempt: u32,
    pub(super) answer: Answer,
}

pub(super) struct Simulation {
    pub(super) fixture: Fixture,
    log: Option<KeyedSource>,
    running: Option<Running>,
    inbox: CallInbox,
    script: Script,
    /// Whether calls take time, up to three ticks.
    has_latency: bool,
    pending: Vec<(PendingCall, Time, Answer)>,
    pub(super) calls: Vec<CallRecord>,
    pub(super) produced: BTreeSet<String>,
}

/// At most three attempts, one second apart.
pub(super) fn three_attempts() -> Policy {
    Policy::builder().max_attempts(3).backoff(Backoff::fixed(Span::from_secs(1))).build().unwrap()
}

pub(super) fn pausing(concurrency: usize, threshold: u32) -> RunnerSettings {
    RunnerSettings {
        breaker: Some(BreakerConfig::new(threshold, OPEN, 1).unwrap()),
        on_outage: OnOutage::Pause,
        ..settings(concurrency)
    }
}

/// A handler that makes few calls at a time.
struct LimitedHandler {
    inner: ManualHandler,
    permits: Semaphore,
}

#[async_trait]
impl Handler for LimitedHandler {
    async fn handle(&self, call: Call) -> Handled {
        call.hold();
        let _turn = self.permits.acquire().await.unwrap();
        if call.begin() { self.inner.handle(call).await } else { Handled::Untouched }
    }
}

impl Simulation {
    pub(super) async fn start(
        kind: SourceKind,
        settings: RunnerSettings,
        script: impl Fn(&str, f64) -> Answer + 'static,
    ) -> Self {
        Self::start_with(kind, settings, |handler| handler, script, |_, _| None).await
    }

    /// The same with at most `permits` calls at a time: further work waits and has not begun.
    pub(super) async fn start_limited(
        kind: SourceKind,
        settings: RunnerSettings,
        permits: usize,
        script: impl Fn(&str, f64) -> Answer + 'static,
    ) -> Self {
        let wrap = |inner| LimitedHandler { inner, permits: Semaphore::new(permits) };
        Self::start_with(kind, settings, wrap, script, |_, _| None).await
    }

    /// Like [`start`](Self::start), with a function that decides before the policy.
    pub(super) async fn deciding_by(
        kind: SourceKind,
        settings: RunnerSettings,
        script: impl Fn(&str, f64) -> Answer + 'static,
        decide: impl Fn(&Work, &Failure) -> Option<redrive_core::Answer> + Send + Sync + 'static,
    ) -> Self {
        Self::start_with(kind, settings, |handler| handler, script, decide).await
    }

    async fn start_with<H: Handler>(
        kind: SourceKind,
        settings: RunnerSettings,
        wrap: impl FnOnce(ManualHandler) -> H,
        script: impl Fn(&str, f64) -> Answer + 'static,
        decide: impl Fn(&Work, &Failure) -> Option<redrive_core::Answer> + Send + Sync + 'static,
    ) -> Self {
        // The queue allows no more attempts than the policy.
        let fixture = Fixture::with_orders(|orders| orders.max_attempts = 3).await;
        let (handler, inbox) = CallInbox::new(&fixture.clock);
        let handler = wrap(handler);
        let (running, log) = match kind {
            SourceKind::Queue => {
                let runner = fixture.runner(fixture.orders(), handler, three_attempts(), settings);
                (runner.deciding_by(decide).start().await.unwrap(), None)
            }
            SourceKind::Log => {
                let dead_queue = DeadQueue { store: fixture.store(), queue: dead() };
                let log = KeyedSource::new("orders", fixture.clock.clone(), dead_queue);
                let runner = fixture.runner(log.clone(), handler, three_attempts(), settings);
                (runner.deciding_by(decide).start().await.unwrap(), Some(log))
            }
        };
        Self {
            fixture,
            log,
            running: Some(running),
            inbox,
            script: Box::new(script),
            has_latency: true,
            pending: Vec::new(),
            calls: Vec::new(),
            produced: BTreeSet::new(),
        }
    }

    /// Lets every call end at once.
    pub(super) fn without_latency(mut self) -> Self {
        self.has_latency = false;
        self
    }

    pub(super) async fn produce<N: ToString>(&mut self, names: impl IntoIterator<Item = N>) {
        for name in names {
            let name = name.to_string();
            assert!(self.produced.insert(name.clone()));
            match &self.log {
                Some(log) => {
                    log.append(Content { key: Some(name.clone().into()), ..Content::of_payload(name) }, "shop");
                }
                None => self.fixture.produce([item(&name)]).await,
            }
        }
    }

    /// Appends a record for another destination. Only a log has more than one.
    pub(super) fn append_for(&mut self, destination: &str, name: &str) {
        assert!(self.produced.insert(name.to_owned()));
        self.log.as_ref().unwrap().append(Content::of_payload(name.to_owned()), destination);
    }

    /// The log takes all its records back.
    pub(super) fn reassign(&self) {
        self.log.as_ref().unwrap().reassign();
    }

    /// Seconds since the start.
    pub(super) fn now(&self) -> f64 {
        seconds(self.fixture.clock.now())
    }

    /// Answers the calls that have ended, until there are no more, and advances the clock by a tick.
    pub(super) async fn tick(&mut self) {
        loop {
            self.fixture.until_idle_for(3, 8).await;
            while let Some(pending) = self.inbox.try_next() {
                let payload = pending.payload();
                let answer = (self.script)(&payload, seconds(pending.at));
                let ticks = if self.has_latency { (self.calls.len() + self.pending.len()) as u64 * 7 % 4 } else { 0 };
                let ends = pending.at.saturating_add(TICK.saturating_mul(ticks));
                self.pending.push((pending, ends, answer));
            }
            let now = self.fixture.clock.now();
            let (ended, pending) = std::mem::take(&mut self.pending).into_iter().partition(|(_, ends, _)| *ends <= now);
            self.pending = pending;
            let ended: Vec<(PendingCall, Time, Answer)> = ended;
            if ended.is_empty() {
                break;
            }
            for (pending, _, answer) in ended {
                self.end(pending, answer);
            }
        }
        self.fixture.advance(TICK);
    }

    fn end(&mut self, pending: PendingCall, answer: Answer) {
        let (payload, began, attempt) = (pending.payload(), seconds(pending.at), pending.call.attempt);
        self.calls.push(CallRecord { payload, began, attempt, answer });
        let status = |code: u16| Failure::new(format!("HTTP {code}")).with_evidence(Evidence::http(code));
        match answer {
            Answer::Ok => pending.done(),
            Answer::Status500 => pending.fail(status(500)),
            Answer::Status422 => pending.fail(status(422)),
            Answer::Status429(wait) => pending.fail(status(429).with_retry_after(Span::from_secs(wait))),
            Answer::NotSent => {
                pending.call.not_sent();
                pending.fail(Failure::new("connection refused"));
            }
        }
    }

    pub(super) async fn run_until(&mut self, second: f64) {
        while self.now() < second {
            self.tick().await;
        }
    }

    /// Runs until every piece of work has ended.
    pub(super) async fn run_to_the_end(&mut self, at_most: f64) {
        while !self.waiting().await.is_empty() {
            assert!(self.now() < at_most, "still waiting: {:?}", self.waiting().await);
            self.tick().await;
        }
    }

    /// Runs until every piece of work has ended, and checks how; see [`assert_ended`](Self::assert_ended).
    pub(super) async fn until_ended(&mut self, at_most: f64, is_letter: impl Fn(&str) -> bool) {
        self.run_to_the_end(at_most).await;
        self.assert_ended(is_letter).await;
    }

    /// The attempts that the source has counted, by payload, of the work that has not ended.
    pub(super) async fn waiting(&self) -> BTreeMap<String, u32> {
        let name = |payload: &[u8]| String::from_utf8_lossy(payload).into_owned();
        match &self.log {
            Some(log) => log.unfinished().iter().map(|(payload, attempts, _)| (name(payload), *attempts)).collect(),
            None => {
                let items = self.fixture.items("orders").await;
                items.iter().map(|item| (name(&item.content.payload), item.info.attempts)).collect()
            }
        }
    }

    /// The letters by payload.
    pub(super) async fn letters(&self) -> BTreeMap<String, FullLetter> {
        let mut letters = BTreeMap::new();
        for stored in self.fixture.dead_letters().await {
            let payload = String::from_utf8_lossy(&stored.content.payload).into_owned();
            let letter = self.fixture.record(stored.info.letter.as_ref().unwrap().id).await;
            assert!(letters.insert(payload, letter).is_none(), "two letters of one piece of work");
        }
        letters
    }

    pub(super) async fn letter_names(&self) -> BTreeSet<String> {
        self.letters().await.into_keys().collect()
    }

    pub(super) async fn health(&self) -> RunnerHealth {
        self.running.as_ref().unwrap().health().await
    }

    pub(super) async fn stop(&mut self) -> RunReport {
        self.running.take().unwrap().stop(Span::ZERO).await
    }

    /// The number of calls that run.
    pub(super) fn running(&self) -> usize {
        self.pending.len()
    }

    /// The calls of one piece of work.
    pub(super) fn calls_of(&self, payload: &str) -> Vec<CallRecord> {
        self.calls.iter().filter(|call| call.payload == payload).cloned().collect()
    }

    /// Asserts that all work has ended, each piece once: by a success, or by a letter if `is_letter` says so.
    pub(super) async fn assert_ended(&self, is_letter: impl Fn(&str) -> bool) {
        let done: Vec<&str> =
            self.calls.iter().filter(|call| call.answer == Answer::Ok).map(|call| call.payload.as_str()).collect();
        let unique: BTreeSet<String> = done.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(done.len(), unique.len(), "work was done twice");
        let (expected_letters, expected_done): (BTreeSet<String>, BTreeSet<String>) =
            self.produced.iter().cloned().partition(|name| is_letter(name));
        assert_eq!(self.letter_names().await, expected_letters);
        assert_eq!(unique, expected_done);
        self.fixture.assert_conserved().await;
    }
}

fn seconds(at: Time) -> f64 {
    at.since(START).as_micros() as f64 / 1e6
}

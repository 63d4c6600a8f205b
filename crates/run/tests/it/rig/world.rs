//! A store, its clock, its queues, and what is in them.

use std::sync::Arc;

use redrive_core::{
    Backoff, BreakerConfig, Category, Evidence, Failure, Fingerprint, LetterId, Policy, PolicySource, Priority,
    QueueName, RetryPolicy, Span, Status, Time, Trigger,
};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{
    Attempt, Capture, CaptureContext, Content, CreateQueue, FullLetter, GetConservation, GetLetter, GetStats, ItemInfo,
    ListItems, ListLetters, NewItem, NewLetter, Origin, Produce, QueueSettings, StoredItem, Which,
};
use redrive_run::{DueLetters, Handler, Runner, RunnerSettings, Running, StoreQueue};
use redrive_store::{ManualClock, Store};

use super::{Desk, Double, until};

pub(crate) const START: Time = Time::from_secs(1_800_000_000);
/// The leases of these tests.
pub(crate) const LEASE: Span = Span::from_secs(60);

#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) clock: ManualClock,
    pub(crate) store: Arc<Double>,
}

impl World {
    /// `orders`, whose dead queue is `dead`.
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut QueueSettings)) -> Self {
        let clock = ManualClock::new(START);
        let options = EmbeddedOptions { clock: Arc::new(clock.clone()), seed: Some(7), ..EmbeddedOptions::default() };
        Self::over(EmbeddedStore::in_memory(&options).unwrap(), clock, change).await
    }

    pub(crate) async fn over(
        store: EmbeddedStore,
        clock: ManualClock,
        change: impl FnOnce(&mut QueueSettings),
    ) -> Self {
        let store = Arc::new(Double::new(store));
        let mut dead_queue = queue("dead");
        dead_queue.letters.custom_backoff = Some("list 0s".parse().unwrap());
        store.create_queue(CreateQueue { settings: dead_queue }).await.unwrap();
        let mut orders = queue("orders");
        orders.dead_queue = Some(dead());
        change(&mut orders);
        store.create_queue(CreateQueue { settings: orders }).await.unwrap();
        Self { clock, store }
    }

    pub(crate) fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store) as Arc<dyn Store>
    }

    // Sources and runners

    pub(crate) fn orders(&self) -> StoreQueue {
        StoreQueue::new(self.store(), named("orders"), LEASE)
    }

    pub(crate) fn letters(&self) -> DueLetters {
        DueLetters::new(self.store(), dead(), LEASE)
    }

    pub(crate) fn runner<S: redrive_run::Source>(
        &self,
        source: S,
        handler: impl Handler,
        policy: Policy,
        settings: RunnerSettings,
    ) -> Runner<S> {
        Runner::new(source, handler, policy, settings).unwrap().with_clock(Arc::new(self.clock.clone()))
    }

    /// A runner over `orders` whose calls land on a desk.
    pub(crate) async fn start(&self, policy: Policy, settings: RunnerSettings) -> (Running, Desk) {
        let (handler, desk) = Desk::new(&self.clock);
        (self.runner(self.orders(), handler, policy, settings).start().await.unwrap(), desk)
    }

    /// A runner over the letters that are due.
    pub(crate) async fn start_letters(&self, policy: Policy, settings: RunnerSettings) -> (Running, Desk) {
        let (handler, desk) = Desk::new(&self.clock);
        (self.runner(self.letters(), handler, policy, settings).start().await.unwrap(), desk)
    }

    // Time

    pub(crate) fn advance(&self, by: Span) {
        self.clock.advance(by);
    }

    /// Waits until nothing happens any more: all requests were answered and everybody has slept over it.
    pub(crate) async fn calm(&self) {
        self.calm_for(12, 16).await;
    }

    /// The same, with fewer looks and shorter ones: for tests that look very often.
    pub(crate) async fn calm_for(&self, rounds: usize, yields: usize) {
        let mut before = self.store.total();
        let mut quiet = 0;
        while quiet < rounds {
            // The writer answers in order: what was asked before this is answered, too.
            self.store.local.conservation(GetConservation).await.unwrap();
            for _ in 0..yields {
                tokio::task::yield_now().await;
            }
            let now = self.store.total();
            quiet = if now == before && !self.store.is_busy() { quiet + 1 } else { 0 };
            before = now;
        }
    }

    /// Advances in steps that a lease survives, with time to breathe after each.
    pub(crate) async fn stroll(&self, by: Span, step: Span) {
        self.calm().await;
        let end = redrive_store::Clock::now(&self.clock).saturating_add(by);
        while redrive_store::Clock::now(&self.clock) < end {
            let now = redrive_store::Clock::now(&self.clock);
            self.clock.set(now.saturating_add(step).min(end));
            self.calm().await;
        }
    }

    // What goes in

    pub(crate) async fn produce(&self, items: impl IntoIterator<Item = NewItem>) {
        let items = items.into_iter().collect();
        self.store.local.produce(Produce::new(named("orders"), items)).await.unwrap();
    }

    pub(crate) async fn capture(&self, letters: impl IntoIterator<Item = NewLetter>) -> Vec<LetterId> {
        let letters = letters.into_iter().collect();
        let captured = self.store.local.capture(Capture::new(dead(), letters)).await.unwrap();
        captured.into_iter().map(|captured| captured.letter).collect()
    }

    /// A letter that is due at once, and at once again after each failed retry.
    pub(crate) fn letter(&self, id: &str, destination: &str) -> NewLetter {
        new_letter(id, destination, &self.clock)
    }

    // What is there

    pub(crate) async fn items(&self, name: &str) -> Vec<StoredItem> {
        let list = |which| ListItems { queue: named(name), partition: 0, which, pivot: None, limit: 100_000 };
        let mut items = self.store.local.items(list(Which::Items)).await.unwrap();
        items.extend(self.store.local.items(list(Which::Scheduled)).await.unwrap());
        items
    }

    /// The letters of the dead queue, in every state.
    pub(crate) async fn dead_letters(&self) -> Vec<StoredItem> {
        let list = ListLetters { queue: dead(), statuses: Vec::new(), after: None, limit: 100_000 };
        self.store.local.letters(list).await.unwrap()
    }

    pub(crate) async fn record(&self, letter: LetterId) -> FullLetter {
        self.store.local.letter(GetLetter { queue: dead(), letter }).await.unwrap()
    }

    /// The only letter, with its story.
    pub(crate) async fn the_letter(&self) -> FullLetter {
        let letters = self.dead_letters().await;
        assert_eq!(letters.len(), 1, "one letter: {letters:?}");
        self.record(letters[0].info.letter.as_ref().unwrap().id).await
    }

    /// Waits until the dead queue has so many letters.
    pub(crate) async fn until_dead(&self, count: usize) {
        until("letters in the dead queue", || async { self.dead_letters().await.len() == count }).await;
    }

    /// Waits until a letter is in this state.
    pub(crate) async fn until_status(&self, letter: LetterId, status: Status) {
        until(&format!("a letter that is {status}"), || async { self.status(letter).await == status }).await;
    }

    pub(crate) async fn status(&self, letter: LetterId) -> Status {
        self.info(letter).await.letter.unwrap().status
    }

    pub(crate) async fn info(&self, letter: LetterId) -> ItemInfo {
        self.record(letter).await.info
    }

    /// Waits until nothing is left in `orders`.
    pub(crate) async fn until_empty(&self) {
        until("an empty queue", || async { self.items("orders").await.is_empty() }).await;
    }

    pub(crate) async fn leased(&self, name: &str) -> u64 {
        let stats = self.store.local.stats(GetStats { queue: named(name) }).await.unwrap();
        stats.partitions.iter().map(|partition| partition.leased).sum()
    }

    /// What came in is there or has ended.
    pub(crate) async fn conserved(&self) {
        let sums = self.store.local.conservation(GetConservation).await.unwrap();
        assert!(sums.holds(), "{sums:?}");
    }
}

pub(crate) fn named(text: &str) -> QueueName {
    QueueName::new(text).unwrap()
}

pub(crate) fn dead() -> QueueName {
    named("dead")
}

/// A queue in which nothing happens by itself within a test.
pub(crate) fn queue(text: &str) -> QueueSettings {
    let mut settings = QueueSettings::new(named(text));
    settings.lease_timeout = LEASE;
    settings.expire_timeout = Span::from_days(10_000);
    settings.letters.letters_expire = Some(false);
    settings
}

pub(crate) fn item(text: &str) -> NewItem {
    NewItem { message_id: Some(text.into()), ..NewItem::of_payload(text.to_owned()) }
}

/// A letter that is due at once.
pub(crate) fn new_letter(id: &str, destination: &str, clock: &ManualClock) -> NewLetter {
    let mut attempt = Attempt::new(Trigger::Automatic, redrive_core::Outcome::Failure);
    attempt.error = "HTTP 503".to_owned();
    NewLetter {
        source_id: id.into(),
        content: Arc::new(Content::of_payload(id.to_owned())),
        context: CaptureContext {
            origin: Origin { transport: "test".to_owned(), name: destination.to_owned(), ..Origin::default() },
            ..CaptureContext::default()
        },
        attempt,
        category: Category::Transient,
        fingerprint: Fingerprint::of(&Failure::new("HTTP 503")),
        policy: RetryPolicy::Custom,
        policy_source: PolicySource::Explicit,
        max_retries: 3,
        priority: Priority::default(),
        destination: Arc::from(destination),
        failed_at: redrive_store::Clock::now(clock),
    }
}

/// Three attempts, ten seconds between them.
pub(crate) fn policy() -> Policy {
    Policy::builder().max_attempts(3).backoff(Backoff::fixed(Span::from_secs(10))).build().unwrap()
}

pub(crate) fn settings(concurrency: usize) -> RunnerSettings {
    RunnerSettings { concurrency, ..RunnerSettings::default() }
}

/// With a breaker that a test does not meet by accident.
pub(crate) fn unbroken(concurrency: usize) -> RunnerSettings {
    let breaker = BreakerConfig::new(1_000, Span::from_secs(10), 1).unwrap();
    RunnerSettings { breaker, ..settings(concurrency) }
}

/// A failure that time may heal.
pub(crate) fn transient() -> Failure {
    Failure::new("out of order").with_evidence(Evidence::http(503))
}

/// One that no time heals.
pub(crate) fn permanent() -> Failure {
    Failure::new("no such order").with_evidence(Evidence::http(404))
}

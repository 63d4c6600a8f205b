//! The fixture of a case: a store, its clock, and shortcuts for frequent operations.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::{Clock, ManualClock, Store, StoreError};
use redrive_core::{ItemId, LetterId, Policy, QueueName, Span, Status, Time};
use redrive_model::capture::{CaptureRules, FailedWork};
use redrive_model::{
    Archive, Capture, CaptureSettings, Captured, ClaimById, ClaimDue, CreateQueue, DestinationFilter, FullLetter,
    GetCaptureSettings, GetItem, GetLetter, GetQueue, GetStats, ItemInfo, ItemListKind, Lease, LeaseSpec, Leased,
    LetterInfo, ListItems, NewItem, NewLetter, OnRejected, Produce, ProducedItem, QueueSettings, QueueStats, Rejection,
    Settle, SettleAction, StoredItem,
};

use super::Harness;
use super::samples::{START, SettleProgress, ids, name, rejection};

/// A store with a manual clock.
pub(super) struct StoreFixture {
    harness: Arc<dyn Harness>,
    store: RefCell<Arc<dyn Store>>,
    is_closed: Cell<bool>,
    pub(super) clock: ManualClock,
}

impl StoreFixture {
    pub(super) async fn new(harness: Arc<dyn Harness>) -> Self {
        let clock = ManualClock::new(START);
        let store = RefCell::new(harness.open(clock.clone()).await);
        Self { harness, store, is_closed: Cell::new(false), clock }
    }

    pub(super) fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store.borrow())
    }

    /// Closes and reopens the store. Returns `false` if the store is not durable.
    pub(super) async fn reopen(&self) -> bool {
        let reopened = self.harness.reopen(self.store(), self.clock.clone()).await;
        let Some(store) = reopened else { return false };
        self.store.replace(store);
        true
    }

    pub(super) async fn close(&self) {
        self.is_closed.set(true);
        self.store().close().await.unwrap();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.get()
    }

    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }

    pub(super) fn advance(&self, by: Span) {
        self.clock.advance(by);
    }

    /// The time that is `span` from now.
    pub(super) fn after(&self, span: Span) -> Time {
        self.now().saturating_add(span)
    }

    // Queues

    /// Creates a queue with default settings: leases of a minute, items that expire after a day, one partition.
    pub(super) async fn queue(&self, queue: &str) -> QueueName {
        self.queue_with(queue, |_| {}).await
    }

    pub(super) async fn queue_with(&self, queue: &str, change: impl FnOnce(&mut QueueSettings)) -> QueueName {
        let mut settings = QueueSettings::new(name(queue));
        change(&mut settings);
        self.store().create_queue(CreateQueue { settings }).await.unwrap().name
    }

    /// Creates a queue with settings that the store must reject.
    pub(super) async fn rejected_queue(&self, settings: QueueSettings) -> Rejection {
        rejection(self.store().create_queue(CreateQueue { settings }).await)
    }

    pub(super) async fn assert_no_queue(&self, queue: &QueueName) {
        let found = self.store().queue(GetQueue { name: queue.clone() }).await;
        assert_eq!(rejection(found), Rejection::NoSuchQueue(queue.clone()));
    }

    /// Creates a queue `orders` with the dead queue `dead`.
    pub(super) async fn queue_and_dead(&self, change: impl FnOnce(&mut QueueSettings)) -> (QueueName, QueueName) {
        let dead = self.queue("dead").await;
        let orders = self
            .queue_with("orders", |settings| {
                settings.dead_queue = Some(dead.clone());
                change(settings);
            })
            .await;
        (orders, dead)
    }

    pub(super) async fn stats(&self, queue: &QueueName) -> QueueStats {
        self.store().stats(GetStats { queue: queue.clone() }).await.unwrap()
    }

    /// The total, leased and scheduled items of all partitions.
    pub(super) async fn numbers(&self, queue: &QueueName) -> (u64, u64, u64) {
        let partitions = self.stats(queue).await.partitions;
        partitions.iter().fold((0, 0, 0), |(total, leased, scheduled), partition| {
            (total + partition.total, leased + partition.leased, scheduled + partition.scheduled)
        })
    }

    // Items

    pub(super) async fn produce(&self, queue: &QueueName, payloads: &[&'static str]) -> Vec<ItemId> {
        self.produce_items(queue, payloads.iter().map(|payload| NewItem::of_payload(*payload)).collect()).await
    }

    /// Creates a queue `orders` with items of these payloads.
    pub(super) async fn orders(&self, payloads: &[&'static str]) -> QueueName {
        let orders = self.queue("orders").await;
        self.produce(&orders, payloads).await;
        orders
    }

    pub(super) async fn produce_one(&self, queue: &QueueName, item: NewItem) -> ItemId {
        self.produce_items(queue, vec![item]).await[0]
    }

    pub(super) async fn produce_items(&self, queue: &QueueName, items: Vec<NewItem>) -> Vec<ItemId> {
        let produced = self.store().produce(Produce::new(queue.clone(), items)).await.unwrap();
        let id = |item: &ProducedItem| match item {
            ProducedItem::New(id) | ProducedItem::Duplicate(id) => *id,
        };
        produced.items.iter().map(id).collect()
    }

    /// Produces `count` items, and returns their partition.
    pub(super) async fn produce_many(&self, queue: &QueueName, count: usize) -> u32 {
        let items = (0..count).map(|number| NewItem::of_payload(number.to_string())).collect();
        self.store().produce(Produce::new(queue.clone(), items)).await.unwrap().partition
    }

    /// Leases available items without waiting.
    pub(super) async fn try_lease(&self, queue: &QueueName, batch: u64) -> Result<Leased, StoreError> {
        self.store().lease(lease_of(queue, batch, Span::ZERO)).await
    }

    pub(super) async fn lease(&self, queue: &QueueName, batch: u64) -> Leased {
        self.try_lease(queue, batch).await.unwrap()
    }

    /// Leases one item.
    pub(super) async fn lease_one(&self, queue: &QueueName) -> StoredItem {
        let mut leased = self.lease(queue, 1).await;
        leased.items.remove(0)
    }

    pub(super) async fn assert_nothing_to_lease(&self, queue: &QueueName) {
        let nothing = self.try_lease(queue, 1).await;
        assert_eq!(nothing, Err(StoreError::TimedOut), "an item can be leased from {queue}");
    }

    pub(super) async fn settle(&self, queue: &QueueName, id: ItemId, verb: SettleAction) -> Result<(), StoreError> {
        self.store().settle_all(queue.clone(), None, vec![id], verb).await
    }

    pub(super) async fn settle_many(&self, queue: &QueueName, ids: Vec<ItemId>, verb: &SettleAction) -> SettleProgress {
        let settle = Settle { on_rejected: OnRejected::Stop, ..Settle::all(queue.clone(), None, ids, verb) };
        SettleProgress::of(&self.store().settle(settle).await.unwrap())
    }

    pub(super) async fn complete(&self, queue: &QueueName, id: ItemId) -> Result<(), StoreError> {
        self.settle(queue, id, SettleAction::Complete { attempt: None }).await
    }

    /// Settles all items of a lease with the same action.
    pub(super) async fn settle_leased(&self, queue: &QueueName, leased: &Leased, verb: SettleAction) {
        self.store().settle_all(queue.clone(), Some(leased.partition), ids(&leased.items), verb).await.unwrap();
    }

    pub(super) async fn items(&self, queue: &QueueName, partition: u32) -> Vec<StoredItem> {
        self.listed(queue, partition, ItemListKind::Items).await
    }

    pub(super) async fn scheduled(&self, queue: &QueueName, partition: u32) -> Vec<StoredItem> {
        self.listed(queue, partition, ItemListKind::Scheduled).await
    }

    async fn listed(&self, queue: &QueueName, partition: u32, which: ItemListKind) -> Vec<StoredItem> {
        let list = ListItems { queue: queue.clone(), partition, which, pivot: None, limit: 10_000 };
        self.store().items(list).await.unwrap()
    }

    /// The only item that is not scheduled.
    pub(super) async fn only_item(&self, queue: &QueueName) -> ItemInfo {
        let mut items = self.items(queue, 0).await;
        assert_eq!(items.len(), 1, "{items:?}");
        items.remove(0).info
    }

    pub(super) async fn assert_no_item(&self, queue: &QueueName, id: ItemId) {
        let found = self.store().item(GetItem { queue: queue.clone(), id }).await;
        assert_eq!(rejection(found), Rejection::NoSuchItem(id));
    }

    // Letters

    pub(super) async fn capture(&self, queue: &QueueName, letter: NewLetter) -> Captured {
        self.try_capture(queue, vec![letter]).await.unwrap()[0]
    }

    /// Creates a queue `dead` with this letter.
    pub(super) async fn captured(&self, letter: NewLetter) -> (QueueName, LetterId) {
        let dead_queue = self.queue("dead").await;
        let letter = self.capture(&dead_queue, letter).await.letter;
        (dead_queue, letter)
    }

    /// Creates a queue `dead` with this letter, which must be due, and claims it.
    pub(super) async fn claimed(&self, letter: NewLetter) -> (QueueName, LetterId, StoredItem) {
        let (dead_queue, letter) = self.captured(letter).await;
        let held = self.claim_one(&dead_queue).await;
        (dead_queue, letter, held)
    }

    /// The settings by which failures for a queue are assessed.
    pub(super) async fn capture_settings(&self, queue: &QueueName) -> CaptureSettings {
        self.store().capture_settings(GetCaptureSettings { queue: queue.clone() }).await.unwrap()
    }

    /// Assesses failed work by the settings of the queue, and captures it.
    pub(super) async fn assess_and_capture(&self, queue: &QueueName, work: &FailedWork) -> Captured {
        let settings = self.capture_settings(queue).await;
        let assessed = CaptureRules { letters: &settings.letters, policy: &Policy::default() }.assess(work);
        let letters = vec![NewLetter::new(work, &assessed)];
        let capture = Capture { revision: Some(settings.revision), ..Capture::new(queue.clone(), letters) };
        self.store().capture(capture).await.unwrap()[0]
    }

    pub(super) async fn try_capture(
        &self,
        queue: &QueueName,
        letters: Vec<NewLetter>,
    ) -> Result<Vec<Captured>, StoreError> {
        self.store().capture(Capture::new(queue.clone(), letters)).await
    }

    pub(super) async fn record(&self, queue: &QueueName, letter: LetterId) -> FullLetter {
        self.store().letter(GetLetter { queue: queue.clone(), letter }).await.unwrap()
    }

    pub(super) async fn info(&self, queue: &QueueName, letter: LetterId) -> LetterInfo {
        *self.record(queue, letter).await.info.letter.expect("a letter")
    }

    pub(super) async fn status(&self, queue: &QueueName, letter: LetterId) -> Status {
        self.info(queue, letter).await.status
    }

    /// Claims up to `batch` letters that are due now; a store may return fewer.
    pub(super) async fn claim(&self, queue: &QueueName, batch: u64) -> Vec<StoredItem> {
        self.claim_but(queue, batch, &[]).await
    }

    pub(super) async fn claim_but(&self, queue: &QueueName, batch: u64, held: &[&str]) -> Vec<StoredItem> {
        self.due_now(claim_of(queue, batch, held, Span::ZERO)).await
    }

    /// Claims every letter that is due now.
    pub(super) async fn claim_all(&self, queue: &QueueName) -> Vec<StoredItem> {
        let mut all = Vec::new();
        loop {
            let letters = self.claim(queue, 16).await;
            if letters.is_empty() {
                return all;
            }
            all.extend(letters);
        }
    }

    /// Claims one letter, which must be due.
    pub(super) async fn claim_one(&self, queue: &QueueName) -> StoredItem {
        let mut letters = self.claim(queue, 1).await;
        assert_eq!(letters.len(), 1, "no letter is due");
        letters.remove(0)
    }

    /// Claims and completes one letter, which must be due.
    pub(super) async fn complete_letter(&self, queue: &QueueName) {
        let held = self.claim_one(queue).await;
        self.complete(queue, held.info.id).await.unwrap();
    }

    /// Claims letters of one destination that are due now.
    pub(super) async fn claim_only(&self, queue: &QueueName, batch: u64, only: &str) -> Vec<StoredItem> {
        let (lease, scope) = (Span::from_mins(1), DestinationFilter::Only(vec![only.into()]));
        self.due_now(ClaimDue { queue: queue.clone(), batch, lease, scope, wait: Span::ZERO }).await
    }

    async fn due_now(&self, claim: ClaimDue) -> Vec<StoredItem> {
        match self.store().claim_due(claim).await {
            Ok(claimed) => claimed.letters,
            Err(error) => {
                assert_eq!(error, StoreError::TimedOut);
                Vec::new()
            }
        }
    }

    pub(super) async fn claim_by_hand(&self, queue: &QueueName, letter: LetterId) -> Result<StoredItem, StoreError> {
        let claim = ClaimById {
            queue: queue.clone(),
            letters: vec![letter.into()],
            lease: Span::from_mins(1),
            trigger: redrive_core::Trigger::Manual,
        };
        self.store().claim_by_id(claim).await.map(|mut claimed| claimed.letters.remove(0))
    }

    pub(super) async fn archive(&self, queue: &QueueName, letter: LetterId) -> u64 {
        self.store().archive(Archive { queue: queue.clone(), letters: vec![letter] }).await.unwrap()
    }
}

pub(super) fn lease_of(queue: &QueueName, batch: u64, wait: Span) -> Lease {
    Lease { queue: queue.clone(), client_id: None, spec: LeaseSpec { batch, lease: None, notes_receipt: false }, wait }
}

pub(super) fn claim_of(queue: &QueueName, batch: u64, held: &[&str], wait: Span) -> ClaimDue {
    let scope = DestinationFilter::AllBut(held.iter().map(|held| Arc::from(*held)).collect());
    ClaimDue { queue: queue.clone(), batch, lease: Span::from_mins(1), scope, wait }
}

//! One mailbox of a store.

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{ItemId, Ksuid, QueueName, Span, Time};
use redrive_model::{
    Clear, DeliveryNotes, Extend, GetStats, HeldItem, ItemListKind, Lease, LeaseByMessageId, LeaseSpec, ListItems,
    NewItem, OnRejected, PartitionStats, Produce, ProducedItem, Rejection, RetryAt, Settle, SettleAction, Settled,
    Settlement, StoredItem,
};
use redrive_store::{Store, StoreError};
use tokio::sync::watch;

use super::message::{browsed, item_message_id, new_item, raw_message};
use crate::hand_over::{check_hand_over, hand_over_in_steps};
use crate::{
    BrowseCursor, BrowsePage, HandOverSpec, InTransit, LeaseExtension, MailboxBackend, MailboxCounts, MailboxError,
    MailboxMetrics, MailboxName, MailboxSettings, MessageId, NackSpec, NewMessage, RawMessage, ReceiptHandle,
    ReceiveSpec, TokenGenerator, check_browse, check_visibility,
};

/// The smallest difference between two times.
pub(super) const INSTANT: Span = Span::from_micros(1);

/// A mailbox of a store: a queue of it. Opened by [`StoreMailboxes`](super::StoreMailboxes).
#[derive(Debug)]
pub struct StoreMailbox {
    store: Arc<dyn Store>,
    tokens: Arc<TokenGenerator>,
    name: MailboxName,
    queue: QueueName,
    settings: MailboxSettings,
    metrics: MailboxMetrics,
    closed: watch::Sender<bool>,
    /// Always empty: the store itself releases the items of a lease whose answer is not read.
    in_transit: InTransit,
}

impl StoreMailbox {
    pub(super) fn new(
        store: Arc<dyn Store>,
        tokens: Arc<TokenGenerator>,
        name: MailboxName,
        queue: QueueName,
        settings: MailboxSettings,
    ) -> Arc<Self> {
        let metrics = MailboxMetrics::new(&name, &settings);
        let closed = watch::Sender::new(false);
        Arc::new(Self { store, tokens, name, queue, settings, metrics, closed, in_transit: InTransit::default() })
    }

    /// The other mailbox, if one request to the store can change both.
    fn near<'a>(&self, to: &'a dyn MailboxBackend) -> Option<&'a Self> {
        to.as_any().downcast_ref::<Self>().filter(|to| Arc::ptr_eq(&self.store, &to.store))
    }

    fn error(&self, error: &StoreError) -> MailboxError {
        match error {
            StoreError::Rejected(Rejection::TooManyItems { max_items }) => {
                MailboxError::Full { mailbox: self.name.clone(), capacity: *max_items }
            }
            error => store_error(&self.name, error),
        }
    }

    /// The error of a send. A body within the limit of the mailbox may be beyond that of the store.
    fn send_error(&self, error: &StoreError, body_bytes: usize) -> MailboxError {
        match error {
            StoreError::Rejected(Rejection::TooLarge { .. }) => {
                MailboxError::invalid("body of", &format!("{body_bytes} bytes"), "those that the store accepts")
            }
            error => self.error(error),
        }
    }

    /// Waits until everything that is due by time has been applied, and returns the numbers of messages.
    async fn current_counts(&self) -> Result<MailboxCounts, MailboxError> {
        let stats =
            self.store.stats(GetStats { queue: self.queue.clone() }).await.map_err(|error| self.error(&error))?;
        let sum = |count: fn(&PartitionStats) -> u64| stats.partitions.iter().map(count).sum();
        Ok(MailboxCounts {
            pending: sum(|partition| partition.total - partition.leased),
            leased: sum(|partition| partition.leased),
            delayed: sum(|partition| partition.scheduled),
        })
    }

    fn item_of(&self, message: NewMessage) -> (MessageId, NewItem) {
        let remember_for = message.id.is_some().then(|| self.settings.marker_retention());
        let id = message.id.clone().unwrap_or_else(|| self.tokens.message_id());
        let item = new_item(message, &id, remember_for);
        (id, item)
    }

    async fn produce(&self, item: NewItem, completes: Option<HeldItem>) -> Result<ProducedItem, StoreError> {
        let completes = completes.map(Box::new);
        let produce = Produce { completes, ..Produce::new(self.queue.clone(), vec![item]) };
        self.store.produce(produce).await?.items.first().copied().ok_or(StoreError::WrongAnswer)
    }

    /// Applies actions to a leased message, in one request. Returns the result of the last one.
    async fn settle<const N: usize>(
        &self,
        handle: &ReceiptHandle,
        actions: [Option<SettleAction>; N],
    ) -> Result<Settled, MailboxError> {
        let id = self.metrics.answer(item_id(handle))?;
        let items = actions.into_iter().flatten().map(|action| Settlement { id, action }).collect();
        let settle = Settle { queue: self.queue.clone(), partition: None, items, on_rejected: OnRejected::Stop };
        let answers = self.store.settle(settle).await.map_err(|error| self.error(&error))?;
        let last = answers.into_iter().next_back().unwrap_or(Err(Rejection::NoSuchItem(id)));
        self.metrics.answer(last.map_err(|rejection| match rejection {
            Rejection::NoSuchItem(_) | Rejection::NotLeased { .. } => MailboxError::stale(handle),
            rejection => self.error(&rejection.into()),
        }))
    }

    /// Ends leases without a result: the messages are visible again, at the tail.
    async fn end_leases(&self, ids: Vec<ItemId>) -> Result<(), MailboxError> {
        if ids.is_empty() {
            return Ok(());
        }
        let settle = Settle::all(self.queue.clone(), None, ids, &SettleAction::Lost);
        // One that has ended by itself meanwhile is rejected, which changes nothing.
        self.store.settle(settle).await.map(|_| ()).map_err(|error| self.error(&error))
    }

    /// The messages of leased items. A lease of zero has ended when they are returned.
    async fn received(&self, items: Vec<StoredItem>, visibility: Span) -> Result<Vec<RawMessage>, MailboxError> {
        let lease = store_lease(visibility);
        let ids: Vec<ItemId> = items.iter().map(|item| item.info.id).collect();
        let message = |item: StoredItem| {
            let deadline = item.info.state.lease_deadline().unwrap_or(item.info.created_at);
            raw_message(item, deadline.saturating_sub(lease), visibility)
        };
        let messages = items.into_iter().map(message).collect();
        if visibility.is_zero() {
            self.end_leases(ids).await?;
        }
        Ok(messages)
    }

    async fn lease(&self, spec: ReceiveSpec) -> Result<Vec<StoredItem>, StoreError> {
        loop {
            let request = Lease {
                queue: self.queue.clone(),
                client_id: None,
                spec: LeaseSpec {
                    batch: spec.max_messages.into(),
                    lease: Some(store_lease(spec.visibility)),
                    notes_receipt: true,
                },
                wait: spec.wait,
            };
            match self.store.lease(request).await {
                Ok(leased) => {
                    self.metrics.orphans(leased.damaged.len() as u64);
                    return Ok(leased.items);
                }
                Err(StoreError::TimedOut) => return Ok(Vec::new()),
                // They were set aside: the next lease gets others.
                Err(StoreError::Damaged(items)) => self.metrics.orphans(items.len() as u64),
                Err(error) => return Err(error),
            }
        }
    }

    async fn take_once(&self, id: &MessageId, visibility: Span) -> Result<Option<StoredItem>, MailboxError> {
        let request = LeaseByMessageId {
            queue: self.queue.clone(),
            message_id: item_message_id(id),
            lease: Some(store_lease(visibility)),
            notes_receipt: true,
        };
        let leased = self.store.lease_by_message_id(request).await;
        leased.map(|item| item.map(|item| *item)).map_err(|error| self.error(&error))
    }
}

#[async_trait]
impl MailboxBackend for StoreMailbox {
    fn name(&self) -> &MailboxName {
        &self.name
    }

    fn settings(&self) -> &MailboxSettings {
        &self.settings
    }

    async fn send(&self, message: NewMessage) -> Result<MessageId, MailboxError> {
        self.check_open()?;
        self.settings.check_body(&message.body)?;
        let body_bytes = message.body.len();
        let (id, item) = self.item_of(message);
        match self.produce(item.clone(), None).await {
            Ok(ProducedItem::New(_)) => return Ok(id),
            // A message that has outlived its retention may still be there, and must neither take space nor keep its id.
            Ok(ProducedItem::Duplicate(_)) | Err(StoreError::Rejected(Rejection::TooManyItems { .. })) => {
                self.current_counts().await?;
            }
            Err(error) => return Err(self.send_error(&error, body_bytes)),
        }
        self.produce(item, None).await.map(|_| id).map_err(|error| self.send_error(&error, body_bytes))
    }

    /// If the future is dropped, or the mailbox is closed meanwhile, the store releases what it has leased.
    async fn receive(&self, spec: ReceiveSpec) -> Result<Vec<RawMessage>, MailboxError> {
        spec.check()?;
        let mut closed = self.closed.subscribe();
        let leased = tokio::select! {
            biased;
            _ = closed.wait_for(|is_closed| *is_closed) => return Ok(Vec::new()),
            leased = self.lease(spec) => leased,
        };
        let items = leased.map_err(|error| {
            self.metrics.receive_error();
            self.error(&error)
        })?;
        self.received(items, spec.visibility).await
    }

    async fn acknowledge(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.settle(handle, [Some(SettleAction::Complete { attempt: None })]).await.map(drop)
    }

    async fn nack(&self, handle: &ReceiptHandle, spec: NackSpec) -> Result<(), MailboxError> {
        spec.check()?;
        let notes = DeliveryNotes {
            error: spec.bounded_error().map(str::to_owned),
            verdict: spec.verdict.as_ref().map(crate::Verdict::to_wire),
            parts: spec.parts,
        };
        let note = (notes != DeliveryNotes::default())
            .then(|| SettleAction::Note { lease: Span::ZERO, notes: Box::new(notes) });
        let retry = SettleAction::Retry { at: RetryAt::After(spec.delay), attempt: None, charged: spec.charge };
        self.settle(handle, [note, Some(retry)]).await.map(drop)
    }

    async fn release(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.settle(handle, [Some(SettleAction::Release)]).await.map(drop)
    }

    async fn extend(&self, handle: &ReceiptHandle, extension: LeaseExtension) -> Result<Time, MailboxError> {
        extension.check()?;
        let id = self.metrics.answer(item_id(handle))?;
        let LeaseExtension { timeout, may_shorten } = extension;
        let lease = Some(timeout.saturating_sub(INSTANT));
        let extend = Extend { queue: self.queue.clone(), partition: None, ids: vec![id], lease, may_shorten };
        let extended = self.store.extend(extend).await.map_err(|error| self.error(&error))?;
        let deadline = extended.into_iter().next().unwrap_or(Err(Rejection::NoSuchItem(id)));
        let deadline = self.metrics.answer(deadline.map_err(|_| MailboxError::stale(handle)))?;
        if may_shorten && timeout.is_zero() {
            self.end_leases(vec![id]).await?;
            return Ok(deadline);
        }
        Ok(deadline.saturating_add(INSTANT))
    }

    async fn begin_hand_over(&self, handle: &ReceiptHandle, spec: HandOverSpec) -> Result<Time, MailboxError> {
        spec.check()?;
        let notes = DeliveryNotes {
            error: Some(spec.bounded_error().to_owned()),
            verdict: Some(spec.verdict.to_wire()),
            parts: Vec::new(),
        };
        let note = SettleAction::Note { lease: spec.lease.saturating_sub(INSTANT), notes: Box::new(notes) };
        match self.settle(handle, [Some(note)]).await? {
            Settled::Kept { deadline } => Ok(deadline.saturating_add(INSTANT)),
            _ => Err(store_error(&self.name, &StoreError::WrongAnswer)),
        }
    }

    fn is_atomic_with(&self, to: &dyn MailboxBackend) -> bool {
        self.near(to).is_some()
    }

    /// In one request, if both mailboxes are of the same store.
    async fn dead_letter(
        &self,
        handle: &ReceiptHandle,
        letter: NewMessage,
        to: &dyn MailboxBackend,
    ) -> Result<(), MailboxError> {
        let Some(to) = self.near(to) else { return hand_over_in_steps(self, handle, letter, to).await };
        check_hand_over(self, &letter, to)?;
        to.check_open()?;
        let id = self.metrics.answer(item_id(handle))?;
        // An earlier letter with this id that has outlived its retention must not stand for this one.
        to.current_counts().await?;
        let body_bytes = letter.body.len();
        let (_, item) = to.item_of(letter);
        let handed_over = to.produce(item, Some(HeldItem { queue: self.queue.clone(), id })).await;
        self.metrics.answer(handed_over.map(|_| ()).map_err(|error| match error {
            StoreError::Rejected(Rejection::NoSuchItem(_) | Rejection::NotLeased { .. }) => MailboxError::stale(handle),
            error => to.send_error(&error, body_bytes),
        }))
    }

    /// The cursor is the id of the last item of the part before.
    async fn browse(&self, from: Option<&BrowseCursor>, most: u32) -> Result<BrowsePage, MailboxError> {
        check_browse(most)?;
        let pivot = from.map(|BrowseCursor(after)| after.parse::<Ksuid>()).transpose();
        let pivot = pivot.map_err(|_| {
            MailboxError::invalid("cursor", &from.map_or("", |cursor| cursor.0.as_str()), "those of this mailbox")
        })?;
        self.current_counts().await?;
        let list = ListItems {
            queue: self.queue.clone(),
            partition: 0,
            which: ItemListKind::All,
            pivot,
            // A list begins with the item at its pivot.
            limit: most as usize + 1,
        };
        let mut items = self.store.items(list).await.map_err(|error| self.error(&error))?;
        items.retain(|item| pivot.is_none_or(|pivot| item.info.id.ksuid() > pivot));
        items.truncate(most as usize);
        let next = items.last().map(|item| BrowseCursor(item.info.id.to_string()));
        Ok(BrowsePage { messages: items.iter().map(browsed).collect(), next })
    }

    async fn take(&self, id: &MessageId, visibility: Span) -> Result<Option<RawMessage>, MailboxError> {
        check_visibility(visibility)?;
        let mut leased = self.take_once(id, visibility).await?;
        if leased.is_none() {
            // Its lease or its delay may have ended although that was not applied yet.
            self.current_counts().await?;
            leased = self.take_once(id, visibility).await?;
        }
        Ok(self.received(leased.into_iter().collect(), visibility).await?.pop())
    }

    async fn purge(&self) -> Result<u64, MailboxError> {
        let clear = Clear { queue: self.queue.clone(), ready: true, destructive: true, scheduled: true };
        self.store.clear(clear).await.map_err(|error| self.error(&error))
    }

    async fn counts(&self) -> Result<MailboxCounts, MailboxError> {
        self.current_counts().await
    }

    fn in_transit(&self) -> &InTransit {
        &self.in_transit
    }

    fn close(&self) {
        self.closed.send_replace(true);
    }

    fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The lease of an item for a message that is invisible for this time. A lease of zero is ended at once instead.
fn store_lease(visibility: Span) -> Span {
    visibility.saturating_sub(INSTANT).max(INSTANT)
}

/// The id of the delivery. A handle that is none of a store is as one that has expired.
fn item_id(handle: &ReceiptHandle) -> Result<ItemId, MailboxError> {
    handle.nonce().parse().map_err(|_| MailboxError::stale(handle))
}

/// A store that is closed, full or broken is not available to a mailbox, as a backend that does not answer.
pub(super) fn store_error(mailbox: &MailboxName, error: &StoreError) -> MailboxError {
    MailboxError::Connection { mailbox: mailbox.clone(), reason: error.to_string() }
}

//! A queue of a store as a source.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{AttemptLimit, ItemId, QueueName, Span, Time};
use redrive_model::{GetQueue, Lease, LeaseSpec, Origin, RetryAt, StoredItem};
use redrive_store::{Store, StoreError};

use super::store_settle::{QueueClaims, source_error};
use super::{ClaimSpec, Delivery, FinishedDelivery, SettleError, Source, SourceError};
use crate::{Work, WorkId};

/// A source of the items of a queue, leased in the order of the queue.
///
/// Work that fails permanently is moved to the queue's dead queue atomically. All work of a queue has one destination:
/// the queue's name, unless [`to`](Self::to) sets another one.
#[derive(Debug)]
pub struct StoreQueue {
    claims: QueueClaims,
    name: Arc<str>,
    destination: Arc<str>,
    origin: Origin,
}

/// How long one lease request waits before it is sent again.
pub(crate) const WAIT: Span = Span::from_hours(1);

impl StoreQueue {
    /// `lease` is the length of the leases; a holder that works longer extends them.
    pub fn new(store: Arc<dyn Store>, queue: QueueName, lease: Span) -> Self {
        let name: Arc<str> = Arc::from(queue.as_str());
        let origin = Origin { transport: "queue".into(), name: Arc::clone(&name), ..Origin::default() };
        let claims = QueueClaims { store, queue, lease, retry_at: |at| RetryAt::Undecided(Some(at)) };
        Self { claims, destination: Arc::clone(&name), name, origin }
    }

    /// Sets the destination, for several queues whose handlers call the same one.
    #[must_use]
    pub fn to(mut self, destination: impl Into<Arc<str>>) -> Self {
        self.destination = destination.into();
        self
    }

    fn delivery(&self, stored: StoredItem) -> Delivery<ItemId> {
        let StoredItem { info, content, context } = stored;
        // Only an id that the producer set identifies a message of the producer.
        let origin = Origin { message_id: info.source_id.as_ref().map(ToString::to_string), ..self.origin.clone() };
        let id = info.source_id.map_or_else(|| WorkId::Given(info.first_id.ksuid()), WorkId::Own);
        // The first id is assigned when the item is first available, and holds that time in seconds.
        let since = info.created_at.max(info.first_id.ksuid().time());
        let work = Work {
            origin,
            attempt: info.attempts,
            deliveries: info.deliveries,
            parts: context.and_then(|context| context.parts).unwrap_or_default(),
            ..Work::new(id, Arc::clone(&self.name), Arc::clone(&self.destination), content, since)
        };
        let is_hand_over_only = info.is_hand_over_only;
        Delivery { is_hand_over_only, ..Delivery::new(info.id, Arc::new(work), info.state.lease_deadline()) }
    }
}

#[async_trait]
impl Source for StoreQueue {
    type Fence = ItemId;

    fn name(&self) -> &Arc<str> {
        &self.name
    }

    fn keeps_successes(&self) -> bool {
        false
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        let queue = GetQueue { name: self.claims.queue.clone() };
        let settings = self.claims.store.queue(queue).await.map_err(|error| source_error(&error))?;
        // A queue's limit of 0 means unlimited.
        Ok(AttemptLimit::at_most(settings.max_attempts).unwrap_or(AttemptLimit::Unlimited))
    }

    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<ItemId>>, SourceError> {
        if !claim.scope.covers(&self.destination) {
            return std::future::pending().await;
        }
        let spec = LeaseSpec { batch: claim.count as u64, lease: Some(self.claims.lease), notes_receipt: false };
        loop {
            let request = Lease { queue: self.claims.queue.clone(), client_id: None, spec, wait: WAIT };
            match self.claims.store.lease(request).await {
                Ok(leased) => return Ok(leased.items.into_iter().map(|item| self.delivery(item)).collect()),
                Err(StoreError::TimedOut) => {}
                Err(error) => return Err(source_error(&error)),
            }
        }
    }

    async fn settle(&self, settlements: &[FinishedDelivery<ItemId>]) -> Vec<Result<(), SettleError>> {
        self.claims.settle(settlements).await
    }

    async fn extend(&self, fences: &[ItemId]) -> Vec<Result<Option<Time>, SettleError>> {
        self.claims.extend(fences).await
    }
}

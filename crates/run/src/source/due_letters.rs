//! The due letters of a dead queue as a source.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use redrive_core::{AttemptLimit, ItemId, PolicySource, QueueName, Span, Time, Trigger};
use redrive_model::{ClaimDue, DeliveryContext, GetQueue, LetterInfo, LetterSettings, Origin, RetryAt, StoredItem};
use redrive_store::{Store, StoreError};

use super::store_queue::WAIT;
use super::store_settle::{QueueClaims, source_error};
use super::{ClaimSpec, Delivery, FinishedDelivery, SettleError, Source, SourceError};
use crate::{LetterRetry, Work, WorkId};

/// A source of the letters that are due for a retry, each with its own destination.
///
/// Each letter has its own retry policy and limit. A letter that fails permanently stays in its queue, exhausted or
/// waiting for an operator.
#[derive(Debug)]
pub struct DueLetters {
    claims: QueueClaims,
    name: Arc<str>,
    interval_micros: AtomicU64,
}

impl DueLetters {
    pub fn new(store: Arc<dyn Store>, queue: QueueName, lease: Span) -> Self {
        let name = Arc::from(queue.as_str());
        let interval_micros = AtomicU64::new(WAIT.as_micros());
        Self { claims: QueueClaims { store, queue, lease, retry_at: RetryAt::Decided }, name, interval_micros }
    }

    /// Repeats the claim at least this often. The store answers a claim as soon as a letter arrives or becomes due; the
    /// interval is a safeguard for a store that failed to do so.
    #[must_use]
    pub fn looking_every(self, interval: Span) -> Self {
        self.look_every(interval);
        self
    }

    /// Like [`looking_every`](Self::looking_every), from the next claim on.
    pub(crate) fn look_every(&self, interval: Span) {
        self.interval_micros.store(interval.as_micros(), Ordering::Relaxed);
    }

    pub(crate) fn interval(&self) -> Span {
        Span::from_micros(self.interval_micros.load(Ordering::Relaxed))
    }

    pub(crate) const fn queue(&self) -> &QueueName {
        &self.claims.queue
    }

    pub(crate) const fn lease(&self) -> Span {
        self.claims.lease
    }

    pub(crate) fn delivery(&self, stored: StoredItem, settings: &Arc<LetterSettings>) -> Delivery<ItemId> {
        let StoredItem { info, content, context } = stored;
        let letter = info.letter.as_deref();
        let DeliveryContext { capture: context, parts, .. } = context.map(|context| *context).unwrap_or_default();
        let context = context.unwrap_or_default();
        let work = Work {
            id: WorkId::Given(letter.map_or_else(|| info.id.ksuid(), |letter| letter.id.ksuid())),
            source: Arc::clone(&self.name),
            // Edited content gets another idempotency key: to a receiver that deduplicates it is other work.
            edition: info.is_edited.then(|| u128::from_be_bytes(content.digest())),
            origin: Origin { replays: letter.map_or(0, |letter| letter.replays), ..context.origin },
            content,
            attempt: info.attempt(),
            deliveries: info.deliveries.saturating_add(1),
            since: letter.map_or(info.created_at, |letter| letter.first_failed_at),
            trigger: letter.map_or(Trigger::Automatic, |letter| letter.trigger),
            destination: letter.map_or_else(|| Arc::clone(&self.name), |letter| Arc::clone(&letter.destination)),
            parts: parts.unwrap_or(context.parts),
            terms: letter.and_then(|letter| terms(letter, settings)),
            reply_to: context.reply_to,
            trace_id: context.trace_id,
            request_id: context.request_id,
            submitted_by: context.submitted_by,
            metadata: context.metadata,
        };
        Delivery {
            is_hand_over_only: info.is_hand_over_only,
            // A manual retry has no due time.
            due: letter.filter(|letter| letter.trigger == Trigger::Automatic).and_then(|letter| letter.before?.due),
            ..Delivery::new(info.id, Arc::new(work), info.state.lease_deadline())
        }
    }
}

/// The retry terms of a letter. A derived policy follows the newest failure; an explicit or default one is kept.
fn terms(letter: &LetterInfo, settings: &Arc<LetterSettings>) -> Option<LetterRetry> {
    let policy = match letter.policy_source {
        PolicySource::Derived => None,
        PolicySource::Explicit | PolicySource::Default => Some(letter.policy),
    };
    let limit = AttemptLimit::of_letter(letter.max_retries).ok()?;
    Some(LetterRetry { policy, limit, settings: Arc::clone(settings) })
}

#[async_trait]
impl Source for DueLetters {
    type Fence = ItemId;

    fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Unlimited: each letter has its own limit.
    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        let found = self.claims.store.queue(GetQueue { name: self.claims.queue.clone() }).await;
        found.map(|_| AttemptLimit::Unlimited).map_err(|error| source_error(&error))
    }

    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<ItemId>>, SourceError> {
        loop {
            let due = ClaimDue {
                queue: self.claims.queue.clone(),
                batch: claim.count as u64,
                lease: self.claims.lease,
                scope: claim.scope.clone(),
                wait: self.interval(),
            };
            match self.claims.store.claim_due(due).await {
                Ok(claimed) => {
                    let deliveries = claimed.letters.into_iter().map(|letter| self.delivery(letter, &claimed.settings));
                    return Ok(deliveries.collect());
                }
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

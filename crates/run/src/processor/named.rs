//! Letters that were claimed by id, as a source: it yields them once, and nothing after them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use redrive_core::{AttemptLimit, ItemId, Time};
use redrive_model::Attempt;
use tokio::sync::watch;

use crate::{ClaimSpec, Delivery, DueLetters, FinishedDelivery, SettleError, Source, SourceError};

#[derive(Debug)]
pub(super) struct NamedLetters {
    due: DueLetters,
    claimed: Mutex<Vec<Delivery<ItemId>>>,
    /// Who requested the retry.
    actor: Arc<str>,
    settled: watch::Sender<ManualRetryProgress>,
}

/// The letters that were settled, or whose result came too late, by the id under which they were claimed: the attempt with
/// its actor; `None` if the letter was released without an attempt.
pub(super) type ManualRetryProgress = HashMap<ItemId, Option<Box<Attempt>>>;

impl NamedLetters {
    pub(super) fn new(due: DueLetters, claimed: Vec<Delivery<ItemId>>, actor: Arc<str>) -> Self {
        Self { due, claimed: Mutex::new(claimed), actor, settled: watch::Sender::default() }
    }

    /// A receiver for the progress.
    pub(super) fn settled(&self) -> watch::Receiver<ManualRetryProgress> {
        self.settled.subscribe()
    }

    fn take(&self, count: usize) -> Vec<Delivery<ItemId>> {
        let mut claimed = self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
        let count = count.min(claimed.len());
        claimed.drain(..count).collect()
    }

    fn with_actor(&self, settlement: &FinishedDelivery<ItemId>) -> FinishedDelivery<ItemId> {
        let mut settlement = settlement.clone();
        if let Some(attempt) = &mut settlement.attempt {
            attempt.actor = Some(Arc::clone(&self.actor));
        }
        settlement
    }
}

#[async_trait]
impl Source for NamedLetters {
    type Fence = ItemId;

    fn name(&self) -> &Arc<str> {
        self.due.name()
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        self.due.limit().await
    }

    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<ItemId>>, SourceError> {
        let taken = self.take(claim.count);
        if taken.is_empty() {
            return std::future::pending().await;
        }
        Ok(taken)
    }

    async fn settle(&self, settlements: &[FinishedDelivery<ItemId>]) -> Vec<Result<(), SettleError>> {
        let sent: Vec<_> = settlements.iter().map(|settlement| self.with_actor(settlement)).collect();
        let answers = self.due.settle(&sent).await;
        let ended = answers.iter().zip(sent).filter(|(answer, _)| matches!(answer, Ok(()) | Err(SettleError::Stale)));
        self.settled.send_modify(|settled| {
            settled.extend(ended.map(|(_, settlement)| (settlement.fence, settlement.attempt)));
        });
        answers
    }

    async fn extend(&self, fences: &[ItemId]) -> Vec<Result<Option<Time>, SettleError>> {
        self.due.extend(fences).await
    }
}

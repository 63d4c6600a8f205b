//! Type erasure of fences, so that the cases are compiled once and not for every source.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{AttemptLimit, Time};

use super::{Abilities, Fate, NewWork, SourceUnderTest};
use crate::{ClaimSpec, Delivery, FinishedDelivery, SettleError, Source, SourceError};

/// A fence of any source.
#[derive(Clone)]
pub(super) struct AnyFence {
    fence: Arc<dyn Any + Send + Sync>,
    shown: Arc<str>,
}

impl AnyFence {
    fn of<F: fmt::Debug + Send + Sync + 'static>(fence: F) -> Self {
        Self { shown: format!("{fence:?}").into(), fence: Arc::new(fence) }
    }

    fn inner<F: Clone + 'static>(&self) -> F {
        self.fence.downcast_ref::<F>().expect("a fence of this source").clone()
    }
}

impl fmt::Debug for AnyFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

struct AnySource<F>(Arc<dyn Source<Fence = F>>);

impl<F> fmt::Debug for AnySource<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[async_trait]
impl<F: Clone + fmt::Debug + Send + Sync + 'static> Source for AnySource<F> {
    type Fence = AnyFence;

    fn name(&self) -> &Arc<str> {
        self.0.name()
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        self.0.limit().await
    }

    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<AnyFence>>, SourceError> {
        let delivery = |delivery: Delivery<F>| Delivery {
            fence: AnyFence::of(delivery.fence),
            work: delivery.work,
            deadline: delivery.deadline,
            is_hand_over_only: delivery.is_hand_over_only,
            unrun: delivery.unrun,
            cancel: delivery.cancel,
            due: delivery.due,
        };
        Ok(self.0.claim(claim).await?.into_iter().map(delivery).collect())
    }

    async fn settle(&self, settlements: &[FinishedDelivery<AnyFence>]) -> Vec<Result<(), SettleError>> {
        let settlement = |settlement: &FinishedDelivery<AnyFence>| FinishedDelivery {
            fence: settlement.fence.inner::<F>(),
            resolution: settlement.resolution.clone(),
            attempt: settlement.attempt.clone(),
        };
        let settlements: Vec<_> = settlements.iter().map(settlement).collect();
        self.0.settle(&settlements).await
    }

    async fn extend(&self, fences: &[AnyFence]) -> Vec<Result<Option<Time>, SettleError>> {
        let fences: Vec<_> = fences.iter().map(AnyFence::inner::<F>).collect();
        self.0.extend(&fences).await
    }
}

/// A bench whose source has erased fences.
pub(super) struct Erased<B>(pub(super) B);

#[async_trait]
impl<B: SourceUnderTest> SourceUnderTest for Erased<B> {
    type Fence = AnyFence;

    fn abilities(&self) -> Abilities {
        self.0.abilities()
    }

    fn source(&self) -> Arc<dyn Source<Fence = AnyFence>> {
        Arc::new(AnySource(self.0.source()))
    }

    async fn put(&self, work: NewWork) {
        self.0.put(work).await;
    }

    async fn fate(&self, payload: &Bytes) -> Fate {
        self.0.fate(payload).await
    }

    async fn clock_moved(&self) {
        self.0.clock_moved().await;
    }

    async fn revoke(&self, payload: &Bytes) {
        self.0.revoke(payload).await;
    }

    async fn lose_next_answer(&self) {
        self.0.lose_next_answer().await;
    }

    async fn refuse_letters(&self, refuse: bool) {
        self.0.refuse_letters(refuse).await;
    }

    async fn restart(&self) {
        self.0.restart().await;
    }

    fn garbage_fence(&self) -> Option<AnyFence> {
        self.0.garbage_fence().map(AnyFence::of)
    }

    fn patience(&self) -> Duration {
        self.0.patience()
    }
}

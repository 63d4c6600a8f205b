//! A source whose answers can be lost, and which notes whether letters were requested.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use redrive_core::{AttemptLimit, Time};
use redrive_kafka::{KafkaSource, RecordFence};
use redrive_run::{ClaimSpec, Delivery, FinishedDelivery, Resolution, SettleError, Source, SourceError};

#[derive(Debug)]
pub(super) struct ObservedSource {
    pub(super) source: KafkaSource,
    pub(super) observations: Arc<SettleObservations>,
}

/// Shared by all sources of a case.
#[derive(Debug, Default)]
pub(super) struct SettleObservations {
    /// The next settlements take effect, and their answers are lost.
    pub(super) loses_next_answer: AtomicBool,
    /// A dead letter was requested, so there may be letters.
    pub(super) has_requested_letters: AtomicBool,
}

#[async_trait]
impl Source for ObservedSource {
    type Fence = RecordFence;

    fn name(&self) -> &Arc<str> {
        self.source.name()
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        self.source.limit().await
    }

    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<RecordFence>>, SourceError> {
        self.source.claim(claim).await
    }

    async fn settle(&self, settlements: &[FinishedDelivery<RecordFence>]) -> Vec<Result<(), SettleError>> {
        let SettleObservations { loses_next_answer, has_requested_letters } = &*self.observations;
        if settlements.iter().any(|settlement| matches!(settlement.resolution, Resolution::DeadLetter(_))) {
            has_requested_letters.store(true, Ordering::Relaxed);
        }
        let answers = self.source.settle(settlements).await;
        if loses_next_answer.swap(false, Ordering::Relaxed) {
            let lost = SettleError::Unavailable("the answer was lost".to_owned());
            return vec![Err(lost); settlements.len()];
        }
        answers
    }

    async fn extend(&self, fences: &[RecordFence]) -> Vec<Result<Option<Time>, SettleError>> {
        self.source.extend(fences).await
    }
}

//! How the deliveries of a store are finished: the same for its items and its letters.

use std::sync::Arc;

use redrive_core::{ItemId, QueueName, Span, Status, Time};
use redrive_queue::{Extend, GiveUp, Refusal, Settle};
use redrive_store::{Store, StoreError};

use super::{SettleError, Settlement, SourceError, Verb};

/// A queue of a store, with claims of a certain length.
#[derive(Debug)]
pub(super) struct Claims {
    pub(super) store: Arc<dyn Store>,
    pub(super) queue: QueueName,
    pub(super) lease: Span,
}

impl Claims {
    /// Settles all; a store stops at the first that it refuses, so the rest is asked for again.
    pub(super) async fn settle(&self, settlements: &[Settlement<ItemId>]) -> Vec<Result<(), SettleError>> {
        let mut answers = Vec::with_capacity(settlements.len());
        while answers.len() < settlements.len() {
            let left = &settlements[answers.len()..];
            let settle = Settle { queue: self.queue.clone(), partition: None, items: left.iter().map(asked).collect() };
            match self.store.settle(settle).await {
                Ok(settled) => {
                    answers.extend(std::iter::repeat_n(Ok(()), settled.done));
                    if let Some(refused) = settled.refused {
                        answers.push(Err(refused_settle(&refused)));
                    }
                }
                Err(error) => {
                    let error = settle_error(&error);
                    answers.resize(settlements.len(), Err(error));
                }
            }
        }
        answers
    }

    /// Extends all that can be: a store refuses all for one that is stale.
    pub(super) async fn extend(&self, fences: &[ItemId]) -> Vec<Result<Option<Time>, SettleError>> {
        match self.extend_all(fences.to_vec()).await {
            Ok(deadlines) => deadlines.into_iter().map(|deadline| Ok(Some(deadline))).collect(),
            Err(error) if fences.len() < 2 || error != SettleError::Stale => vec![Err(error); fences.len()],
            Err(_) => {
                let (first, second) = fences.split_at(fences.len() / 2);
                let mut answers = Box::pin(self.extend(first)).await;
                answers.extend(Box::pin(self.extend(second)).await);
                answers
            }
        }
    }

    async fn extend_all(&self, ids: Vec<ItemId>) -> Result<Vec<Time>, SettleError> {
        let extend = Extend { queue: self.queue.clone(), partition: None, ids, lease: Some(self.lease) };
        self.store.extend(extend).await.map_err(|error| settle_error(&error))
    }
}

fn asked(settlement: &Settlement<ItemId>) -> redrive_queue::Settlement {
    let attempt = settlement.attempt.clone();
    let verb = match &settlement.verb {
        Verb::Ack { .. } | Verb::Drop => redrive_queue::Verb::Complete { attempt },
        Verb::Retry { at, charged } => redrive_queue::Verb::Retry { at: Some(*at), attempt, charged: *charged },
        Verb::DeadLetter(dead) => {
            let why = match dead.reason.letter_status() {
                Status::Exhausted => GiveUp::Exhausted,
                _ => GiveUp::Permanent,
            };
            redrive_queue::Verb::Dead { attempt, why }
        }
        Verb::Defer { until } => redrive_queue::Verb::Defer { until: *until },
        Verb::Release => redrive_queue::Verb::Release,
        Verb::Condemn => redrive_queue::Verb::Condemn { attempt },
    };
    redrive_queue::Settlement { id: settlement.fence, verb }
}

fn refused_settle(refusal: &Refusal) -> SettleError {
    match refusal {
        Refusal::NoSuchItem(_) | Refusal::NotLeased { .. } | Refusal::NoSuchQueue(_) => SettleError::Stale,
        other => SettleError::Unavailable(other.to_string()),
    }
}

fn settle_error(error: &StoreError) -> SettleError {
    match error {
        StoreError::Refused(refusal) => refused_settle(refusal),
        other => SettleError::Unavailable(other.to_string()),
    }
}

pub(super) fn source_error(error: &StoreError) -> SourceError {
    match error {
        StoreError::Closed => SourceError::Closed,
        other => SourceError::Unavailable(other.to_string()),
    }
}

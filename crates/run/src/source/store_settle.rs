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
        let mut most = settlements.len();
        // The next one, where it had to be made smaller.
        let mut shortened = None;
        while answers.len() < settlements.len() {
            let next = &settlements[answers.len()..];
            let mut items: Vec<_> = next.iter().take(most).map(asked).collect();
            if let (Some(first), Some(shorter)) = (items.first_mut(), &shortened) {
                *first = redrive_queue::Settlement::clone(shorter);
            }
            let settle = Settle { queue: self.queue.clone(), partition: None, items };
            match self.store.settle(settle).await {
                Ok(settled) => {
                    // Where one is refused, others may be: each would have the rest asked for again.
                    most = if settled.refused.is_some() { most.div_ceil(2) } else { most.saturating_mul(2) };
                    answers.extend(std::iter::repeat_n(Ok(()), settled.done));
                    answers.extend(settled.refused.as_ref().map(|refused| Err(refused_settle(refused))));
                    shortened = None;
                }
                Err(StoreError::Refused(Refusal::TooLarge { .. })) if most > 1 => most /= 2,
                Err(error) => {
                    // Of a single one that is too large, the outcome matters more than every word about it.
                    let is_too_large = matches!(error, StoreError::Refused(Refusal::TooLarge { .. }));
                    let too_large = next.first().filter(|_| is_too_large);
                    shortened = too_large.map(|first| shortened.take().unwrap_or_else(|| asked(first)));
                    if !shortened.as_mut().is_some_and(shorten) {
                        answers.resize(settlements.len(), Err(settle_error(&error)));
                    }
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
                // Without a record, this delivery was no attempt.
                _ if attempt.is_none() => GiveUp::Spent,
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

/// Makes a record smaller, and says so in it; whether it could be.
fn shorten(settlement: &mut redrive_queue::Settlement) -> bool {
    /// A text of this length fits any store.
    const TEXT_BYTES: usize = 1024;
    use redrive_queue::Verb;
    let (Verb::Complete { attempt }
    | Verb::Retry { attempt, .. }
    | Verb::Dead { attempt, .. }
    | Verb::Condemn { attempt }) = &mut settlement.verb
    else {
        return false;
    };
    let Some(record) = attempt else { return false };
    let bytes = record.error.len();
    if bytes > TEXT_BYTES {
        let end = record.error.floor_char_boundary(TEXT_BYTES / 2);
        record.error.truncate(end);
        record.error.push_str(&format!(" … ({bytes} bytes in all, which the store did not take)"));
    } else {
        *attempt = None;
    }
    true
}

fn refused_settle(refusal: &Refusal) -> SettleError {
    match refusal {
        Refusal::NoSuchItem(_) | Refusal::NotLeased { .. } | Refusal::NoSuchQueue(_) => SettleError::Stale,
        other => SettleError::Refused(other.to_string()),
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

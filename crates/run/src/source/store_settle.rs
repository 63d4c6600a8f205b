//! Settling and extending deliveries of a store: the same for items and letters.

use std::sync::Arc;

use redrive_core::{ItemId, QueueName, Span, Status, Time};
use redrive_model::{DeadCause, Extend, OnRejected, Rejection, RetryAt, Settle, SettleAction, Settlement};
use redrive_store::{Store, StoreError};

use super::{FinishedDelivery, Resolution, SettleError, SourceError};

/// A queue of a store and the length of its claims.
#[derive(Debug)]
pub(super) struct QueueClaims {
    pub(super) store: Arc<dyn Store>,
    pub(super) queue: QueueName,
    pub(super) lease: Span,
    /// Whether the runner decided the retry time by the work's own policy.
    pub(super) retry_at: fn(Time) -> RetryAt,
}

impl QueueClaims {
    /// Settles all deliveries. A request that is too large for the store is split, and a single record is truncated.
    pub(super) async fn settle(&self, finished: &[FinishedDelivery<ItemId>]) -> Vec<Result<(), SettleError>> {
        let mut answers = Vec::with_capacity(finished.len());
        let mut most = finished.len();
        // The next settlement, if its record had to be truncated.
        let mut shortened = None;
        while answers.len() < finished.len() {
            let next = &finished[answers.len()..];
            let mut items: Vec<_> = next.iter().take(most).map(|one| self.settlement(one)).collect();
            if let (Some(first), Some(shorter)) = (items.first_mut(), &shortened) {
                *first = Settlement::clone(shorter);
            }
            let settle =
                Settle { queue: self.queue.clone(), partition: None, items, on_rejected: OnRejected::Continue };
            match self.store.settle(settle).await {
                Ok(settled) => {
                    most = most.saturating_mul(2);
                    answers.extend(settled.into_iter().map(|answer| answer.map(|_| ()).map_err(|why| rejected(&why))));
                    shortened = None;
                }
                Err(StoreError::Rejected(Rejection::TooLarge { .. })) if most > 1 => most /= 2,
                Err(error) => {
                    // For a single settlement that is too large, the outcome matters more than its full record.
                    let is_too_large = matches!(error, StoreError::Rejected(Rejection::TooLarge { .. }));
                    let too_large = next.first().filter(|_| is_too_large);
                    shortened = too_large.map(|first| shortened.take().unwrap_or_else(|| self.settlement(first)));
                    if !shortened.as_mut().is_some_and(shorten) {
                        answers.resize(finished.len(), Err(settle_error(&error)));
                    }
                }
            }
        }
        answers
    }

    pub(super) async fn extend(&self, fences: &[ItemId]) -> Vec<Result<Option<Time>, SettleError>> {
        let ids = fences.to_vec();
        let extend =
            Extend { queue: self.queue.clone(), partition: None, ids, lease: Some(self.lease), may_shorten: false };
        match self.store.extend(extend).await {
            Ok(deadlines) => {
                deadlines.into_iter().map(|deadline| deadline.map(Some).map_err(|why| rejected(&why))).collect()
            }
            Err(error) => vec![Err(settle_error(&error)); fences.len()],
        }
    }

    fn settlement(&self, finished: &FinishedDelivery<ItemId>) -> Settlement {
        let attempt = finished.attempt.clone();
        let action = match &finished.resolution {
            Resolution::Ack { .. } | Resolution::Drop => SettleAction::Complete { attempt },
            Resolution::Retry { at, charged } => {
                SettleAction::Retry { at: (self.retry_at)(*at), attempt, charged: *charged }
            }
            Resolution::DeadLetter(dead) => {
                let why = match dead.reason.letter_status() {
                    // Without a record, no attempt was made in this delivery.
                    _ if attempt.is_none() => DeadCause::Spent,
                    Status::Exhausted => DeadCause::Exhausted,
                    _ => DeadCause::Permanent,
                };
                SettleAction::Dead { attempt, why }
            }
            Resolution::Defer { until } => SettleAction::Defer { until: *until },
            Resolution::Release => SettleAction::Release,
            Resolution::RedeliverForHandOver { at } => SettleAction::RedeliverForHandOver { at: *at, attempt },
        };
        Settlement { id: finished.fence, action }
    }
}

/// Truncates the error text of a record and says so in it, or else drops the record. Returns false if there is none.
fn shorten(settlement: &mut Settlement) -> bool {
    /// An error text of this length fits any store.
    const TEXT_BYTES: usize = 1024;
    let (SettleAction::Complete { attempt }
    | SettleAction::Retry { attempt, .. }
    | SettleAction::Dead { attempt, .. }
    | SettleAction::RedeliverForHandOver { attempt, .. }) = &mut settlement.action
    else {
        return false;
    };
    let Some(record) = attempt else { return false };
    let bytes = record.error.len();
    if bytes > TEXT_BYTES {
        let end = record.error.floor_char_boundary(TEXT_BYTES / 2);
        record.error.truncate(end);
        record.error.push_str(&format!(" … (truncated from {bytes} bytes, too many for the store)"));
    } else {
        *attempt = None;
    }
    true
}

fn rejected(rejection: &Rejection) -> SettleError {
    match rejection {
        Rejection::NoSuchItem(_) | Rejection::NotLeased { .. } | Rejection::NoSuchQueue(_) => SettleError::Stale,
        other => SettleError::Refused(other.to_string()),
    }
}

fn settle_error(error: &StoreError) -> SettleError {
    match error {
        StoreError::Rejected(rejection) => rejected(rejection),
        other => SettleError::Unavailable(other.to_string()),
    }
}

pub(super) fn source_error(error: &StoreError) -> SourceError {
    match error {
        StoreError::Closed => SourceError::Closed,
        other => SourceError::Unavailable(other.to_string()),
    }
}

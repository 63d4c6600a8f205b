//! Manual retries of letters.
//!
//! A manual retry uses the same claim, target and decision as an automatic one. It ignores the letter's policy,
//! schedule and budget; a forced one also ignores the circuit breaker of the destination.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use redrive_core::{ItemId, LetterId, Outcome, QueueName, Span, Status, Trigger};
use redrive_model::{
    Attempt, ClaimById, Claimed, FullLetter, GetLetter, LetterSelector, LetterSettings, Rejection, StoredItem,
};
use redrive_store::StoreError;
use tokio_util::sync::CancellationToken;

use super::named::NamedLetters;
use super::processor::{Processor, ProcessorError, ProcessorSettings};
use crate::{Runner, RunnerSettings};

/// The request to retry a letter now.
#[derive(Debug, Clone, Copy)]
pub struct ManualRetry<'a> {
    pub letter: LetterSelector,
    /// Who requested the retry. It is recorded in the attempt.
    pub actor: &'a str,
    /// Retry even if the circuit breaker of the destination is open.
    pub force: bool,
}

/// The result of a manual retry.
#[derive(Debug, Clone, PartialEq)]
pub struct Retried {
    pub letter: FullLetter,
    /// The recorded attempt; `None` if the letter was released without an attempt.
    pub attempt: Option<Attempt>,
}

impl Retried {
    pub fn is_success(&self) -> bool {
        self.status() == Some(Status::Completed)
    }

    pub fn status(&self) -> Option<Status> {
        self.letter.info.letter.as_ref().map(|letter| letter.status)
    }
}

impl Processor {
    /// Retries one letter now, regardless of its policy, schedule and budget, and returns the result.
    ///
    /// # Errors
    ///
    /// When the queue has no target, the letter does not exist or is claimed, completed or archived, or the circuit
    /// breaker of its destination is open.
    pub async fn retry(&self, queue: &QueueName, letter: LetterId, actor: &str) -> Result<Retried, ProcessorError> {
        let retry = ManualRetry { letter: letter.into(), actor, force: false };
        self.retry_until(queue, retry, &CancellationToken::new()).await
    }

    /// Like [`retry`](Self::retry), until `stop` is cancelled: an attempt that has started then gets the
    /// [`drain`](Self::drain) of the processor to finish, and its result is returned as usual. Dropping the future
    /// instead loses the result of an attempt that counts.
    ///
    /// # Errors
    ///
    /// As [`retry`](Self::retry), and [`ProcessorError::Stopping`] if `stop` is cancelled before the attempt.
    pub fn retry_until<'f>(
        &'f self,
        queue: &'f QueueName,
        retry: ManualRetry<'f>,
        stop: &'f CancellationToken,
    ) -> BoxFuture<'f, Result<Retried, ProcessorError>> {
        Box::pin(async move {
            let ManualRetry { letter, actor, force } = retry;
            let mut retried = self.retry_many(queue, vec![letter], actor, force, stop).await?;
            retried.pop().unwrap_or(Err(ProcessorError::Stopping))
        })
    }

    /// Like [`retry_until`](Self::retry_until) for several letters, as many at the same time as the runner has slots: a
    /// letter is claimed when its attempt can begin, so that no claim ends while the letter waits. One result per letter,
    /// in order.
    pub fn retry_many<'f>(
        &'f self,
        queue: &'f QueueName,
        letters: Vec<LetterSelector>,
        actor: &'f str,
        force: bool,
        stop: &'f CancellationToken,
    ) -> BoxFuture<'f, Result<Vec<Result<Retried, ProcessorError>>, ProcessorError>> {
        Box::pin(async move {
            let mut results = Vec::with_capacity(letters.len());
            for letters in letters.chunks(self.settings.runner.concurrency.max(1)) {
                match self.retry_at_once(queue, letters, actor, force, stop).await {
                    Ok(retried) => results.extend(retried),
                    Err(error) if results.is_empty() => return Err(error),
                    // The letters before have been tried: their results must not be lost.
                    Err(error) => results.extend(letters.iter().map(|_| Err(error.clone()))),
                }
            }
            Ok(results)
        })
    }

    /// Retries letters for which the runner has a slot each.
    fn retry_at_once<'f>(
        &'f self,
        queue: &'f QueueName,
        letters: &'f [LetterSelector],
        actor: &'f str,
        force: bool,
        stop: &'f CancellationToken,
    ) -> BoxFuture<'f, Result<Vec<Result<Retried, ProcessorError>>, ProcessorError>> {
        Box::pin(async move {
            let retries = self.retries(queue)?;
            if stop.is_cancelled() {
                return Err(ProcessorError::Stopping);
            }
            let mut failed = HashMap::new();
            let held = if force { Vec::new() } else { self.held(queue).await? };
            for letter in letters.iter().filter(|_| !held.is_empty()) {
                if let Err(error) = self.check_held(queue, letter.id, &held).await {
                    failed.insert(letter.id, error);
                }
            }
            let wanted = letters.iter().copied().filter(|letter| !failed.contains_key(&letter.id)).collect();
            let claimed = self.claim_named(queue, wanted, &mut failed).await;
            let fences: HashMap<LetterId, ItemId> =
                claimed.iter().filter_map(|(item, _)| Some((item.info.letter.as_deref()?.id, item.info.id))).collect();
            let count = claimed.len();
            let mut tried = HashMap::new();
            if count > 0 {
                let due = self.due(queue);
                let deliveries =
                    claimed.into_iter().map(|(letter, settings)| due.delivery(letter, &settings)).collect();
                let source = NamedLetters::new(due, deliveries, Arc::from(actor));
                let mut settled = source.settled();
                let ProcessorSettings { runner, policy, .. } = self.settings.clone();
                let settings = RunnerSettings { concurrency: runner.concurrency.min(count), ..runner };
                let runner = Runner::sharing(source, Arc::clone(&retries.handler), policy, settings)?;
                let runner = runner.counting_in(Arc::clone(retries.runner.numbers()));
                let running = runner.with_clock(Arc::clone(&self.clock)).start().await?;
                let within = tokio::select! {
                    biased;
                    // The sender lives as long as the runner, which runs until it is stopped.
                    _has_ended = settled.wait_for(|settled| settled.len() >= count) => Span::ZERO,
                    () = stop.cancelled() => self.drain(),
                };
                running.stop(within).await;
                tried.clone_from(&settled.borrow());
            }
            let mut results = Vec::with_capacity(letters.len());
            for LetterSelector { id, .. } in letters {
                results.push(match failed.remove(id) {
                    Some(error) => Err(error),
                    None => {
                        self.retried(queue, *id, fences.get(id).and_then(|fence| tried.remove(fence)).flatten()).await
                    }
                });
            }
            Ok(results)
        })
    }

    /// Claims letters for a manual retry. Those that cannot be claimed are added to `failed`.
    async fn claim_named(
        &self,
        queue: &QueueName,
        mut letters: Vec<LetterSelector>,
        failed: &mut HashMap<LetterId, ProcessorError>,
    ) -> Vec<(StoredItem, Arc<LetterSettings>)> {
        let mut claimed = Vec::with_capacity(letters.len());
        while !letters.is_empty() {
            let claim = ClaimById {
                queue: queue.clone(),
                letters: letters.clone(),
                lease: self.settings.lease,
                trigger: Trigger::Manual,
            };
            let error = match self.store.claim_by_id(claim).await {
                Ok(Claimed { letters, settings }) => {
                    claimed.extend(letters.into_iter().map(|letter| (letter, Arc::clone(&settings))));
                    break;
                }
                Err(error) => error,
            };
            // All are claimed or none: the others are claimed without the one that cannot be.
            let position = rejected(&error).and_then(|id| letters.iter().position(|letter| letter.id == id));
            match position {
                Some(position) => {
                    failed.insert(letters.remove(position).id, error.into());
                }
                None if letters.len() > 1 => {
                    // It may be about one of them only.
                    for letter in letters {
                        claimed.extend(Box::pin(self.claim_named(queue, vec![letter], failed)).await);
                    }
                    break;
                }
                None => {
                    failed.extend(letters.pop().map(|letter| (letter.id, error.into())));
                }
            }
        }
        claimed
    }

    /// A letter after its manual retry. `tried` is the attempt that was settled.
    async fn retried(
        &self,
        queue: &QueueName,
        letter: LetterId,
        tried: Option<Box<Attempt>>,
    ) -> Result<Retried, ProcessorError> {
        let letter = self.store.letter(GetLetter { queue: queue.clone(), letter }).await?;
        // Other attempts may have been recorded since.
        let is_own = |kept: &&Attempt| {
            tried.as_ref().is_some_and(|tried| (&kept.actor, kept.started_at) == (&tried.actor, tried.started_at))
        };
        let attempt = letter.attempts.iter().rev().find(is_own).filter(|attempt| attempt.outcome != Outcome::Deferred);
        Ok(Retried { attempt: attempt.cloned(), letter })
    }

    /// Checks the breaker of the letter's destination, as a retry without `force` does. The running processor of the queue
    /// has the breakers; while it is stopped, none is open.
    ///
    /// # Errors
    ///
    /// [`ProcessorError::BreakerOpen`] if it is open.
    pub async fn check_breaker(&self, queue: &QueueName, letter: LetterId) -> Result<(), ProcessorError> {
        let held = self.held(queue).await?;
        if held.is_empty() { Ok(()) } else { self.check_held(queue, letter, &held).await }
    }

    /// The destinations whose circuit breaker is open.
    async fn held(&self, queue: &QueueName) -> Result<Vec<Arc<str>>, ProcessorError> {
        Ok(self.health(queue).await?.map(|health| health.held).unwrap_or_default())
    }

    async fn check_held(&self, queue: &QueueName, letter: LetterId, held: &[Arc<str>]) -> Result<(), ProcessorError> {
        let found = self.store.letter(GetLetter { queue: queue.clone(), letter }).await?;
        match found.info.letter.filter(|letter| held.contains(&letter.destination)) {
            Some(letter) => Err(ProcessorError::BreakerOpen(letter.destination)),
            None => Ok(()),
        }
    }
}

/// The letter that a claim of several was rejected for.
const fn rejected(error: &StoreError) -> Option<LetterId> {
    match error {
        StoreError::Rejected(
            Rejection::NoSuchLetter(letter)
            | Rejection::LetterHeld(letter)
            | Rejection::LetterDamaged(letter)
            | Rejection::LetterConflict { letter, .. }
            | Rejection::LetterChanged { letter, .. },
        ) => Some(*letter),
        _ => None,
    }
}

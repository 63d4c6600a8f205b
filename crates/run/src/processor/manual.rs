//! Manual retries of letters.
//!
//! A manual retry uses the same claim, target and decision as an automatic one. It ignores the letter's policy,
//! schedule and budget; a forced one also ignores the circuit breaker of the destination.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use redrive_core::{LetterId, Outcome, QueueName, Span, Status, Trigger};
use redrive_model::{Attempt, ClaimById, Claimed, FullLetter, GetLetter, LetterSelector};
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
            let retries = self.retries(queue)?;
            if stop.is_cancelled() {
                return Err(ProcessorError::Stopping);
            }
            if !force {
                self.check_breaker(queue, letter.id).await?;
            }
            let claim = ClaimById {
                queue: queue.clone(),
                letters: vec![letter],
                lease: self.settings.lease,
                trigger: Trigger::Manual,
            };
            let due = self.due(queue);
            let Claimed { letters, settings } = self.store.claim_by_id(claim).await?;
            let claimed = letters.into_iter().map(|letter| due.delivery(letter, &settings)).collect();
            let source = NamedLetters::new(due, claimed, Arc::from(actor));
            let mut settled = source.settled();
            let ProcessorSettings { runner, policy, .. } = self.settings.clone();
            let settings = RunnerSettings { concurrency: 1, ..runner };
            let runner = Runner::sharing(source, Arc::clone(&retries.handler), policy, settings)?;
            let runner = runner.counting_in(Arc::clone(retries.runner.numbers()));
            let running = runner.with_clock(Arc::clone(&self.clock)).start().await?;
            let within = tokio::select! {
                biased;
                // The sender lives as long as the runner, which runs until it is stopped.
                _has_ended = settled.wait_for(|settled| settled.count > 0) => Span::ZERO,
                () = stop.cancelled() => self.drain(),
            };
            running.stop(within).await;
            let letter = self.store.letter(GetLetter { queue: queue.clone(), letter: letter.id }).await?;
            // Other attempts may have been recorded since.
            let tried = settled.borrow().attempt.clone();
            let is_own = |kept: &&Attempt| {
                tried.as_ref().is_some_and(|tried| (&kept.actor, kept.started_at) == (&tried.actor, tried.started_at))
            };
            let attempt =
                letter.attempts.iter().rev().find(is_own).filter(|attempt| attempt.outcome != Outcome::Deferred);
            Ok(Retried { attempt: attempt.cloned(), letter })
        })
    }

    /// Checks the breaker of the letter's destination. The running processor of the queue has the breakers; while it is
    /// stopped, none is open.
    async fn check_breaker(&self, queue: &QueueName, letter: LetterId) -> Result<(), ProcessorError> {
        let held = self.health(queue).await?.map(|health| health.held).unwrap_or_default();
        if held.is_empty() {
            return Ok(());
        }
        let found = self.store.letter(GetLetter { queue: queue.clone(), letter }).await?;
        match found.info.letter.filter(|letter| held.contains(&letter.destination)) {
            Some(letter) => Err(ProcessorError::BreakerOpen(letter.destination)),
            None => Ok(()),
        }
    }
}

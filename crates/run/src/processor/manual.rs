//! A letter that somebody wants tried now.
//!
//! It takes the way of the others: the same claim, the same target, the same decision. Only policy, schedule and budget do
//! not matter, and the breaker of its destination does not where the retry is forced.

use std::sync::Arc;

use redrive_core::{LetterId, Outcome, QueueName, Span, Status, Trigger};
use redrive_model::{Attempt, ClaimById, Claimed, FullLetter, GetLetter, LetterSelector};
use tokio_util::sync::CancellationToken;

use super::named::NamedLetters;
use super::processor::{Processor, ProcessorError, ProcessorSettings};
use crate::{Runner, RunnerSettings};

/// A letter that somebody wants tried now.
#[derive(Debug, Clone, Copy)]
pub struct ManualRetry<'a> {
    pub letter: LetterSelector,
    /// Who wants it; the attempt is signed with it.
    pub actor: &'a str,
    /// Also where the circuit breaker of its destination is open.
    pub force: bool,
}

/// What became of a retry by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Retried {
    pub letter: FullLetter,
    /// The attempt, as it is recorded; none where the letter was given back untried.
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
    /// Retries one letter now, whatever its policy, schedule and budget are, and tells what became of it.
    ///
    /// # Errors
    ///
    /// When there is no target, the letter is not there, claimed, completed or archived, or the circuit breaker of its
    /// destination is open.
    pub async fn retry(&self, queue: &QueueName, letter: LetterId, actor: &str) -> Result<Retried, ProcessorError> {
        let retry = ManualRetry { letter: letter.into(), actor, force: false };
        self.retry_until(queue, retry, &CancellationToken::new()).await
    }

    /// The same, until somebody wants it to end: then an attempt that has begun has as long to finish as those of the
    /// processor have, and what became of it is told as ever. Whoever drops this future instead learns nothing of an attempt
    /// that counts.
    ///
    /// # Errors
    ///
    /// As above, and when nothing may begin any more.
    pub async fn retry_until(
        &self,
        queue: &QueueName,
        retry: ManualRetry<'_>,
        stop: &CancellationToken,
    ) -> Result<Retried, ProcessorError> {
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
            // The other end lives as long as the runner, which lives until it is stopped.
            _has_ended = settled.wait_for(|settled| settled.count > 0) => Span::ZERO,
            () = stop.cancelled() => self.drain(),
        };
        running.stop(within).await;
        let letter = self.store.letter(GetLetter { queue: queue.clone(), letter: letter.id }).await?;
        // Others may have written to the ledger since.
        let tried = settled.borrow().attempt.clone();
        let is_it = |kept: &&Attempt| {
            tried.as_ref().is_some_and(|tried| (&kept.actor, kept.started_at) == (&tried.actor, tried.started_at))
        };
        let attempt = letter.attempts.iter().rev().find(is_it).filter(|attempt| attempt.outcome != Outcome::Deferred);
        Ok(Retried { attempt: attempt.cloned(), letter })
    }

    /// What retries the letters of a queue knows the breakers; while it is stopped, none is open.
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

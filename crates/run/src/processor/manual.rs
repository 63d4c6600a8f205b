//! Manual retries of letters.
//!
//! A manual retry uses the same claim, target and decision as an automatic one. It ignores the letter's policy,
//! schedule and budget; a forced one also ignores the circuit breaker of the destination.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use futures_util::future::{BoxFuture, join_all};
use redrive_core::{LetterId, Outcome, QueueName, Span, Status};
use redrive_model::{Attempt, FullLetter, GetLetter, ItemState, LetterSelector, Rejection, StoredItem};
use redrive_store::StoreError;
use tokio_util::sync::CancellationToken;

use super::named::{NamedClaim, NamedEnd, NamedLetters, NamedQueue, ToRetry};
use super::processor::{Processor, ProcessorError, ProcessorSettings};
use crate::runner::RunnerCounters;
use crate::{Handler, Runner, RunnerSettings};

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
    /// Whether the attempt succeeded. Its letter may be open again: work that was handed back can fail at once.
    pub fn is_success(&self) -> bool {
        let succeeded = |attempt: &Attempt| attempt.outcome == Outcome::Success && attempt.cause.is_none();
        self.status() == Some(Status::Completed) || self.attempt.as_ref().is_some_and(succeeded)
    }

    pub fn status(&self) -> Option<Status> {
        self.letter.info.letter.as_ref().map(|letter| letter.status)
    }
}

/// What happens to letters whose destination earlier manual retries have found down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhileDown {
    /// They are tried, and spend an attempt: a person waits for the result.
    Try,
    /// They are not tried, except for one at a time that probes the destination. It is left as it was if that fails.
    Wait,
}

/// How named letters are retried.
struct NamedRetry<'r> {
    handler: &'r Arc<dyn Handler>,
    /// Counts the attempts.
    numbers: Option<&'r Arc<RunnerCounters>>,
    actor: &'r str,
    stop: &'r CancellationToken,
}

/// Letters by what is done with them now.
#[derive(Default)]
struct SortedLetters {
    to_retry: ToRetry,
    /// Letters that are not tried.
    not_tried: HashMap<LetterId, NamedEnd>,
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
            let held = if force { Vec::new() } else { self.held(queue).await? };
            let sorted = self.sorted(queue, &[letter], &held, WhileDown::Try).await;
            let retries = self.retries(queue)?;
            let numbers = Some(retries.runner.numbers());
            let retrying = NamedRetry { handler: &retries.handler, numbers, actor, stop };
            let mut retried = self.retry_sorted(queue, vec![letter], sorted, retrying).await?;
            retried.pop().unwrap_or(Err(ProcessorError::Stopping))
        })
    }

    /// Like [`retry_until`](Self::retry_until) for several letters, as many at the same time as the runner has slots: a
    /// letter is claimed when its attempt can begin, so that no claim ends while the letter waits. When the circuit
    /// breaker of a destination opens, the letters that are not claimed are left. One result per letter, in order.
    pub fn retry_many<'f>(
        &'f self,
        queue: &'f QueueName,
        letters: Vec<LetterSelector>,
        actor: &'f str,
        while_down: WhileDown,
        stop: &'f CancellationToken,
    ) -> BoxFuture<'f, Result<Vec<Result<Retried, ProcessorError>>, ProcessorError>> {
        Box::pin(async move {
            let retries = self.retries(queue)?;
            let held = self.held(queue).await?;
            let sorted = self.sorted(queue, &letters, &held, while_down).await;
            let numbers = Some(retries.runner.numbers());
            let retrying = NamedRetry { handler: &retries.handler, numbers, actor, stop };
            self.retry_sorted(queue, letters, sorted, retrying).await
        })
    }

    /// Like [`retry_many`](Self::retry_many), with another handler than the target of the queue, which may have none.
    pub fn retry_with<'f>(
        &'f self,
        handler: &'f Arc<dyn Handler>,
        queue: &'f QueueName,
        letters: Vec<LetterSelector>,
        actor: &'f str,
        while_down: WhileDown,
        stop: &'f CancellationToken,
    ) -> BoxFuture<'f, Result<Vec<Result<Retried, ProcessorError>>, ProcessorError>> {
        Box::pin(async move {
            let sorted = self.sorted(queue, &letters, &[], while_down).await;
            self.retry_sorted(queue, letters, sorted, NamedRetry { handler, numbers: None, actor, stop }).await
        })
    }

    /// Sorts letters by whether their destination is called now. `held` are the destinations that the processor holds back.
    async fn sorted(
        &self,
        queue: &QueueName,
        letters: &[LetterSelector],
        held: &[Arc<str>],
        while_down: WhileDown,
    ) -> SortedLetters {
        let down = if while_down == WhileDown::Wait { self.down.of(queue) } else { BTreeMap::new() };
        let mut sorted = SortedLetters::default();
        if held.is_empty() && down.is_empty() {
            sorted.to_retry.letters = letters.to_vec();
            return sorted;
        }
        let now = self.clock.now();
        for letter in letters {
            let destination = match self.destination(queue, letter.id).await {
                Ok(destination) => destination,
                Err(error) => {
                    sorted.not_tried.insert(letter.id, NamedEnd::NotClaimed(error));
                    continue;
                }
            };
            let is_probed = sorted.to_retry.probes.iter().any(|(probed, _)| *probed == destination);
            match down.get(&destination) {
                None if !held.contains(&destination) => sorted.to_retry.letters.push(*letter),
                Some(until) if *until <= now && !is_probed && !held.contains(&destination) => {
                    sorted.to_retry.probes.push((destination, *letter));
                }
                _ => {
                    let error = ProcessorError::BreakerOpen(destination);
                    sorted.not_tried.insert(letter.id, NamedEnd::NotClaimed(error));
                }
            }
        }
        sorted
    }

    async fn retry_sorted(
        &self,
        queue: &QueueName,
        letters: Vec<LetterSelector>,
        sorted: SortedLetters,
        retrying: NamedRetry<'_>,
    ) -> Result<Vec<Result<Retried, ProcessorError>>, ProcessorError> {
        let mut ends = self.retry_named(queue, sorted.to_retry, retrying).await?;
        ends.extend(sorted.not_tried);
        Ok(self.results(queue, letters, ends).await)
    }

    async fn retry_named(
        &self,
        queue: &QueueName,
        letters: ToRetry,
        retrying: NamedRetry<'_>,
    ) -> Result<HashMap<LetterId, NamedEnd>, ProcessorError> {
        let NamedRetry { handler, numbers, actor, stop } = retrying;
        if stop.is_cancelled() {
            return Err(ProcessorError::Stopping);
        }
        let count = letters.letters.len() + letters.probes.len();
        if count == 0 {
            return Ok(HashMap::new());
        }
        let down = letters.probes.iter().map(|(destination, _)| Arc::clone(destination)).collect();
        let ProcessorSettings { runner, policy, .. } = self.settings.clone();
        let settings = RunnerSettings { concurrency: runner.concurrency.min(count), ..runner };
        let named = Arc::new(NamedQueue::new(Arc::clone(&self.store), self.due(queue), actor, letters));
        let mut runner = Runner::sharing(NamedLetters(Arc::clone(&named)), Arc::clone(handler), policy, settings)?;
        if let Some(numbers) = numbers {
            runner = runner.counting_in(Arc::clone(numbers));
        }
        let running = runner.probing(down).with_clock(Arc::clone(&self.clock)).start().await?;
        let within = tokio::select! {
            biased;
            () = named.ended() => Span::ZERO,
            () = stop.cancelled() => self.drain(),
        };
        self.down.note(queue, running.health().await.destinations, self.clock.now());
        running.stop(within).await;
        Ok(named.close().await)
    }

    async fn results(
        &self,
        queue: &QueueName,
        letters: Vec<LetterSelector>,
        mut ends: HashMap<LetterId, NamedEnd>,
    ) -> Vec<Result<Retried, ProcessorError>> {
        // Who retries many letters counts those that succeeded: only the others are read again.
        let are_many = letters.len() > 1;
        let results = letters.into_iter().map(|letter| {
            let end = ends.remove(&letter.id);
            async move {
                match end {
                    Some(NamedEnd::NotClaimed(error)) => Err(error),
                    Some(NamedEnd::Tried(attempt, claim)) if are_many && attempt.outcome == Outcome::Success => {
                        Ok(done(&claim, *attempt))
                    }
                    Some(NamedEnd::Tried(attempt, claim)) => self.tried(queue, letter.id, *attempt, &claim).await,
                    Some(NamedEnd::TriedTooLate(attempt)) => self.lost(queue, letter.id, Some(&attempt)).await,
                    Some(NamedEnd::Lost) | None => self.lost(queue, letter.id, None).await,
                    Some(NamedEnd::Released) => self.retried(queue, letter.id, None).await,
                }
            }
        });
        join_all(results).await
    }

    /// A letter after an attempt whose result is stored. Without a retention, it is gone when it is completed.
    async fn tried(
        &self,
        queue: &QueueName,
        letter: LetterId,
        attempt: Attempt,
        claim: &NamedClaim,
    ) -> Result<Retried, ProcessorError> {
        match self.retried(queue, letter, Some(&attempt)).await {
            Err(ProcessorError::Store(StoreError::Rejected(Rejection::NoSuchLetter(_))))
                if attempt.outcome == Outcome::Success =>
            {
                Ok(done(claim, attempt))
            }
            retried => retried,
        }
    }

    /// A letter whose claim ended before the attempt, unless its record shows that the result was stored after all or
    /// that the letter has ended otherwise.
    async fn lost(
        &self,
        queue: &QueueName,
        letter: LetterId,
        attempt: Option<&Attempt>,
    ) -> Result<Retried, ProcessorError> {
        let retried = self.retried(queue, letter, attempt).await?;
        let is_live = retried.status().is_some_and(Status::is_live);
        if retried.attempt.is_none() && is_live { Err(ProcessorError::ClaimLost) } else { Ok(retried) }
    }

    /// A letter after its manual retry, with the record of this attempt.
    async fn retried(
        &self,
        queue: &QueueName,
        letter: LetterId,
        tried: Option<&Attempt>,
    ) -> Result<Retried, ProcessorError> {
        let letter = self.store.letter(GetLetter { queue: queue.clone(), letter }).await?;
        // Other attempts may have been recorded since.
        let is_own = |kept: &&Attempt| {
            tried.is_some_and(|tried| (&kept.actor, kept.started_at) == (&tried.actor, tried.started_at))
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
        if held.is_empty() {
            return Ok(());
        }
        let destination = self.destination(queue, letter).await?;
        if held.contains(&destination) { Err(ProcessorError::BreakerOpen(destination)) } else { Ok(()) }
    }

    /// The destinations whose circuit breaker is open.
    async fn held(&self, queue: &QueueName) -> Result<Vec<Arc<str>>, ProcessorError> {
        Ok(self.health(queue).await?.map(|health| health.held).unwrap_or_default())
    }

    async fn destination(&self, queue: &QueueName, letter: LetterId) -> Result<Arc<str>, ProcessorError> {
        let found = self.store.letter(GetLetter { queue: queue.clone(), letter }).await?;
        // What is found by the id of a letter is one.
        Ok(found.info.letter.map_or_else(|| Arc::from(queue.as_str()), |letter| letter.destination))
    }
}

/// The result of a retry that succeeded, without reading the letter again.
fn done(claim: &NamedClaim, attempt: Attempt) -> Retried {
    Retried { letter: completed(&claim.stored, attempt.clone()), attempt: Some(attempt) }
}

/// A claimed letter as it was when this attempt completed it.
fn completed(claimed: &StoredItem, attempt: Attempt) -> FullLetter {
    let mut info = claimed.info.clone();
    info.state = ItemState::Finished;
    if let Some(letter) = &mut info.letter {
        letter.status = Status::Completed;
        letter.total_attempts += 1;
    }
    FullLetter {
        info,
        content: Arc::clone(&claimed.content),
        context: None,
        attempts: vec![attempt],
        original: None,
        notes: Vec::new(),
        parts: None,
    }
}

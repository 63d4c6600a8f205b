//! Runs work once, and makes a letter of what fails.
//!
//! A guard never retries: whoever retries the letter does, by the same policy as everything else. It never changes what
//! the caller gets, either: a store that is down is no reason to hide the error that the work ended with.

use std::error::Error;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::FutureExt;
use redrive_core::{
    CaptureReason, CapturedBy, Classification, Failure, Fingerprint, PersistOutcome, Policy, QueueName, RequestedRetry,
    RetryTerms, Strategy, Time, Trigger,
};
use redrive_model::{Capture, CaptureContext, Captured, NewLetter, Origin, Rejection};
use redrive_store::{Clock, StoreError, SystemClock};

use super::stats::Counters;
use super::{Disposition, GuardStats, LetterBox, Returned, Task};
use crate::handler::within;
use crate::runner::{RunnerRandom, Times, keep_known_parts, panicked, record_of, words_of};

/// Catches what fails, and puts it into a dead queue.
///
/// ```
/// use std::sync::Arc;
/// use redrive_core::{Failure, Policy, QueueName};
/// use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
/// use redrive_model::{Content, CreateQueue, QueueSettings};
/// use redrive_run::{Guard, Task};
/// use redrive_store::Store;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
/// let failed = QueueName::new("failed").unwrap();
/// store.create_queue(CreateQueue { settings: QueueSettings::new(failed.clone()) }).await.unwrap();
/// let guard = Guard::new(store, failed, Policy::builder().build().unwrap());
///
/// let task = Task::new("sweep", Content::of_payload("repo-1")).with_id("sweep-17");
/// let guarded = guard.run(task, || async { Err::<(), _>(Failure::new("HTTP 503 Service Unavailable")) }).await;
/// assert!(guarded.result.is_err());
/// let disposition = guarded.disposition.unwrap();
/// assert!(disposition.dlq_enqueued);
/// assert_eq!(disposition.matched_rule, "http-text:503");
/// # });
/// ```
pub struct Guard {
    letter_box: Arc<dyn LetterBox>,
    queue: QueueName,
    policy: Policy,
    clock: Arc<dyn Clock>,
    counters: Counters,
    made: AtomicU64,
    seed: u64,
}

/// The caller's own result, and what became of the failure that it tells of.
#[derive(Debug)]
pub struct Guarded<T, E> {
    pub result: Result<T, E>,
    pub disposition: Option<Disposition>,
}

impl Guard {
    /// Retries of a letter, where nothing else is said.
    pub const MAX_RETRIES: u32 = RetryTerms::MAX_RETRIES;

    pub fn new(letter_box: impl LetterBox + 'static, queue: QueueName, policy: Policy) -> Self {
        Self {
            letter_box: Arc::new(letter_box),
            queue,
            policy,
            clock: Arc::new(SystemClock),
            counters: Counters::default(),
            made: AtomicU64::new(0),
            seed: RunnerRandom::new().next(),
        }
    }

    /// Looks at another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Runs work once. What it returns or raises, the caller gets; a failure is in the dead queue by then, if the
    /// strategy wants it there. A panic goes on after that.
    pub async fn run<T, E, Fut>(&self, task: Task, work: impl FnOnce() -> Fut) -> Guarded<T, E>
    where
        T: Returned,
        E: Error + 'static,
        Fut: Future<Output = Result<T, E>>,
    {
        let failure_of = |result: &Result<T, E>| match result {
            Ok(returned) => returned.failure(),
            Err(error) => {
                let mut failure = Failure::from_error(error);
                if failure.error.kind.is_none() {
                    failure.error.kind = std::any::type_name::<E>().parse().ok();
                }
                Some(failure)
            }
        };
        self.run_judged(task, work, failure_of).await
    }

    /// Runs work once, with the caller's own way to tell a failure.
    pub async fn run_judged<T, E, Fut>(
        &self,
        task: Task,
        work: impl FnOnce() -> Fut,
        failure_of: impl FnOnce(&Result<T, E>) -> Option<Failure>,
    ) -> Guarded<T, E>
    where
        Fut: Future<Output = Result<T, E>>,
    {
        Counters::add(&self.counters.executed);
        let started_at = self.clock.now();
        match AssertUnwindSafe(async { work().await }).catch_unwind().await {
            Ok(result) => {
                let disposition = match failure_of(&result) {
                    Some(failure) => Some(self.failed(task, failure, started_at).await),
                    None => None,
                };
                Guarded { result, disposition }
            }
            Err(panic) => {
                self.failed(task, panicked("work", &words_of(&*panic)), started_at).await;
                resume_unwind(panic)
            }
        }
    }

    /// Hands a failure over explicitly, also where the strategy would not by itself.
    pub async fn capture(&self, task: Task, failure: Failure) -> Disposition {
        let now = self.clock.now();
        let case = Case { task, failure, times: Times { started_at: now, now }, is_by_hand: true, is_partial: false };
        self.dispose(case).await
    }

    pub fn stats(&self) -> GuardStats {
        self.counters.stats(self.policy.strategy())
    }

    async fn failed(&self, task: Task, failure: Failure, started_at: Time) -> Disposition {
        Counters::add(&self.counters.failed);
        let times = Times { started_at, now: self.clock.now() };
        self.dispose(Case { task, failure, times, is_by_hand: false, is_partial: false }).await
    }

    async fn dispose(&self, mut case: Case) -> Disposition {
        case.is_partial = keep_known_parts(&mut case.failure, &case.task.parts);
        let found = self.policy.classifier().classify(&case.failure, 1);
        let id = case.task.name(RunnerRandom::at(self.seed, self.made.fetch_add(1, Ordering::Relaxed)));
        let wanted = RequestedRetry { policy: case.task.policy, max_retries: case.task.max_retries };
        let terms = RetryTerms::of(&found, wanted, Self::MAX_RETRIES);
        let terms = if case.is_by_hand { terms.of_unnamed() } else { terms };
        let asked = Asked { terms, max_retries: wanted.max_retries.or(found.overrides.max_retries) };
        let (reason, captured, persisted) = match self.why_not(&case, &found) {
            Some(reason) => (reason, None, None),
            None => {
                let (reason, captured) = self.store(&id, &case, &found, asked).await;
                let kept =
                    if self.letter_box.is_durable() { PersistOutcome::Persisted } else { PersistOutcome::InMemory };
                let persisted = if captured.is_some() { kept } else { PersistOutcome::Rejected };
                Counters::requested(persisted, reason);
                // What a queue does not want was not lost by it.
                let is_wanted = reason != CaptureReason::SkippedByStrategy;
                (reason, captured, is_wanted.then_some(persisted))
            }
        };
        self.counters.count(reason, found.category, case.is_by_hand);
        Disposition {
            workflow_id: id.clone(),
            status: Disposition::STATUS,
            error: case.failure.to_string(),
            error_type: case.failure.error.kind.as_ref().map(ToString::to_string),
            dlq_enqueued: captured.is_some(),
            dlq_task_id: captured.map(|_| id),
            // Where there is a letter, as it is: its queue may have terms of its own.
            retry_policy: captured.map_or(terms.policy, |captured| captured.policy),
            max_retries: captured.map_or(terms.max_retries, |captured| captured.max_retries),
            error_category: found.category,
            matched_rule: found.rule.to_string(),
            persist_outcome: persisted,
            dlq_reason: reason,
        }
    }

    /// Why no letter is made, where none is.
    fn why_not(&self, case: &Case, found: &Classification<'_>) -> Option<CaptureReason> {
        // Whoever makes the attempt that this is part of settles its letter.
        if within::note(&case.failure) || case.task.within.is_some() {
            return Some(CaptureReason::InRetry);
        }
        let by = if case.is_by_hand { CapturedBy::Explicit } else { CapturedBy::Automatic };
        // The queue says for itself, when it is asked to keep the letter, what it does not want.
        self.policy.captures(&case.failure, found, by, Strategy::Automatic).err()
    }

    async fn store(
        &self,
        id: &str,
        case: &Case,
        found: &Classification<'_>,
        asked: Asked,
    ) -> (CaptureReason, Option<Captured>) {
        let letter = case.letter(id, found, asked);
        let capture = Capture::new(self.queue.clone(), vec![letter]);
        match self.letter_box.capture(capture).await {
            Ok(captured) => match captured.first() {
                Some(captured) => (captured.reason, Some(*captured)),
                None => (CaptureReason::PersistFailed, None),
            },
            Err(error) => {
                let reason = reason_of(&error);
                tracing::error!(queue = %self.queue, %reason, "a failure could not be kept");
                (reason, None)
            }
        }
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("queue", &self.queue).field("counters", &self.counters).finish_non_exhaustive()
    }
}

/// How a letter should be retried; how often, where anybody says so.
#[derive(Clone, Copy)]
struct Asked {
    terms: RetryTerms,
    max_retries: Option<u32>,
}

/// A failure before its guard.
struct Case {
    task: Task,
    failure: Failure,
    times: Times,
    is_by_hand: bool,
    is_partial: bool,
}

impl Case {
    fn letter(&self, id: &str, found: &Classification<'_>, asked: Asked) -> NewLetter {
        let task = &self.task;
        let is_partial = self.is_partial;
        let attempt = record_of(Trigger::Automatic, &self.failure, found, is_partial, self.times);
        let mut context = CaptureContext {
            origin: Origin { transport: "guard".to_owned(), name: task.kind.clone(), ..Origin::default() },
            // Of a work that failed in part, a retry gets that part.
            parts: if is_partial { self.failure.parts.clone() } else { task.parts.clone() },
            metadata: task.metadata.clone(),
            reply_to: task.reply_to.clone(),
            trace_id: task.trace_id.clone(),
            request_id: task.request_id.clone(),
            submitted_by: task.submitted_by.clone(),
            ..CaptureContext::default()
        };
        let error_type = self.failure.error.kind.as_ref().map(ToString::to_string);
        context.mark_enqueued(self.times.now, self.is_by_hand, error_type);
        NewLetter {
            source_id: id.into(),
            content: Arc::clone(&task.content),
            context,
            attempt,
            category: found.category,
            fingerprint: Fingerprint::of(&self.failure),
            policy: asked.terms.policy,
            policy_source: asked.terms.source,
            max_retries: asked.max_retries,
            priority: task.priority,
            destination: Arc::from(task.destination.as_deref().unwrap_or(&task.kind)),
            failed_at: self.times.now,
        }
    }
}

/// Why a letter was not taken.
const fn reason_of(error: &StoreError) -> CaptureReason {
    match error {
        StoreError::Rejected(Rejection::QueueFull { .. }) => CaptureReason::QueueFull,
        StoreError::Rejected(Rejection::DuplicateLetter { .. } | Rejection::OtherPayload { .. }) => {
            CaptureReason::Duplicate
        }
        StoreError::Rejected(Rejection::NoSuchQueue(_)) => CaptureReason::PersistFailed,
        StoreError::Rejected(Rejection::CaptureDisabled) => CaptureReason::Disabled,
        StoreError::Rejected(Rejection::SkippedByStrategy { .. }) => CaptureReason::SkippedByStrategy,
        StoreError::Rejected(_) => CaptureReason::Invalid,
        StoreError::Denied(_) => CaptureReason::Denied,
        _ => CaptureReason::PersistFailed,
    }
}

//! Runs work once, and captures its failure as a letter.
//!
//! A guard never retries: the processor retries the letter, by the same policy as all other work. A guard never changes
//! the result of the caller either: a store that is down does not hide the error of the work.

use std::error::Error;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::FutureExt;
use redrive_core::{
    CaptureReason, CapturedBy, Failure, Outcome, PersistOutcome, Policy, QueueName, RequestedRetry, RetryTerms,
    SplitMix64, Strategy, Time,
};
use redrive_model::capture::FailedWork;
use redrive_model::{CaptureContext, Origin};
use redrive_store::{Clock, SystemClock, random_seed};

use super::stats::Counters;
use super::{Disposition, GuardStats, Returned, Task};
use crate::handler::current_attempt;
use crate::runner::{Times, keep_known_parts, panic_message, panicked};
use crate::{DeadQueue, LetterBox, NotCaptured, Posted};

/// Runs work and captures its failures in a dead queue.
///
/// ```
/// use std::sync::Arc;
/// use redrive_core::{Failure, Policy, QueueName};
/// use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
/// use redrive_model::{Content, CreateQueue, QueueSettings};
/// use redrive_run::{Guard, StoreLetterBox, Task};
/// use redrive_store::Store;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
/// let failed = QueueName::new("failed").unwrap();
/// store.create_queue(CreateQueue { settings: QueueSettings::new(failed.clone()) }).await.unwrap();
/// let guard = Guard::new(StoreLetterBox::new(store), failed, Policy::builder().build().unwrap());
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
    letters: DeadQueue,
    clock: Arc<dyn Clock>,
    counters: Counters,
    failures: AtomicU64,
    seed: u64,
}

/// The caller's result, and the disposition of its failure.
#[derive(Debug)]
pub struct Guarded<T, E> {
    pub result: Result<T, E>,
    pub disposition: Option<Disposition>,
}

impl Guard {
    /// Default of a letter's maximum number of retries.
    pub const MAX_RETRIES: u32 = RetryTerms::MAX_RETRIES;

    pub fn new(letter_box: impl LetterBox + 'static, queue: QueueName, policy: Policy) -> Self {
        Self {
            letters: DeadQueue::new(Arc::new(letter_box), queue, policy),
            clock: Arc::new(SystemClock),
            counters: Counters::default(),
            failures: AtomicU64::new(0),
            seed: random_seed(),
        }
    }

    /// Uses another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Runs work once and returns its result. A failure is captured before this returns, if the strategy captures it. A
    /// panic is captured and then resumed.
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

    /// Like [`run`](Self::run), with a function that finds the failure in the result.
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
                self.failed(task, panicked("work", &panic_message(&*panic)), started_at).await;
                resume_unwind(panic)
            }
        }
    }

    /// Captures a failure explicitly, even if the strategy would not capture it automatically.
    pub async fn capture(&self, task: Task, failure: Failure) -> Disposition {
        let now = self.clock.now();
        let case = Case { task, failure, times: Times { started_at: now, now }, by: CapturedBy::Explicit };
        self.dispose(case).await
    }

    pub fn stats(&self) -> GuardStats {
        self.counters.stats(self.letters.policy.strategy())
    }

    async fn failed(&self, task: Task, failure: Failure, started_at: Time) -> Disposition {
        Counters::add(&self.counters.failed);
        let times = Times { started_at, now: self.clock.now() };
        self.dispose(Case { task, failure, times, by: CapturedBy::Automatic }).await
    }

    async fn dispose(&self, mut case: Case) -> Disposition {
        let is_partial = keep_known_parts(&mut case.failure, &case.task.parts);
        let id = case.task.name(SplitMix64::at(self.seed, self.failures.fetch_add(1, Ordering::Relaxed)));
        // Inside an attempt, the runner that makes the attempt settles its letter.
        let is_within = current_attempt::record_failure(&case.failure) || case.task.within.is_some();
        let work = case.work(&id, is_partial);
        let mut disposition = self.unposted(&work);
        let posted = if is_within { None } else { Some(self.post(&work).await) };
        match posted {
            None => disposition.dlq_reason = CaptureReason::InRetry,
            Some(Ok(Posted { captured, category, rule, .. })) => {
                let is_durable = self.letters.letter_box.is_durable();
                disposition.dlq_enqueued = true;
                disposition.dlq_task_id = Some(id);
                disposition.dlq_reason = captured.reason;
                disposition.retry_policy = captured.policy;
                disposition.max_retries = captured.max_retries;
                disposition.error_category = category;
                disposition.matched_rule = rule;
                disposition.persist_outcome =
                    Some(if is_durable { PersistOutcome::Persisted } else { PersistOutcome::InMemory });
            }
            Some(Err(not_captured)) => {
                disposition.dlq_reason = not_captured.reason;
                // Skipped work was not lost. But if only the queue is disabled, the policy wanted a letter and got
                // none.
                let is_queue_disabled = disposition.dlq_reason == CaptureReason::Disabled
                    && self.letters.policy.strategy() != Strategy::Disabled;
                let is_wanted = is_queue_disabled || !not_captured.is_skipped();
                disposition.persist_outcome = is_wanted.then_some(PersistOutcome::Rejected);
            }
        }
        let reason = disposition.dlq_reason;
        disposition.persist_outcome.into_iter().for_each(|outcome| Counters::requested(outcome, reason));
        self.counters.count(reason, disposition.error_category, case.by);
        disposition
    }

    /// The disposition of a failure that was not captured.
    fn unposted(&self, work: &FailedWork) -> Disposition {
        let found = self.letters.policy.classifier().classify(&work.failure, work.attempt);
        let terms = RetryTerms::of(&found, work.requested, Self::MAX_RETRIES);
        Disposition {
            workflow_id: work.source_id.to_string(),
            status: Disposition::STATUS,
            error: work.failure.to_string(),
            error_type: work.failure.error.kind.as_ref().map(ToString::to_string),
            dlq_enqueued: false,
            dlq_task_id: None,
            retry_policy: terms.policy,
            max_retries: terms.max_retries,
            error_category: found.category,
            matched_rule: found.rule.to_string(),
            persist_outcome: None,
            dlq_reason: CaptureReason::PersistFailed,
        }
    }

    async fn post(&self, work: &FailedWork) -> Result<Posted, NotCaptured> {
        let answer = self.letters.post(work).await;
        if let Err(error) = answer.as_ref()
            && !error.is_skipped()
        {
            tracing::error!(queue = %self.letters.queue, reason = %error.reason, "capture failed");
        }
        answer
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard")
            .field("queue", &self.letters.queue)
            .field("counters", &self.counters)
            .finish_non_exhaustive()
    }
}

/// A failure that a guard disposes of.
struct Case {
    task: Task,
    failure: Failure,
    times: Times,
    by: CapturedBy,
}

impl Case {
    fn work(&self, id: &str, is_partial: bool) -> FailedWork {
        let task = &self.task;
        let mut failure = self.failure.clone();
        // Conditions see the metadata of the task, as they do for failures that are captured over the API.
        failure.metadata.extend(task.metadata.clone());
        let context = CaptureContext {
            origin: Origin { transport: "guard".into(), name: task.kind.as_str().into(), ..Origin::default() },
            // A retry of partially failed work gets only the failed parts.
            parts: if is_partial { self.failure.parts.clone() } else { task.parts.clone() },
            metadata: task.metadata.clone(),
            reply_to: task.reply_to.clone(),
            trace_id: task.trace_id.clone(),
            request_id: task.request_id.clone(),
            submitted_by: task.submitted_by.clone(),
            ..CaptureContext::default()
        };
        FailedWork {
            content: Arc::clone(&task.content),
            context,
            outcome: if is_partial { Outcome::Partial } else { Outcome::Failure },
            started_at: Some(self.times.started_at),
            requested: RequestedRetry { policy: task.policy, max_retries: task.max_retries },
            destination: task.destination.as_deref().map(Arc::from),
            priority: task.priority,
            by: self.by,
            ..FailedWork::new(id, failure, self.times.now)
        }
    }
}

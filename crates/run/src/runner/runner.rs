//! The runner: a source, a handler and the policy between them.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::{Answer, AttemptLimit, Failure, Invalid, Policy, Span};
use redrive_store::{Clock, SystemClock};
use tokio::sync::mpsc;

use super::destination_breakers::DestinationBreakers;
use super::engine::Engine;
use super::judge::{Judge, WorkDecision};
use super::outages::breaker_of;
use super::{RunnerCounters, RunnerSettings, Running};
use crate::{Handler, Source, SourceError, Work};

/// Runs a handler over the work of a source.
///
/// It claims no more than it can run soon, limits the time of every attempt, extends claims, asks the policy about
/// every failure and settles every delivery: done, retried, deferred or dead-lettered. A stopped runner can be started
/// again.
///
/// ```
/// use std::sync::Arc;
/// use redrive_core::{Policy, QueueName, Span};
/// use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
/// use redrive_model::{CreateQueue, NewItem, Produce, QueueSettings};
/// use redrive_run::{Call, Runner, RunnerSettings, StoreQueue};
/// use redrive_store::Store;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
/// let orders = QueueName::new("orders").unwrap();
/// store.create_queue(CreateQueue { settings: QueueSettings::new(orders.clone()) }).await.unwrap();
/// store.produce(Produce::new(orders.clone(), vec![NewItem::of_payload("one")])).await.unwrap();
///
/// let (tx, mut rx) = tokio::sync::mpsc::channel(1);
/// let handler = move |call: Call| {
///     let tx = tx.clone();
///     async move { tx.send(call.content.payload.clone()).await }
/// };
/// let source = StoreQueue::new(store, orders, Span::from_secs(30));
/// let runner = Runner::new(source, handler, Policy::builder().build().unwrap(), RunnerSettings::default()).unwrap();
/// let running = runner.start().await.unwrap();
/// assert_eq!(rx.recv().await.unwrap(), "one");
/// assert_eq!(running.stop(Span::from_secs(10)).await.done, 1);
/// # });
/// ```
pub struct Runner<S> {
    source: Arc<S>,
    handler: Arc<dyn Handler>,
    policy: Policy,
    decision: Option<WorkDecision>,
    settings: RunnerSettings,
    clock: Arc<dyn Clock>,
    is_running: Arc<AtomicBool>,
    numbers: Arc<RunnerCounters>,
    /// The destinations that are known to be down when the runner starts.
    down: Vec<Arc<str>>,
}

/// Why a runner cannot start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunnerStartError {
    /// The runner must be stopped first.
    #[error("the runner is already running")]
    AlreadyRunning,
    /// The source's attempt limit is below the policy's: the source would give up the work first.
    #[error(
        "the policy allows {policy} attempts, but '{source_name}' itself allows {source_limit}; raise that to at least \
         {policy}, or lower the policy's max_attempts"
    )]
    TooManyAttempts { source_name: Arc<str>, policy: AttemptLimit, source_limit: AttemptLimit },
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl<S: Source> Runner<S> {
    pub fn new(source: S, handler: impl Handler, policy: Policy, settings: RunnerSettings) -> Result<Self, Invalid> {
        Self::sharing(source, Arc::new(handler), policy, settings)
    }

    /// Like [`new`](Self::new), with a handler that the caller also uses, such as a pool that it stops later.
    pub fn sharing(
        source: S,
        handler: Arc<dyn Handler>,
        policy: Policy,
        mut settings: RunnerSettings,
    ) -> Result<Self, Invalid> {
        settings.timeout = handler.timeout().unwrap_or(Span::MAX).min(settings.timeout);
        settings.check()?;
        Ok(Self {
            source: Arc::new(source),
            handler,
            policy,
            decision: None,
            settings,
            clock: Arc::new(SystemClock),
            is_running: Arc::default(),
            numbers: Arc::default(),
            down: Vec::new(),
        })
    }

    /// Uses another clock. It must be the clock of the source.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets a function that is asked about a failure before the policy, with the work that failed, unless the work has its
    /// own terms. It must be pure. Without an answer, the policy decides, with its predicate. It is also asked about work whose
    /// attempts are spent before its handler runs; the kind of that failure is `delivery_count_exceeded`.
    #[must_use]
    pub fn deciding_by(mut self, decide: impl Fn(&Work, &Failure) -> Option<Answer> + Send + Sync + 'static) -> Self {
        self.decision = Some(WorkDecision(Arc::new(decide)));
        self
    }

    /// Shares the counters of another runner.
    #[must_use]
    pub(crate) fn counting_in(mut self, numbers: Arc<RunnerCounters>) -> Self {
        self.numbers = numbers;
        self
    }

    /// Starts with destinations that are known to be down: the first call of each is a probe.
    #[must_use]
    pub(crate) fn probing(mut self, down: Vec<Arc<str>>) -> Self {
        self.down = down;
        self
    }

    pub(crate) const fn numbers(&self) -> &Arc<RunnerCounters> {
        &self.numbers
    }

    pub(crate) fn source(&self) -> &S {
        &self.source
    }

    /// Starts claiming and processing on the caller's runtime.
    ///
    /// # Errors
    ///
    /// If the runner is running, the source does not answer, or the policy allows more attempts than the source.
    pub async fn start(&self) -> Result<Running, RunnerStartError> {
        let source_limit = self.source.limit().await?;
        let policy = self.policy.max_attempts();
        if policy > source_limit {
            let source_name = Arc::clone(self.source.name());
            return Err(RunnerStartError::TooManyAttempts { source_name, policy, source_limit });
        }
        let lock = Lock::take(&self.is_running).ok_or(RunnerStartError::AlreadyRunning)?;
        let (control, commands) = mpsc::channel(16);
        let destinations = NonZeroUsize::new(self.settings.destinations_max).unwrap_or(NonZeroUsize::MIN);
        let breaker = breaker_of(&self.settings);
        let engine = Engine::new(
            Arc::clone(&self.source),
            Arc::clone(&self.handler),
            Judge::new(self.policy.clone(), self.decision.clone(), self.source.keeps_successes()),
            self.settings.clone(),
            DestinationBreakers::new(breaker, destinations, &self.down, self.clock.monotonic()),
            Arc::clone(&self.clock),
            Arc::clone(&self.numbers),
        );
        let task = tokio::spawn(async move {
            let report = engine.run(commands).await;
            drop(lock);
            report
        });
        Ok(Running::new(control, task, Arc::clone(&self.clock)))
    }
}

impl<S: Source> fmt::Debug for Runner<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("source", &self.source).field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Marks a runner as running while it exists.
#[derive(Debug)]
struct Lock(Arc<AtomicBool>);

impl Lock {
    fn take(is_running: &Arc<AtomicBool>) -> Option<Self> {
        let was_running = is_running.swap(true, Ordering::AcqRel);
        (!was_running).then(|| Self(Arc::clone(is_running)))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

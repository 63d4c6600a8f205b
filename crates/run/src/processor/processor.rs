//! The retry processor.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use redrive_core::{Invalid, Policy, QueueName, Span};
use redrive_store::{Clock, Store, StoreError};
use tokio::sync::Mutex;

use super::down_destinations::DownDestinations;
use crate::runner::RunnerStartError;
use crate::{DueLetters, Handler, RunReport, Runner, RunnerHealth, RunnerNumbers, RunnerSettings, Running};

/// The settings of a processor.
#[derive(Debug, Clone)]
pub struct ProcessorSettings {
    /// The settings of the runner of each queue.
    pub runner: RunnerSettings,
    /// Length of a claim. Claims are extended while a handler runs.
    pub lease: Span,
    /// Classifies failures, and sets the retry delays of letters whose policy is derived from the failure.
    pub policy: Policy,
    /// Due letters are claimed at least this often. A letter that becomes due earlier is claimed at once.
    pub interval: Span,
}

impl ProcessorSettings {
    /// The allowed interval in the configuration and the API, in seconds.
    pub const INTERVAL_SECONDS: RangeInclusive<u64> = 10..=3600;
}

/// Retries the letters of dead queues: each queue has a target, and a [`Runner`] over its due letters.
///
/// Manual retries use the same claim, target and decision.
pub struct Processor {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) settings: ProcessorSettings,
    queues: BTreeMap<QueueName, Retries>,
    /// What manual retries have found out about destinations.
    pub(super) down: DownDestinations,
}

/// The retries of one queue.
pub(super) struct Retries {
    pub(super) handler: Arc<dyn Handler>,
    pub(super) runner: Runner<DueLetters>,
    running: Mutex<Option<Running>>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProcessorError {
    #[error("No retry callback configured; queue '{0}' has no target")]
    NoTarget(QueueName),
    #[error(transparent)]
    Start(#[from] RunnerStartError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Setting(#[from] Invalid),
    #[error("letters of '{0}' are not being retried automatically; start the processing of the queue first")]
    NotRunning(QueueName),
    #[error(
        "the circuit breaker of destination '{0}' is open, and nothing was tried; wait until it closes, or use force"
    )]
    BreakerOpen(Arc<str>),
    #[error("the processor is being stopped, and nothing was tried; try again when it is back")]
    Stopping,
    #[error(
        "the letter was tried, but its claim ended before the attempt: the outcome is unknown; look at the destination"
    )]
    ClaimLost,
}

impl Processor {
    pub const fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, settings: ProcessorSettings) -> Self {
        Self { store, clock, settings, queues: BTreeMap::new(), down: DownDestinations::new() }
    }

    /// Sets the handler that retries the letters of a queue, and replaces an earlier one.
    ///
    /// # Errors
    ///
    /// When the settings are out of range.
    pub fn add(&mut self, queue: QueueName, handler: Arc<dyn Handler>) -> Result<(), ProcessorError> {
        let ProcessorSettings { runner, policy, .. } = self.settings.clone();
        let runner = Runner::sharing(self.due(&queue), Arc::clone(&handler), policy, runner)?;
        let runner = runner.with_clock(Arc::clone(&self.clock));
        self.queues.insert(queue, Retries { handler, runner, running: Mutex::new(None) });
        Ok(())
    }

    pub(super) fn due(&self, queue: &QueueName) -> DueLetters {
        let due = DueLetters::new(Arc::clone(&self.store), queue.clone(), self.settings.lease);
        due.looking_every(self.settings.interval)
    }

    /// How long running attempts may continue when the processor is stopped.
    pub const fn drain(&self) -> Span {
        self.settings.runner.drain
    }

    /// The interval with which the queue was last started.
    ///
    /// # Errors
    ///
    /// When the queue has no target.
    pub fn interval(&self, queue: &QueueName) -> Result<Span, ProcessorError> {
        Ok(self.retries(queue)?.runner.source().interval())
    }

    /// The queues that have a target.
    pub fn queues(&self) -> impl Iterator<Item = &QueueName> {
        self.queues.keys()
    }

    /// Whether a queue has a target.
    pub fn has_target(&self, queue: &QueueName) -> bool {
        self.queues.contains_key(queue)
    }

    /// What the target of a queue calls; `None` if the queue has none.
    pub fn target(&self, queue: &QueueName) -> Option<String> {
        self.queues.get(queue).map(|retries| retries.handler.target())
    }

    pub(super) fn retries(&self, queue: &QueueName) -> Result<&Retries, ProcessorError> {
        self.queues.get(queue).ok_or_else(|| ProcessorError::NoTarget(queue.clone()))
    }

    /// Starts retrying the due letters of a queue.
    ///
    /// # Errors
    ///
    /// When the queue has no target, does not exist, or is already being processed.
    pub fn start<'f>(&'f self, queue: &'f QueueName) -> BoxFuture<'f, Result<(), ProcessorError>> {
        Box::pin(async move { self.start_looking_every(queue, self.settings.interval).await })
    }

    /// Like [`start`](Self::start), with another interval than that of the settings until the queue is stopped.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start).
    pub async fn start_looking_every(&self, queue: &QueueName, interval: Span) -> Result<(), ProcessorError> {
        let retries = self.retries(queue)?;
        let mut running = retries.running.lock().await;
        if running.as_ref().is_some_and(|running| !running.has_ended()) {
            return Err(RunnerStartError::AlreadyRunning.into());
        }
        retries.runner.source().look_every(interval);
        *running = Some(retries.runner.start().await?);
        Ok(())
    }

    /// Stops retrying the letters of a queue, and waits up to `within` for running attempts. Returns `None` if the
    /// queue was not being processed.
    ///
    /// # Errors
    ///
    /// When the queue has no target.
    pub fn stop<'f>(
        &'f self,
        queue: &'f QueueName,
        within: Span,
    ) -> BoxFuture<'f, Result<Option<RunReport>, ProcessorError>> {
        Box::pin(async move {
            let running = self.retries(queue)?.running.lock().await.take();
            match running {
                Some(running) => Ok(Some(running.stop(within).await)),
                None => Ok(None),
            }
        })
    }

    /// Stops all queues concurrently.
    pub fn stop_all(&self, within: Span) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let stops = self.queues.keys().map(|queue| async move {
                if let Ok(Some(report)) = self.stop(queue, within).await {
                    tracing::info!(
                        queue = %queue,
                        finished = report.finished(),
                        deferred = report.deferred,
                        aborted = report.aborted,
                        "letter processing stopped"
                    );
                }
            });
            futures_util::future::join_all(stops).await;
        })
    }

    /// Pauses or resumes a queue. While it is paused, no letter is claimed; running attempts continue.
    ///
    /// # Errors
    ///
    /// When the queue has no target, or is not being processed.
    pub async fn pause(&self, queue: &QueueName, is_paused: bool) -> Result<(), ProcessorError> {
        let running = self.retries(queue)?.running.lock().await;
        let running = running.as_ref().filter(|running| !running.has_ended());
        let running = running.ok_or_else(|| ProcessorError::NotRunning(queue.clone()))?;
        if is_paused {
            running.pause().await;
        } else {
            running.resume().await;
        }
        Ok(())
    }

    /// The counters and gauges of each queue since the processor was created, manual retries included.
    pub fn numbers(&self) -> impl Iterator<Item = (&QueueName, RunnerNumbers)> {
        self.queues.iter().map(|(queue, retries)| (queue, retries.runner.numbers().numbers()))
    }

    /// The health of the runner of a queue; `None` if the queue is not being processed.
    ///
    /// # Errors
    ///
    /// When the queue has no target.
    pub async fn health(&self, queue: &QueueName) -> Result<Option<RunnerHealth>, ProcessorError> {
        match &*self.retries(queue)?.running.lock().await {
            Some(running) if !running.has_ended() => Ok(Some(running.health().await)),
            _ => Ok(None),
        }
    }
}

impl fmt::Debug for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Processor").field("queues", &self.queues.keys().collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

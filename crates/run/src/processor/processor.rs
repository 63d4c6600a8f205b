//! The retry processor.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use redrive_core::{Invalid, Policy, QueueName, Span};
use redrive_store::{Clock, Store, StoreError};
use tokio::sync::Mutex;

use crate::runner::RunnerStartError;
use crate::{DueLetters, Handler, RunReport, Runner, RunnerHealth, RunnerNumbers, RunnerSettings, Running};

/// How letters are retried.
#[derive(Debug, Clone)]
pub struct ProcessorSettings {
    /// Of each queue.
    pub runner: RunnerSettings,
    /// How long a letter is claimed; claims are kept up while a handler works.
    pub lease: Span,
    /// Classifies what fails, and says when it is tried again where a letter does not say so itself.
    pub policy: Policy,
    /// Letters are looked for at least this often; what is due earlier wakes it.
    pub interval: Span,
}

impl ProcessorSettings {
    /// What the interval may be for whoever sets it from outside, in seconds.
    pub const INTERVAL_SECONDS: RangeInclusive<u64> = 10..=3600;
}

/// Retries the letters of dead queues: each queue has a target, and a [`Runner`] over the letters that are due.
///
/// Whoever asks for a letter by hand takes the same way: the same claim, the same target, the same decision.
pub struct Processor {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) settings: ProcessorSettings,
    queues: BTreeMap<QueueName, Retries>,
}

/// One queue.
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
    #[error("letters of '{0}' are not being retried by themselves; start that first")]
    NotRunning(QueueName),
    #[error(
        "the circuit breaker of destination '{0}' is open, and nothing was tried; wait until it closes, or use force"
    )]
    BreakerOpen(Arc<str>),
    #[error("the processor is being stopped, and nothing was tried; try again when it is back")]
    Stopping,
}

impl Processor {
    pub const fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, settings: ProcessorSettings) -> Self {
        Self { store, clock, settings, queues: BTreeMap::new() }
    }

    /// Retries the letters of a queue with a handler, instead of the one that it had.
    ///
    /// # Errors
    ///
    /// When the settings are out of bounds.
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

    /// What runs when it is stopped has so long to finish.
    pub const fn drain(&self) -> Span {
        self.settings.runner.drain
    }

    /// Letters of a queue are looked for at least this often, as it was last started.
    ///
    /// # Errors
    ///
    /// When it has no target.
    pub fn interval(&self, queue: &QueueName) -> Result<Span, ProcessorError> {
        Ok(self.retries(queue)?.runner.source().interval())
    }

    /// The queues that have a target.
    pub fn queues(&self) -> impl Iterator<Item = &QueueName> {
        self.queues.keys()
    }

    pub(super) fn retries(&self, queue: &QueueName) -> Result<&Retries, ProcessorError> {
        self.queues.get(queue).ok_or_else(|| ProcessorError::NoTarget(queue.clone()))
    }

    /// Begins to retry what is due in a queue.
    ///
    /// # Errors
    ///
    /// When it has no target, is not there, or is being processed already.
    pub async fn start(&self, queue: &QueueName) -> Result<(), ProcessorError> {
        self.start_looking_every(queue, self.settings.interval).await
    }

    /// The same with another interval than that of the settings, until it is stopped.
    ///
    /// # Errors
    ///
    /// As above.
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

    /// Takes nothing new of a queue, and lets what runs finish for so long. `None` when it was not being processed.
    ///
    /// # Errors
    ///
    /// When it has no target.
    pub async fn stop(&self, queue: &QueueName, within: Span) -> Result<Option<RunReport>, ProcessorError> {
        let running = self.retries(queue)?.running.lock().await.take();
        match running {
            Some(running) => Ok(Some(running.stop(within).await)),
            None => Ok(None),
        }
    }

    /// Stops all queues at the same time.
    pub async fn stop_all(&self, within: Span) {
        let stops = self.queues.keys().map(|queue| async move {
            if let Ok(Some(report)) = self.stop(queue, within).await {
                tracing::info!(
                    queue = %queue,
                    finished = report.finished(),
                    deferred = report.deferred,
                    aborted = report.aborted,
                    "no more letters are retried"
                );
            }
        });
        futures_util::future::join_all(stops).await;
    }

    /// Takes nothing new of a queue until it is resumed.
    ///
    /// # Errors
    ///
    /// When it has no target, or is not being processed.
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

    /// What the retries of each queue came to since the processor was made, those by hand included.
    pub fn numbers(&self) -> impl Iterator<Item = (&QueueName, RunnerNumbers)> {
        self.queues.iter().map(|(queue, retries)| (queue, retries.runner.numbers().numbers()))
    }

    /// How a queue fares; `None` when it is not being processed.
    ///
    /// # Errors
    ///
    /// When it has no target.
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

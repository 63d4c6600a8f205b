//! A consumer: the source and the runner over it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use redrive_core::{Policy, Span};
use redrive_run::{DeadQueue, Handler, RunReport, Runner, RunnerHealth, RunnerSettings, RunnerStartError, Running};
use redrive_store::{Clock, SystemClock};

use crate::delivery::SourcePurpose;
use crate::settings::ShutdownPolicy;
use crate::snapshot::ConsumerSnapshot;
use crate::source::KafkaSource;
use crate::{KafkaError, KafkaSettings};

/// A running consumer: a [`KafkaSource`] and the [`Runner`] over it, with the policy of its settings.
#[derive(Debug)]
pub struct KafkaConsumer {
    source: KafkaSource,
    running: Running,
    drain: Span,
}

impl KafkaConsumer {
    /// Joins the group and processes records with the handler.
    pub async fn start(
        settings: KafkaSettings,
        handler: impl Handler,
        dead_queue: Option<DeadQueue>,
    ) -> Result<Self, KafkaError> {
        settings.check()?;
        let (policy, runner) = (settings.policy()?, settings.runner());
        Self::start_with(settings, Arc::new(handler), policy, runner, dead_queue, Arc::new(SystemClock)).await
    }

    /// Like [`start`](Self::start), with another policy, other settings of the runner, and another clock.
    pub fn start_with(
        settings: KafkaSettings,
        handler: Arc<dyn Handler>,
        policy: Policy,
        runner: RunnerSettings,
        dead_queue: Option<DeadQueue>,
        clock: Arc<dyn Clock>,
    ) -> BoxFuture<'static, Result<Self, KafkaError>> {
        Box::pin(Self::start_for(settings, handler, policy, runner, dead_queue, clock, SourcePurpose::Process))
    }

    pub(crate) async fn start_for(
        settings: KafkaSettings,
        handler: Arc<dyn Handler>,
        policy: Policy,
        runner: RunnerSettings,
        dead_queue: Option<DeadQueue>,
        clock: Arc<dyn Clock>,
        purpose: SourcePurpose,
    ) -> Result<Self, KafkaError> {
        let drain = match settings.shutdown_policy {
            ShutdownPolicy::Graceful => settings.drain_timeout,
            ShutdownPolicy::Abort => Span::ZERO,
        };
        let source = KafkaSource::open_for(settings, dead_queue, Arc::clone(&clock), purpose).await?;
        match run(source.clone(), handler, policy, runner, clock).await {
            Ok(running) => Ok(Self { source, running, drain }),
            Err(error) => {
                source.close().await;
                Err(error)
            }
        }
    }

    pub const fn source(&self) -> &KafkaSource {
        &self.source
    }

    pub const fn running(&self) -> &Running {
        &self.running
    }

    /// What the consumer holds and waits for.
    pub fn snapshot(&self) -> ConsumerSnapshot {
        self.source.snapshot()
    }

    pub async fn health(&self) -> RunnerHealth {
        self.running.health().await
    }

    /// Whether the runner has ended, because the consumer was closed or cannot go on.
    pub fn has_ended(&self) -> bool {
        self.running.has_ended()
    }

    /// Reads nothing new, lets running handlers finish by the `shutdown_policy`, commits, and leaves the group.
    pub fn stop(self) -> BoxFuture<'static, RunReport> {
        Box::pin(async move {
            let report = self.running.stop(self.drain).await;
            self.source.close().await;
            report
        })
    }
}

async fn run(
    source: KafkaSource,
    handler: Arc<dyn Handler>,
    policy: Policy,
    settings: RunnerSettings,
    clock: Arc<dyn Clock>,
) -> Result<Running, KafkaError> {
    let runner = Runner::sharing(source, handler, policy, settings)?.with_clock(clock);
    let failed =
        |error: RunnerStartError| KafkaError::Client { doing: "starting the runner", reason: error.to_string() };
    runner.start().await.map_err(failed)
}

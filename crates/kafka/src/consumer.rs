//! A consumer: the source and the runner over it.

use redrive_core::Span;
use redrive_run::{Handler, RunReport, Runner, RunnerHealth, Running};

use crate::dlq::DeadQueue;
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
        let drain = match settings.shutdown_policy {
            ShutdownPolicy::Graceful => settings.drain_timeout,
            ShutdownPolicy::Abort => Span::ZERO,
        };
        let source = KafkaSource::open(settings, dead_queue).await?;
        let runner = Runner::new(source.clone(), handler, policy, runner)?;
        let running = match runner.start().await {
            Ok(running) => running,
            Err(error) => {
                source.close().await;
                return Err(KafkaError::Client { doing: "starting the runner", reason: error.to_string() });
            }
        };
        Ok(Self { source, running, drain })
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
    pub async fn stop(self) -> RunReport {
        let report = self.running.stop(self.drain).await;
        self.source.close().await;
        report
    }
}

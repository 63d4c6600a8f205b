//! What retries letters while the server runs.

use std::sync::Arc;

use anyhow::{Context, Result};
use redrive_core::{QueueName, Span};
use redrive_queue::{QueueSettings, Refusal};
use redrive_run::{
    BackToOrigin, GrpcSettings, GrpcTarget, Handler, HttpSettings, HttpTarget, Processor, WorkerCommand, WorkerPool,
};
use redrive_store::{Clock, Store, StoreError};

use crate::config::{Dlq, Target, Way};

/// Queues with their targets, being processed; and the worker processes among the targets.
pub(crate) struct Retries {
    pub(crate) processor: Arc<Processor>,
    pools: Vec<WorkerPool>,
    drain: Span,
}

impl Retries {
    /// Starts what the configuration asks for. A queue that is not there is made.
    pub(crate) async fn start(dlq: &Dlq, store: &Arc<dyn Store>, clock: &Arc<dyn Clock>) -> Result<Self> {
        let mut processor = Processor::new(Arc::clone(store), Arc::clone(clock), dlq.processor()?);
        let mut pools = Vec::new();
        for target in &dlq.targets {
            let queue = target.queue()?;
            ensure_queue(&**store, &queue).await?;
            let (handler, pool) = handler(target, store, clock).await?;
            pools.extend(pool);
            processor.add(queue, handler)?;
        }
        let retries = Self { processor: Arc::new(processor), pools, drain: dlq.drain_deadline() };
        if dlq.is_processing() {
            for queue in retries.processor.queues() {
                retries
                    .processor
                    .start(queue)
                    .await
                    .with_context(|| format!("letters of '{queue}' are not retried"))?;
                tracing::info!(%queue, "letters are retried");
            }
        }
        Ok(retries)
    }

    /// Takes nothing new, and lets what runs finish.
    pub(crate) async fn stop(&self) {
        let workers = self.pools.iter().map(|pool| pool.stop(self.drain));
        futures_util::future::join(self.processor.stop_all(self.drain), futures_util::future::join_all(workers)).await;
    }
}

/// A dead queue that is made here has letters that do not expire.
async fn ensure_queue(store: &dyn Store, queue: &QueueName) -> Result<()> {
    let mut settings = QueueSettings::new(queue.clone());
    settings.letters.is_expiring = false;
    match store.create_queue(settings).await {
        Ok(_) => {
            tracing::info!(%queue, "a dead queue was made");
            Ok(())
        }
        Err(StoreError::Refused(Refusal::QueueExists(_))) => Ok(()),
        Err(error) => Err(error).with_context(|| format!("the queue '{queue}' could not be made")),
    }
}

async fn handler(
    target: &Target,
    store: &Arc<dyn Store>,
    clock: &Arc<dyn Clock>,
) -> Result<(Arc<dyn Handler>, Option<WorkerPool>)> {
    let queue = target.queue()?;
    let wrong = || format!("dlq.targets: the target of '{queue}' cannot be used");
    Ok(match target.way()? {
        Way::Http { url } => {
            let target = HttpTarget::new(&HttpSettings::new(url)).with_context(wrong)?;
            (Arc::new(target.with_clock(Arc::clone(clock))), None)
        }
        Way::Grpc { endpoint, method } => {
            let target = GrpcTarget::new(&GrpcSettings::new(endpoint, method)).with_context(wrong)?;
            (Arc::new(target.with_clock(Arc::clone(clock))), None)
        }
        Way::Worker { program, arguments, processes } => {
            let command = WorkerCommand { processes, ..WorkerCommand::new(program, arguments) };
            let pool = WorkerPool::start(command).await.with_context(wrong)?.with_clock(Arc::clone(clock));
            (Arc::new(pool.clone()), Some(pool))
        }
        Way::Origin => (Arc::new(BackToOrigin::new(Arc::clone(store))), None),
    })
}

//! The retries of letters while the server runs: targets, worker processes, retry processor.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use redrive_core::{QueueName, Span};
use redrive_model::{CreateQueue, GetQueue, QueueSettings, Rejection};
use redrive_run::{
    GrpcSettings, GrpcTarget, Handler, HttpSettings, HttpTarget, OriginTarget, Processor, WorkerCommand, WorkerPool,
    end_lost_claims,
};
use redrive_store::{Clock, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::config::{Config, Dlq, TargetKind};

/// The retry processor of all queues with a target, and the worker processes among the targets.
pub(crate) struct Retries {
    pub(crate) processor: Arc<Processor>,
    pools: Vec<WorkerPool>,
    drain: Span,
}

impl Retries {
    /// Starts the configured targets and their retries, and creates missing queues. Returns `None` if `stop` was cancelled
    /// while workers started; the workers are stopped then.
    pub(crate) async fn start(
        config: &Config,
        store: &Arc<dyn Store>,
        clock: &Arc<dyn Clock>,
        stop: &CancellationToken,
    ) -> Result<Option<Self>> {
        let dlq = &config.dlq;
        let mut processor = Processor::new(Arc::clone(store), Arc::clone(clock), config.processor()?);
        let mut pools = Vec::new();
        for (queue, target) in checked_targets(dlq)? {
            let (handler, pool) = tokio::select! {
                started = target.start(&queue, store, clock) => {
                    started.with_context(|| format!("dlq.targets: cannot start the target of '{queue}'"))?
                }
                () = stop.cancelled() => return Ok(None),
            };
            pools.extend(pool);
            processor.add(queue, handler)?;
        }
        // After all targets have started, so that an invalid target leaves no queue behind.
        let mut queues = Vec::new();
        for queue in processor.queues() {
            if ensure_queue(&**store, queue).await? {
                queues.push(queue.clone());
            }
        }
        // An embedded store has one server, and this one has no claims yet.
        match end_lost_claims(&**store).await {
            Ok(0) => {}
            Ok(claims) => tracing::warn!(claims, "ended the claims of an earlier process as lost"),
            Err(error) => {
                tracing::warn!(%error, "cannot end the claims of an earlier process; they expire at their deadlines");
            }
        }
        let retries = Self { processor: Arc::new(processor), pools, drain: dlq.drain_deadline() };
        if dlq.is_processing() {
            for queue in &queues {
                retries
                    .processor
                    .start(queue)
                    .await
                    .with_context(|| format!("cannot start the retries of '{queue}'"))?;
                tracing::info!(%queue, "retries started");
            }
        }
        Ok(Some(retries))
    }

    /// Stops claiming letters, and waits for running retries up to the drain deadline.
    pub(crate) async fn stop(&self) {
        let workers = self.pools.iter().map(|pool| pool.stop(self.drain));
        futures_util::future::join(self.processor.stop_all(self.drain), futures_util::future::join_all(workers)).await;
    }
}

/// Creates the queue if it does not exist. Returns `false` if the disk is full: the server starts without the queue then,
/// because a server that does not start cannot free disk space.
async fn ensure_queue(store: &dyn Store, queue: &QueueName) -> Result<bool> {
    let cannot = || format!("cannot create the queue '{queue}'");
    // Checked first: on a full disk, the store rejects a create before it looks for an existing queue.
    match store.queue(GetQueue { name: queue.clone() }).await {
        Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => {}
        found => return found.map(|_| true).with_context(cannot),
    }
    let settings = QueueSettings::new(queue.clone());
    match store.create_queue(CreateQueue { settings }).await {
        Ok(_) => {
            tracing::info!(%queue, "created dead queue");
            Ok(true)
        }
        Err(StoreError::Rejected(Rejection::QueueExists(_))) => Ok(true),
        Err(StoreError::Full) => {
            tracing::warn!(%queue, "disk full; the next start creates the dead queue and retries its letters");
            Ok(false)
        }
        Err(error) => Err(error).with_context(cannot),
    }
}

/// A target that was checked and is not started yet.
enum CheckedTarget {
    Http(Box<HttpTarget>),
    Grpc(Box<GrpcTarget>),
    Worker(WorkerCommand),
    Origin,
}

/// Checks the settings of the processor and the targets, without calling or starting them.
pub(crate) fn check(config: &Config) -> Result<()> {
    config.processor()?;
    checked_targets(&config.dlq).map(drop)
}

fn checked_targets(dlq: &Dlq) -> Result<BTreeMap<QueueName, CheckedTarget>> {
    let mut targets = BTreeMap::new();
    for target in &dlq.targets {
        let queue = target.queue()?;
        let checked = CheckedTarget::new(target.kind()?).with_context(|| invalid_target(&queue))?;
        if targets.insert(queue.clone(), checked).is_some() {
            bail!("dlq.targets: '{queue}' has two targets; remove one of them");
        }
    }
    Ok(targets)
}

fn invalid_target(queue: &QueueName) -> String {
    format!("dlq.targets: the target of '{queue}' is invalid")
}

/// Fails unless the program is an executable file, or a name on the PATH.
fn check_program(program: &Path) -> Result<()> {
    let is_program =
        |path: &Path| path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0);
    let is_found = if program.components().count() > 1 {
        is_program(program)
    } else {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&folders).any(|folder| is_program(&folder.join(program)))
    };
    if !is_found {
        bail!("no such program: '{}'; name an executable file, or a program on the PATH", program.display());
    }
    Ok(())
}

impl CheckedTarget {
    fn new(kind: TargetKind) -> Result<Self> {
        Ok(match kind {
            TargetKind::Http { url } => Self::Http(Box::new(HttpTarget::new(&HttpSettings::new(url))?)),
            TargetKind::Grpc { endpoint, method } => {
                Self::Grpc(Box::new(GrpcTarget::new(&GrpcSettings::new(endpoint, method))?))
            }
            TargetKind::Worker { program, arguments, processes } => {
                let command = WorkerCommand { processes, ..WorkerCommand::new(program, arguments) };
                command.check()?;
                check_program(&command.program)?;
                Self::Worker(command)
            }
            TargetKind::Origin => Self::Origin,
        })
    }

    async fn start(
        self,
        queue: &QueueName,
        store: &Arc<dyn Store>,
        clock: &Arc<dyn Clock>,
    ) -> Result<(Arc<dyn Handler>, Option<WorkerPool>)> {
        Ok(match self {
            Self::Http(target) => (Arc::new(target.with_clock(Arc::clone(clock))), None),
            Self::Grpc(target) => (Arc::new(target.with_clock(Arc::clone(clock))), None),
            Self::Worker(command) => {
                let pool = WorkerPool::start(command).await?.with_clock(Arc::clone(clock));
                (Arc::new(pool.clone()), Some(pool))
            }
            Self::Origin => (Arc::new(OriginTarget::new(Arc::clone(store), queue.clone())), None),
        })
    }
}

#[cfg(test)]
mod tests;

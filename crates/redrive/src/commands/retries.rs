//! What retries letters while the server runs.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use redrive_core::{QueueName, Span};
use redrive_model::{CreateQueue, QueueSettings, Rejection};
use redrive_run::{
    BackToOrigin, GrpcSettings, GrpcTarget, Handler, HttpSettings, HttpTarget, Processor, WorkerCommand, WorkerPool,
    end_lost_claims,
};
use redrive_store::{Clock, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::config::{Dlq, Way};

/// Queues with their targets, being processed; and the worker processes among the targets.
pub(crate) struct Retries {
    pub(crate) processor: Arc<Processor>,
    pools: Vec<WorkerPool>,
    drain: Span,
}

impl Retries {
    /// Starts what the configuration asks for. A queue that is not there is made. `None` when it was told to stop while it
    /// waited for workers to be ready: they end with it.
    pub(crate) async fn start(
        dlq: &Dlq,
        store: &Arc<dyn Store>,
        clock: &Arc<dyn Clock>,
        stop: &CancellationToken,
    ) -> Result<Option<Self>> {
        let mut processor = Processor::new(Arc::clone(store), Arc::clone(clock), dlq.processor()?);
        let mut pools = Vec::new();
        for (queue, plan) in plans(dlq)? {
            let (handler, pool) = tokio::select! {
                begun = plan.begin(&queue, store, clock) => begun.with_context(|| unusable(&queue))?,
                () = stop.cancelled() => return Ok(None),
            };
            pools.extend(pool);
            processor.add(queue, handler)?;
        }
        // Only now: targets that cannot be used leave no queue behind.
        for queue in processor.queues() {
            ensure_queue(&**store, queue).await?;
        }
        // An embedded store has one server, and this one has claimed nothing yet.
        match end_lost_claims(&**store).await {
            Ok(0) => {}
            Ok(claims) => tracing::warn!(claims, "claims of an earlier process ended as lost"),
            Err(error) => tracing::warn!(%error, "claims of an earlier process stay until they run out"),
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
        Ok(Some(retries))
    }

    /// Takes nothing new, and lets what runs finish.
    pub(crate) async fn stop(&self) {
        let workers = self.pools.iter().map(|pool| pool.stop(self.drain));
        futures_util::future::join(self.processor.stop_all(self.drain), futures_util::future::join_all(workers)).await;
    }
}

async fn ensure_queue(store: &dyn Store, queue: &QueueName) -> Result<()> {
    let settings = QueueSettings::new(queue.clone());
    match store.create_queue(CreateQueue { settings }).await {
        Ok(_) => {
            tracing::info!(%queue, "a dead queue was made");
            Ok(())
        }
        Err(StoreError::Rejected(Rejection::QueueExists(_))) => Ok(()),
        Err(error) => Err(error).with_context(|| format!("the queue '{queue}' could not be made")),
    }
}

/// What a target will be, once it is known that it can be.
enum Plan {
    Http(Box<HttpTarget>),
    Grpc(Box<GrpcTarget>),
    Worker(WorkerCommand),
    Origin,
}

/// Whether the targets can be used, as far as that is seen without asking them.
pub(crate) fn check(dlq: &Dlq) -> Result<()> {
    plans(dlq).map(|_| ())
}

fn plans(dlq: &Dlq) -> Result<BTreeMap<QueueName, Plan>> {
    let mut plans = BTreeMap::new();
    for target in &dlq.targets {
        let queue = target.queue()?;
        let plan = Plan::of(target.way()?).with_context(|| unusable(&queue))?;
        if plans.insert(queue.clone(), plan).is_some() {
            bail!("dlq.targets: '{queue}' has two targets; its letters can go to one only");
        }
    }
    Ok(plans)
}

fn unusable(queue: &QueueName) -> String {
    format!("dlq.targets: the target of '{queue}' cannot be used")
}

/// Whether a program can be started: a file, or a name on the PATH.
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
        bail!(
            "there is no program '{}'; name a file that can be executed, or a program on the PATH",
            program.display()
        );
    }
    Ok(())
}

impl Plan {
    fn of(way: Way) -> Result<Self> {
        Ok(match way {
            Way::Http { url } => Self::Http(Box::new(HttpTarget::new(&HttpSettings::new(url))?)),
            Way::Grpc { endpoint, method } => {
                Self::Grpc(Box::new(GrpcTarget::new(&GrpcSettings::new(endpoint, method))?))
            }
            Way::Worker { program, arguments, processes } => {
                let command = WorkerCommand { processes, ..WorkerCommand::new(program, arguments) };
                command.check()?;
                check_program(&command.program)?;
                Self::Worker(command)
            }
            Way::Origin => Self::Origin,
        })
    }

    async fn begin(
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
            Self::Origin => (Arc::new(BackToOrigin::new(Arc::clone(store), queue.clone())), None),
        })
    }
}

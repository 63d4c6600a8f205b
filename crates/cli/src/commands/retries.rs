//! The retries of letters while the server runs: targets, worker processes, retry processor.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use redrive_core::{NamespaceName, QueueName, Span, TargetName};
use redrive_model::{CreateQueue, GetQueue, QueueSettings, Rejection};
use redrive_routes::{CheckedTarget, OriginConnections, StartedTarget, StartedTargets, TargetSettings};
use redrive_run::{Processor, end_lost_claims};
use redrive_server::Server;
use redrive_store::{Clock, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::config::{Config, LetterTarget, ResolvedTarget};

/// The retry processor of all queues with a target, and their targets.
pub(crate) struct Retries {
    pub(crate) processor: Arc<Processor>,
    targets: StartedQueueTargets,
}

impl Retries {
    /// Starts the configured targets and their retries, and creates missing queues. Returns `None` if `stop` was cancelled
    /// while workers started; the workers are stopped then.
    pub(crate) async fn start(
        config: &Config,
        targets: &StartedTargets,
        store: &Arc<dyn Store>,
        clock: &Arc<dyn Clock>,
        stop: &CancellationToken,
    ) -> Result<Option<Self>> {
        let dlq = &config.dlq;
        let mut processor = Processor::new(Arc::clone(store), Arc::clone(clock), config.processor()?);
        let started = tokio::select! {
            started = CheckedTargets::of(config)?.start(targets, config.origins(), clock) => started?,
            () = stop.cancelled() => return Ok(None),
        };
        for (queue, target) in &started.all {
            processor.add(queue.clone(), target.handler(store, queue))?;
        }
        // After all targets have started, so that an invalid target leaves no queue behind.
        let mut queues = Vec::new();
        for target in &dlq.targets {
            let (queue, namespace) = (target.queue()?, target.namespace()?);
            if ensure_queue(&**store, &queue, namespace).await? {
                queues.push(queue);
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
        let retries = Self { processor: Arc::new(processor), targets: started };
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

    /// Stops claiming letters, and waits up to `drain` for running retries. Stop the named targets at the same time.
    pub(crate) async fn stop(&self, drain: Span) {
        let targets = self.targets.inline.iter().map(|target| target.stop(drain));
        futures_util::future::join(self.processor.stop_all(drain), futures_util::future::join_all(targets)).await;
    }
}

/// Creates the namespaces of queues with a target that do not exist.
pub(crate) async fn ensure_namespaces(config: &Config, server: &Server) -> Result<()> {
    for target in &config.dlq.targets {
        let Some(namespace) = target.namespace()? else { continue };
        match server.ensure_namespace(&namespace).await {
            Ok(true) => tracing::info!(%namespace, "created the namespace of a queue of dlq.targets"),
            Ok(false) => {}
            // The server starts without the queue, too.
            Err(StoreError::Full) => tracing::warn!(%namespace, "disk full; the next start creates the namespace"),
            Err(error) => return Err(error).with_context(|| format!("cannot create the namespace '{namespace}'")),
        }
    }
    Ok(())
}

/// The namespaces of the queues with a target, except for `_system`.
pub(crate) fn target_namespaces(config: &Config) -> Result<BTreeMap<QueueName, NamespaceName>> {
    let mut namespaces = BTreeMap::new();
    for target in &config.dlq.targets {
        if let Some(namespace) = target.namespace()? {
            namespaces.insert(target.queue()?, namespace);
        }
    }
    Ok(namespaces)
}

/// The queues with a target, their namespaces and their targets. Two files with the same ones retry letters alike.
pub(crate) type QueueTargets = BTreeMap<QueueName, (Option<NamespaceName>, TargetSettings)>;

/// The queues with a target, as the file has them, in any order.
pub(crate) fn queue_targets(config: &Config) -> Result<QueueTargets> {
    let of = |target: &LetterTarget| {
        let settings = target.resolve(&config.targets)?.settings().clone();
        Ok((target.queue()?, (target.namespace()?, settings)))
    };
    config.dlq.targets.iter().map(of).collect()
}

/// Creates the queue if it does not exist, in its namespace. Returns `false` if the disk is full: the server starts without the queue then,
/// because a server that does not start cannot free disk space.
async fn ensure_queue(store: &dyn Store, queue: &QueueName, namespace: Option<NamespaceName>) -> Result<bool> {
    let cannot = || format!("cannot create the queue '{queue}'");
    // Checked first: on a full disk, the store rejects a create before it looks for an existing queue.
    match store.queue(GetQueue { name: queue.clone() }).await {
        Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => {}
        Ok(found) => {
            if namespace.is_some() && found.namespace != namespace {
                let is_in = found.namespace.map_or_else(|| "_system".to_owned(), |name| name.to_string());
                tracing::warn!(%queue, namespace = is_in, "the queue of dlq.targets is in another namespace and stays there");
            }
            return Ok(true);
        }
        Err(error) => return Err(error).with_context(cannot),
    }
    let settings = QueueSettings { namespace, ..QueueSettings::new(queue.clone()) };
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

/// The targets of a configuration, checked and not started.
struct CheckedTargets<'c> {
    queues: BTreeMap<QueueName, QueueTarget<'c>>,
}

/// The target of a queue.
enum QueueTarget<'c> {
    Named(&'c TargetName, &'c TargetSettings),
    Inline(Box<CheckedTarget>),
}

/// The started targets of queues.
#[derive(Default)]
struct StartedQueueTargets {
    /// By queue. Those that have a name are shared with routes.
    all: Vec<(QueueName, Arc<StartedTarget>)>,
    /// Those without a name.
    inline: Vec<Arc<StartedTarget>>,
}

/// Checks the settings of the processor and the targets, without calling or starting them.
pub(crate) fn check(config: &Config) -> Result<()> {
    config.processor()?;
    CheckedTargets::of(config).map(drop)
}

impl<'c> CheckedTargets<'c> {
    fn of(config: &'c Config) -> Result<Self> {
        for (name, settings) in &config.targets {
            settings.check(config.origins()).with_context(|| format!("the target targets.{name} is invalid"))?;
        }
        let mut queues = BTreeMap::new();
        for target in &config.dlq.targets {
            let queue = target.queue()?;
            target.namespace()?;
            let checked = match target.resolve(&config.targets)? {
                ResolvedTarget::Named(name, settings) => QueueTarget::Named(name, settings),
                ResolvedTarget::Inline(settings) => {
                    let checked = settings.check(config.origins());
                    let checked =
                        checked.with_context(|| format!("dlq.targets: the target of '{queue}' is invalid"))?;
                    QueueTarget::Inline(Box::new(checked))
                }
            };
            if queues.insert(queue.clone(), checked).is_some() {
                bail!("dlq.targets: '{queue}' has two targets; remove one of them");
            }
        }
        Ok(Self { queues })
    }

    /// Starts the targets of all queues. Queues and routes that name the same target share it.
    async fn start(
        self,
        targets: &StartedTargets,
        connections: OriginConnections<'_>,
        clock: &Arc<dyn Clock>,
    ) -> Result<StartedQueueTargets> {
        let mut started = StartedQueueTargets::default();
        for (queue, target) in self.queues {
            let cannot = || format!("dlq.targets: cannot start the target of '{queue}'");
            let target = match target {
                QueueTarget::Inline(checked) => {
                    let target = Arc::new(checked.start(clock).await.with_context(cannot)?);
                    started.inline.push(Arc::clone(&target));
                    target
                }
                QueueTarget::Named(name, settings) => {
                    targets.get(name.as_str(), settings, connections, clock).await.with_context(cannot)?
                }
            };
            started.all.push((queue, target));
        }
        Ok(started)
    }
}

#[cfg(test)]
mod tests;

//! A started route: its source and the runner over it.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{
    AttemptLimit, BreakerConfig, Classifier, Invalid, NamespaceName, OnOutage, Policy, QueueName, Span,
};
use redrive_model::{GetQueue, Rejection};
#[cfg(any(feature = "kafka", feature = "redis"))]
use redrive_run::DeadQueue;
use redrive_run::{Handler, RunReport, Runner, RunnerMonitor, RunnerSettings, Running, Source, StoreQueue};
use redrive_store::StoreError;

use super::environment::RouteEnvironment;
use super::settings::queue_name;
use super::source_status::SourceMonitor;
use super::{Connections, QueueRouteSource, RouteOrigin, RouteSettings, RouteSettingsError, RouteStartError};
use crate::StartedTarget;

pub(super) struct StartedRoute {
    pub(super) source: Box<dyn StartedSource>,
    /// `None` if the runner knows all there is to know.
    pub(super) monitor: Option<Arc<dyn SourceMonitor>>,
    /// How long running calls may take when the route stops.
    pub(super) drain: Span,
    /// Keeps the target alive.
    pub(super) _target: Option<Arc<StartedTarget>>,
}

/// The source of a started route, with the runner over it.
#[async_trait]
pub(super) trait StartedSource: Send + Sync {
    fn running(&self) -> &Running;

    /// Leaves the source, after a drain.
    async fn close(self: Box<Self>) -> RunReport;
}

/// A queue needs nothing but its runner.
#[async_trait]
impl StartedSource for Running {
    fn running(&self) -> &Running {
        self
    }

    async fn close(self: Box<Self>) -> RunReport {
        self.ended().await
    }
}

/// What a route is started with.
pub(super) struct RouteStart<'r> {
    pub(super) route: &'r RouteSettings,
    pub(super) env: &'r RouteEnvironment,
    /// Those of one moment: a reload in between starts the route again.
    pub(super) connections: Arc<Connections>,
    pub(super) is_paused: bool,
}

impl RouteStart<'_> {
    pub(super) async fn start(&self, origin: RouteOrigin) -> Result<StartedRoute, RouteStartError> {
        // What a namespace may use can have changed since the route was defined.
        self.connections.check(self.route, origin)?;
        if let Some(queue) = &self.route.queue {
            return self.start_queue(queue).await;
        }
        #[cfg(feature = "redis")]
        if let Some(mailbox) = &self.route.mailbox {
            return mailbox.start(self).await;
        }
        #[cfg(feature = "kafka")]
        if let Some(kafka) = &self.route.kafka {
            return kafka.start(self).await;
        }
        #[cfg(feature = "kafka")]
        if let Some(ingest) = &self.route.ingest {
            return ingest.start(self).await;
        }
        Err(RouteSettingsError::Source.into())
    }

    async fn start_queue(&self, queue: &QueueRouteSource) -> Result<StartedRoute, RouteStartError> {
        let (store, name) = match &queue.server {
            Some(server) => (self.connections.server(server)?, queue_name("queue.name", &queue.name)?),
            None => (Arc::clone(&self.env.store), self.own_queue(&queue.name).await?),
        };
        let settings = store.queue(GetQueue { name: name.clone() }).await?;
        if settings.dead_queue.is_none() {
            return Err(RouteStartError::NoDeadQueue(name.to_string()));
        }
        let policy = match self.route.policy(&self.env.classifier)? {
            Some(policy) => policy,
            None => default_policy(settings.max_attempts, &self.env.classifier)?,
        };
        let source = StoreQueue::new(store, name, queue.lease()).to(self.route.id().to_string());
        self.run(source, policy, queue.concurrency, queue.timeout()).await
    }

    /// Starts the runner over a source.
    pub(super) async fn run(
        &self,
        source: impl Source,
        policy: Policy,
        concurrency: usize,
        timeout_max: Span,
    ) -> Result<StartedRoute, RouteStartError> {
        let runner = RunnerSettings {
            concurrency,
            timeout: timeout_max,
            breaker: self.breaker(),
            on_outage: self.route.on_outage,
            starts_paused: self.is_paused,
            ..RunnerSettings::default()
        };
        let (target, handler) = self.target().await?;
        let drain = timeout(&*handler, &runner).max(runner.drain);
        let runner = Runner::sharing(source, handler, policy, runner)?.with_clock(Arc::clone(&self.env.clock));
        let source = Box::new(runner.start().await?);
        Ok(StartedRoute { source, monitor: None, drain, _target: Some(target) })
    }

    pub(super) async fn target(&self) -> Result<(Arc<StartedTarget>, Arc<dyn Handler>), RouteStartError> {
        let name = self.route.target.as_deref().ok_or(RouteSettingsError::Target)?;
        let settings = self.connections.targets.get(name).ok_or(RouteSettingsError::Target)?;
        let target = self.env.targets.get(name, settings, self.connections.origins(), &self.env.clock).await?;
        // The check has rejected targets for letters.
        let handler = target.work_handler().ok_or(RouteSettingsError::Target)?;
        Ok((target, handler))
    }

    /// None if outages make letters: it would hold up other work, and its probes would never be charged.
    pub(super) fn breaker(&self) -> Option<BreakerConfig> {
        (self.route.on_outage == OnOutage::Pause).then(BreakerConfig::default)
    }

    /// The dead queue of a route over Kafka or a mailbox.
    #[cfg(any(feature = "kafka", feature = "redis"))]
    pub(super) async fn dead_queue(&self, policy: Policy) -> Result<Option<DeadQueue>, RouteStartError> {
        let Some(name) = &self.route.dead_queue else { return Ok(None) };
        let queue = self.own_queue(name).await?;
        let dead_queue = DeadQueue::new(Arc::clone(&self.env.letter_box), queue, policy);
        Ok(Some(match self.route.server_of_source() {
            Some(server) => dead_queue.of_server(server),
            None => dead_queue,
        }))
    }

    #[cfg(any(feature = "kafka", feature = "redis"))]
    pub(super) async fn required_dead_queue(&self, policy: Policy) -> Result<DeadQueue, RouteStartError> {
        let rule = "is missing: the queue for the letters";
        let missing = RouteSettingsError::Combination { setting: "dead_queue", rule };
        Ok(self.dead_queue(policy).await?.ok_or(missing)?)
    }

    /// A queue of the route's namespace. One of another namespace is reported as missing: it must not be revealed.
    async fn own_queue(&self, name: &str) -> Result<QueueName, RouteStartError> {
        let name = queue_name("queue", name)?;
        let settings = self.env.store.queue(GetQueue { name: name.clone() }).await?;
        if settings.namespace.as_ref().map_or("", NamespaceName::as_str) != self.route.namespace {
            return Err(StoreError::Rejected(Rejection::NoSuchQueue(name)).into());
        }
        Ok(name)
    }
}

/// The policy of a queue without one: as many attempts as the queue allows.
fn default_policy(max_attempts: u32, classifier: &Arc<Classifier>) -> Result<Policy, Invalid> {
    let policy = Policy::builder().classifier(Arc::clone(classifier));
    // A queue's limit of 0 means unlimited.
    match AttemptLimit::at_most(max_attempts) {
        Ok(limit) => policy.limit(limit).build(),
        Err(_) => policy.build(),
    }
}

/// The longest duration of an attempt.
pub(super) fn timeout(handler: &dyn Handler, runner: &RunnerSettings) -> Span {
    handler.timeout().unwrap_or(Span::MAX).min(runner.timeout)
}

impl StartedRoute {
    pub(super) fn monitor(&self) -> RunnerMonitor {
        self.source.running().monitor()
    }

    pub(super) fn source_monitor(&self) -> Option<Arc<dyn SourceMonitor>> {
        self.monitor.clone()
    }

    pub(super) async fn set_paused(&self, is_paused: bool) {
        if is_paused { self.source.running().pause().await } else { self.source.running().resume().await }
    }

    /// Waits until the runner has ended.
    pub(super) async fn wait_for_end(&self) {
        self.source.running().wait_for_end().await;
    }

    /// Claims nothing new, and gives running calls their time, at most `within`. May be called again with less time.
    pub(super) async fn drain(&self, within: Option<Span>) {
        self.source.running().drain(within.unwrap_or(Span::MAX).min(self.drain)).await;
    }

    /// Leaves the source, after a drain.
    pub(super) async fn close(self) -> RunReport {
        self.source.close().await
    }
}

//! A started route: its source and the runner over it.

use std::sync::Arc;

use redrive_core::{AttemptLimit, BreakerConfig, Classifier, Invalid, NamespaceName, Policy, QueueName, Span};
use redrive_kafka::{ConsumerSnapshot, KafkaConsumer, KafkaIngest, KafkaSource, ShutdownPolicy};
use redrive_model::{GetQueue, Rejection};
use redrive_run::{DeadQueue, Handler, RunReport, Runner, RunnerMonitor, RunnerSettings, Running, StoreQueue};
use redrive_store::StoreError;

use super::environment::RouteEnvironment;
use super::settings::queue_name;
use super::{
    Connections, IngestRouteSource, KafkaRouteSource, QueueRouteSource, RouteOrigin, RouteSettings, RouteSettingsError,
    RouteStartError,
};
use crate::StartedTarget;
use crate::cluster::ClusterConnection;

pub(super) struct StartedRoute {
    source: StartedSource,
    /// How long running calls may take when the route stops.
    drain: Span,
    /// Keeps the target alive.
    _target: Option<Arc<StartedTarget>>,
}

enum StartedSource {
    Kafka(KafkaConsumer),
    Queue(Running),
    Ingest(KafkaIngest),
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
        if let Some(kafka) = &self.route.kafka {
            return self.start_kafka(kafka).await;
        }
        if let Some(queue) = &self.route.queue {
            return self.start_queue(queue).await;
        }
        match &self.route.ingest {
            Some(ingest) => self.start_ingest(ingest).await,
            None => Err(RouteSettingsError::Source.into()),
        }
    }

    async fn start_ingest(&self, ingest: &IngestRouteSource) -> Result<StartedRoute, RouteStartError> {
        let mut settings = ingest.settings.clone();
        ClusterConnection { bootstrap_servers: settings.bootstrap_servers, properties: settings.properties } =
            self.connections.cluster(&ingest.cluster)?;
        let rule = "is missing: the queue for the letters";
        let missing = RouteSettingsError::Combination { setting: "dead_queue", rule };
        let policy = Policy::default().with_classifier(Arc::clone(&self.env.classifier));
        let dead_queue = self.dead_queue(policy).await?.ok_or(missing)?;
        let ingest = KafkaIngest::start(settings, dead_queue).await?;
        Ok(StartedRoute { source: StartedSource::Ingest(ingest), drain: INGEST_DRAIN, _target: None })
    }

    async fn start_kafka(&self, kafka: &KafkaRouteSource) -> Result<StartedRoute, RouteStartError> {
        let mut settings = kafka.settings.clone();
        ClusterConnection { bootstrap_servers: settings.bootstrap_servers, properties: settings.properties } =
            self.connections.cluster(&kafka.cluster)?;
        settings.on_outage = self.route.on_outage;
        settings.check()?;
        let policy = match self.route.policy(&self.env.classifier)? {
            Some(policy) => policy,
            None => settings.policy()?,
        };
        let dead_queue = self.dead_queue(policy.clone()).await?;
        let (target, handler) = self.target().await?;
        let runner =
            RunnerSettings { breaker: Some(breaker(&policy)?), starts_paused: self.is_paused, ..settings.runner() };
        let drain = match settings.shutdown_policy {
            ShutdownPolicy::Graceful => settings.drain_timeout.max(timeout(&*handler, &runner)),
            ShutdownPolicy::Abort => Span::ZERO,
        };
        let clock = Arc::clone(&self.env.clock);
        let consumer = KafkaConsumer::start_with(settings, handler, policy, runner, dead_queue, clock).await?;
        Ok(StartedRoute { source: StartedSource::Kafka(consumer), drain, _target: Some(target) })
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
        let runner = RunnerSettings {
            concurrency: queue.concurrency,
            timeout: queue.timeout(),
            breaker: Some(breaker(&policy)?),
            on_outage: self.route.on_outage,
            starts_paused: self.is_paused,
            ..RunnerSettings::default()
        };
        let (target, handler) = self.target().await?;
        let drain = timeout(&*handler, &runner).max(runner.drain);
        let source = StoreQueue::new(store, name, queue.lease()).to(self.route.id().to_string());
        let runner = Runner::sharing(source, handler, policy, runner)?.with_clock(Arc::clone(&self.env.clock));
        let running = runner.start().await?;
        Ok(StartedRoute { source: StartedSource::Queue(running), drain, _target: Some(target) })
    }

    async fn target(&self) -> Result<(Arc<StartedTarget>, Arc<dyn Handler>), RouteStartError> {
        let name = self.route.target.as_deref().ok_or(RouteSettingsError::Target)?;
        let Connections { targets, clusters, .. } = &*self.connections;
        let settings = targets.get(name).ok_or(RouteSettingsError::Target)?;
        let target = self.env.targets.get(name, settings, clusters, &self.env.clock).await?;
        // The check has rejected targets for letters.
        let handler = target.work_handler().ok_or(RouteSettingsError::Target)?;
        Ok((target, handler))
    }

    /// The dead queue of a route over Kafka.
    async fn dead_queue(&self, policy: Policy) -> Result<Option<DeadQueue>, RouteStartError> {
        let Some(name) = &self.route.dead_queue else { return Ok(None) };
        let queue = self.own_queue(name).await?;
        Ok(Some(DeadQueue { letter_box: Arc::clone(&self.env.letter_box), queue, policy }))
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

/// A capture has at most this time to finish when an ingest stops. It is repeated without a second letter.
const INGEST_DRAIN: Span = Span::from_secs(5);

/// The policy of a queue without one: as many attempts as the queue allows.
fn default_policy(max_attempts: u32, classifier: &Arc<Classifier>) -> Result<Policy, Invalid> {
    let policy = Policy::builder().classifier(Arc::clone(classifier));
    // A queue's limit of 0 means unlimited.
    match AttemptLimit::at_most(max_attempts) {
        Ok(limit) => policy.limit(limit).build(),
        Err(_) => policy.build(),
    }
}

/// The breaker opens before the attempts of a single piece of work are spent, so that an outage which only one meets makes
/// no letter.
fn breaker(policy: &Policy) -> Result<BreakerConfig, Invalid> {
    let usual = BreakerConfig::default();
    let attempts = match policy.max_attempts() {
        AttemptLimit::AtMost(attempts) => attempts.get().max(2),
        AttemptLimit::Unlimited => u32::MAX,
    };
    usual.with_threshold(usual.threshold().min(attempts))
}

/// The longest duration of an attempt.
fn timeout(handler: &dyn Handler, runner: &RunnerSettings) -> Span {
    handler.timeout().unwrap_or(Span::MAX).min(runner.timeout)
}

impl StartedRoute {
    fn running(&self) -> &Running {
        match &self.source {
            StartedSource::Kafka(consumer) => consumer.running(),
            StartedSource::Queue(running) => running,
            StartedSource::Ingest(ingest) => ingest.running(),
        }
    }

    pub(super) fn monitor(&self) -> RunnerMonitor {
        self.running().monitor()
    }

    pub(super) fn consumer(&self) -> Option<KafkaSource> {
        match &self.source {
            StartedSource::Kafka(consumer) => Some(consumer.source().clone()),
            StartedSource::Queue(_) => None,
            StartedSource::Ingest(ingest) => Some(ingest.source().clone()),
        }
    }

    pub(super) async fn set_paused(&self, is_paused: bool) {
        if is_paused { self.running().pause().await } else { self.running().resume().await }
    }

    /// Waits until the runner has ended.
    pub(super) async fn wait_for_end(&self) {
        self.running().wait_for_end().await;
    }

    /// Claims nothing new, and gives running calls their time, at most `within`. May be called again with less time.
    pub(super) async fn drain(&self, within: Option<Span>) {
        self.running().drain(within.unwrap_or(Span::MAX).min(self.drain)).await;
    }

    /// Leaves the source, after a drain.
    pub(super) async fn close(self) -> RunReport {
        match self.source {
            StartedSource::Kafka(consumer) => consumer.stop().await,
            StartedSource::Queue(running) => running.ended().await,
            StartedSource::Ingest(ingest) => ingest.stop().await,
        }
    }

    /// What the consumer of a route over Kafka holds.
    pub(super) fn snapshot(&self) -> Option<ConsumerSnapshot> {
        self.consumer().map(|consumer| consumer.snapshot())
    }
}

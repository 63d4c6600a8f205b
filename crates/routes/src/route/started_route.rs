//! A started route: its source and the runner over it.

use std::sync::Arc;

use redrive_core::{NamespaceName, Policy, QueueName, Span};
use redrive_kafka::{DeadQueue, KafkaIngest, KafkaSource};
use redrive_model::{GetQueue, Rejection};
use redrive_run::{RunReport, Runner, RunnerMonitor, RunnerSettings, Running, StoreQueue};
use redrive_store::{Store, StoreError};

use super::connections::ClusterConnection;
use super::environment::RouteEnvironment;
use super::settings::queue_name;
use super::{
    IngestRouteSource, KafkaRouteSource, QueueRouteSource, RouteSettings, RouteSettingsError, RouteStartError,
};

pub(super) enum StartedRoute {
    Runner { running: Running, consumer: Option<KafkaSource>, drain: Span },
    Ingest(KafkaIngest),
}

impl StartedRoute {
    pub(super) async fn start(route: &RouteSettings, env: &RouteEnvironment) -> Result<Self, RouteStartError> {
        if let Some(kafka) = &route.kafka {
            return Self::start_kafka(route, kafka, env).await;
        }
        if let Some(queue) = &route.queue {
            return Self::start_queue(route, queue, env).await;
        }
        match &route.ingest {
            Some(ingest) => Self::start_ingest(route, ingest, env).await,
            None => Err(RouteSettingsError::Source.into()),
        }
    }

    async fn start_ingest(
        route: &RouteSettings,
        ingest: &IngestRouteSource,
        env: &RouteEnvironment,
    ) -> Result<Self, RouteStartError> {
        let mut settings = ingest.settings.clone();
        if let Some(name) = &ingest.cluster {
            ClusterConnection { bootstrap_servers: settings.bootstrap_servers, properties: settings.properties } =
                env.connections().cluster(name)?;
        }
        let rule = "is missing: the queue for the letters";
        let missing = RouteSettingsError::Combination { setting: "dead_queue", rule };
        let dead_queue = dead_queue(route, Policy::default(), env).await?.ok_or(missing)?;
        Ok(Self::Ingest(KafkaIngest::start(settings, dead_queue).await?))
    }

    async fn start_kafka(
        route: &RouteSettings,
        kafka: &KafkaRouteSource,
        env: &RouteEnvironment,
    ) -> Result<Self, RouteStartError> {
        let mut settings = kafka.settings.clone();
        if let Some(name) = &kafka.cluster {
            ClusterConnection { bootstrap_servers: settings.bootstrap_servers, properties: settings.properties } =
                env.connections().cluster(name)?;
        }
        settings.check()?;
        let policy = route.policy()?;
        let dead_queue = dead_queue(route, policy.clone(), env).await?;
        let handler = env.handler(route).await?;
        let runner = RunnerSettings { on_outage: route.on_outage, ..settings.runner() };
        let drain = settings.drain_timeout;
        let source = KafkaSource::open_with_clock(settings, dead_queue, Arc::clone(&env.clock)).await?;
        let started = Runner::sharing(source.clone(), handler, policy, runner)?.with_clock(Arc::clone(&env.clock));
        match started.start().await {
            Ok(running) => Ok(Self::Runner { running, consumer: Some(source), drain }),
            Err(error) => {
                source.close().await;
                Err(error.into())
            }
        }
    }

    async fn start_queue(
        route: &RouteSettings,
        queue: &QueueRouteSource,
        env: &RouteEnvironment,
    ) -> Result<Self, RouteStartError> {
        let (store, name) = match &queue.server {
            Some(server) => (env.connections().server(server)?, queue_name("queue.name", &queue.name)?),
            None => (Arc::clone(&env.store), own_queue(&*env.store, &queue.name, route).await?),
        };
        let settings = store.queue(GetQueue { name: name.clone() }).await?;
        if settings.dead_queue.is_none() {
            return Err(RouteStartError::NoDeadQueue(name.to_string()));
        }
        let runner = RunnerSettings {
            concurrency: queue.concurrency,
            timeout: queue.timeout(),
            on_outage: route.on_outage,
            ..RunnerSettings::default()
        };
        let drain = runner.drain;
        let handler = env.handler(route).await?;
        let source = StoreQueue::new(store, name, queue.lease()).to(route.id().to_string());
        let runner = Runner::sharing(source, handler, route.policy()?, runner)?.with_clock(Arc::clone(&env.clock));
        Ok(Self::Runner { running: runner.start().await?, consumer: None, drain })
    }

    fn running(&self) -> &Running {
        match self {
            Self::Runner { running, .. } => running,
            Self::Ingest(ingest) => ingest.running(),
        }
    }

    pub(super) fn monitor(&self) -> RunnerMonitor {
        self.running().monitor()
    }

    pub(super) fn consumer(&self) -> Option<KafkaSource> {
        match self {
            Self::Runner { consumer, .. } => consumer.clone(),
            Self::Ingest(ingest) => Some(ingest.source().clone()),
        }
    }

    pub(super) async fn set_paused(&self, is_paused: bool) {
        if is_paused { self.running().pause().await } else { self.running().resume().await }
    }

    /// Waits until the runner ends by itself.
    pub(super) async fn wait_for_end(&self) {
        self.running().wait_for_end().await;
    }

    /// Claims nothing new, waits for running calls, and leaves the source.
    pub(super) async fn stop(self) -> RunReport {
        match self {
            Self::Ingest(ingest) => ingest.stop().await,
            Self::Runner { running, consumer, drain } => {
                let report = running.stop(drain).await;
                if let Some(consumer) = consumer {
                    consumer.close().await;
                }
                report
            }
        }
    }
}

/// The dead queue of a route over Kafka.
async fn dead_queue(
    route: &RouteSettings,
    policy: Policy,
    env: &RouteEnvironment,
) -> Result<Option<DeadQueue>, RouteStartError> {
    let Some(name) = &route.dead_queue else { return Ok(None) };
    let queue = own_queue(&*env.store, name, route).await?;
    Ok(Some(DeadQueue { letter_box: Arc::clone(&env.letter_box), queue, policy }))
}

/// A queue of the route's namespace. One of another namespace is reported as missing: it must not be revealed.
async fn own_queue(store: &dyn Store, name: &str, route: &RouteSettings) -> Result<QueueName, RouteStartError> {
    let name = queue_name("queue", name)?;
    let settings = store.queue(GetQueue { name: name.clone() }).await?;
    if settings.namespace.as_ref().map_or("", NamespaceName::as_str) != route.namespace {
        return Err(StoreError::Rejected(Rejection::NoSuchQueue(name)).into());
    }
    Ok(name)
}

//! A started route: its source and the runner over it.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{AttemptLimit, Backoff, BreakerConfig, Classifier, Invalid, NamespaceName, Policy, QueueName, Span};
use redrive_kafka::{ConsumerSnapshot, KafkaConsumer, KafkaIngest, KafkaSource, ShutdownPolicy};
use redrive_mailbox::{MailboxBackend, MailboxSettings, MailboxSource};
use redrive_model::{GetQueue, Rejection};
use redrive_run::{DeadQueue, Handler, RunReport, Runner, RunnerMonitor, RunnerSettings, Running, StoreQueue};
use redrive_store::StoreError;

use super::environment::RouteEnvironment;
use super::settings::queue_name;
use super::{
    Connections, IngestRouteSource, KafkaRouteSource, MailboxRouteSource, QueueRouteSource, RouteOrigin, RouteSettings,
    RouteSettingsError, RouteStartError,
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
    Mailbox(Running, Arc<dyn MailboxBackend>),
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
        if let Some(mailbox) = &self.route.mailbox {
            return self.start_mailbox(mailbox).await;
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

    async fn start_mailbox(&self, mailbox: &MailboxRouteSource) -> Result<StartedRoute, RouteStartError> {
        let policy = match self.route.policy(&self.env.classifier)? {
            Some(policy) => policy,
            None => mailbox_policy(&self.env.classifier)?,
        };
        let redis = self.connections.redis(&mailbox.redis)?;
        let failed = |error| RouteStartError::Redis { name: mailbox.redis.clone(), error };
        let (name, client) = (mailbox.mailbox()?, redis.client().await.map_err(failed)?);
        let opened: Arc<dyn MailboxBackend> = client.mailbox(&name, mailbox.settings()?).await.map_err(failed)?;
        let (lease, clock) = (mailbox.lease(), Arc::clone(&self.env.clock));
        let source = match mailbox.letters()? {
            Some(letters) => {
                let settings = mailbox.letter_settings()?;
                // On one node with their mailbox. A server has only one.
                let letters = match redis.is_cluster() {
                    true => client.letters(&name, &letters, settings).await,
                    false => client.mailbox(&letters, settings).await,
                };
                MailboxSource::new(Arc::clone(&opened), letters.map_err(failed)?, lease, clock)?
            }
            None => {
                let rule = "is missing: the queue for the letters";
                let missing = RouteSettingsError::Combination { setting: "dead_queue", rule };
                let dead_queue = self.dead_queue(policy.clone()).await?.ok_or(missing)?;
                MailboxSource::with_dead_queue(Arc::clone(&opened), dead_queue, lease, clock)?
            }
        };
        let replies = redis.mailboxes("mailbox.replies", &mailbox.replies, MailboxSettings::of_replies())?;
        let source = source
            .to(self.route.id().to_string())
            .limited_to(policy.max_attempts())
            .replying_through(replies)
            .for_any_body();
        let runner = RunnerSettings {
            concurrency: mailbox.concurrency,
            timeout: mailbox.timeout(),
            breaker: Some(breaker(&policy)?),
            on_outage: self.route.on_outage,
            starts_paused: self.is_paused,
            ..RunnerSettings::default()
        };
        let (target, handler) = self.target().await?;
        let drain = timeout(&*handler, &runner).max(runner.drain);
        let runner = Runner::sharing(source, handler, policy, runner)?.with_clock(Arc::clone(&self.env.clock));
        let source = StartedSource::Mailbox(runner.start().await?, opened);
        Ok(StartedRoute { source, drain, _target: Some(target) })
    }

    async fn target(&self) -> Result<(Arc<StartedTarget>, Arc<dyn Handler>), RouteStartError> {
        let name = self.route.target.as_deref().ok_or(RouteSettingsError::Target)?;
        let settings = self.connections.targets.get(name).ok_or(RouteSettingsError::Target)?;
        let target = self.env.targets.get(name, settings, self.connections.origins(), &self.env.clock).await?;
        // The check has rejected targets for letters.
        let handler = target.work_handler().ok_or(RouteSettingsError::Target)?;
        Ok((target, handler))
    }

    /// The dead queue of a route over Kafka or a mailbox.
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

/// The policy of a mailbox without one: five attempts, with the delays of a mailbox.
fn mailbox_policy(classifier: &Arc<Classifier>) -> Result<Policy, Invalid> {
    let policy = Policy::builder().classifier(Arc::clone(classifier));
    policy.limit(AttemptLimit::of_mailbox(5)?).backoff(Backoff::MAILBOX).build()
}

/// How long the end of a route waits for messages that are being released.
const RELEASE_FOR: Duration = Duration::from_secs(2);

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
            StartedSource::Queue(running) | StartedSource::Mailbox(running, _) => running,
            StartedSource::Ingest(ingest) => ingest.running(),
        }
    }

    pub(super) fn monitor(&self) -> RunnerMonitor {
        self.running().monitor()
    }

    pub(super) fn consumer(&self) -> Option<KafkaSource> {
        match &self.source {
            StartedSource::Kafka(consumer) => Some(consumer.source().clone()),
            StartedSource::Queue(_) | StartedSource::Mailbox(..) => None,
            StartedSource::Ingest(ingest) => Some(ingest.source().clone()),
        }
    }

    /// The mailbox of a route over one.
    pub(super) fn mailbox(&self) -> Option<Arc<dyn MailboxBackend>> {
        match &self.source {
            StartedSource::Mailbox(_, mailbox) => Some(Arc::clone(mailbox)),
            StartedSource::Kafka(_) | StartedSource::Queue(_) | StartedSource::Ingest(_) => None,
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
            StartedSource::Mailbox(running, mailbox) => {
                let report = running.ended().await;
                // The process may end now, and must not take a lease with it of a message that no call got.
                if tokio::time::timeout(RELEASE_FOR, mailbox.in_transit().is_over()).await.is_err() {
                    tracing::warn!(mailbox = %mailbox.name(), "messages were not released in time; their leases will end");
                }
                report
            }
            StartedSource::Ingest(ingest) => ingest.stop().await,
        }
    }

    /// What the consumer of a route over Kafka holds.
    pub(super) fn snapshot(&self) -> Option<ConsumerSnapshot> {
        self.consumer().map(|consumer| consumer.snapshot())
    }
}

//! The settings of a consumer.

use std::collections::BTreeMap;
use std::fmt;

use redrive_core::{
    AttemptLimit, Backoff, BreakerConfig, Category, Invalid, Jitter, OnOutage, Policy, Problem, Span, Template,
};
use redrive_run::RunnerSettings;
use serde::{Deserialize, Serialize};

use crate::KafkaError;

/// The settings of a consumer. In configuration files, durations are in milliseconds and their names end in `_ms`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KafkaSettings {
    /// Addresses of brokers, separated by commas.
    pub bootstrap_servers: String,
    pub group_id: String,
    /// Names of topics. One that begins with `^` is a regular expression.
    pub topics: Vec<String>,
    pub ordering_mode: OrderingMode,

    /// Number of the last attempt, so the total number of attempts.
    pub max_retries: u32,
    #[serde(rename = "retry_backoff_ms", with = "millis")]
    pub retry_backoff: Span,
    pub exponential_backoff: bool,
    #[serde(rename = "max_retry_backoff_ms", with = "millis")]
    pub max_retry_backoff: Span,
    #[serde(rename = "retry_jitter_ms", with = "millis")]
    pub retry_jitter: Span,
    /// Maximum duration of an attempt.
    #[serde(rename = "task_timeout_ms", with = "millis")]
    pub task_timeout: Span,
    /// What happens to records that fail while the destination of the handler is down. `Pause` needs a circuit breaker,
    /// which the runner then has.
    pub on_outage: OnOutage,

    /// Permanent failures become letters. If false, they are logged and their records are done.
    pub dlq_enabled: bool,
    pub dlq_target: DlqTarget,
    pub dlq_topic_suffix: String,
    /// Topics for the letters of a category, instead of the topic with the suffix.
    pub dlq_routes: BTreeMap<Category, String>,
    /// Creates missing DLQ topics at the start.
    pub dlq_create_topics: bool,
    /// Partitions of a created DLQ topic; 0 for as many as its source topic has.
    pub dlq_partitions: u32,
    /// Replicas of a created DLQ topic; 0 for the default of the broker.
    pub dlq_replicas: u32,
    /// How long the broker has to confirm a letter.
    #[serde(rename = "dlq_delivery_timeout_ms", with = "millis")]
    pub dlq_delivery_timeout: Span,
    /// Commits letters and offsets in one transaction with this id, which must be unique to the process.
    pub dlq_transactional_id: Option<String>,

    /// Maximum number of handlers that run at the same time.
    pub max_in_flight: usize,
    /// Maximum number of records that are taken over from the client at once.
    pub poll_batch_size: usize,
    /// Maximum number of open records.
    pub queue_max_messages: usize,
    /// Maximum number of bytes of open records.
    pub queue_max_bytes: u64,
    /// Share of both limits, in percent, below which the consumer reads on.
    pub resume_percent: u8,

    #[serde(rename = "commit_interval_ms", with = "millis")]
    pub commit_interval: Span,
    pub offset_metadata: OffsetMetadata,
    /// Maximum length of the metadata of a commit. Brokers limit it to 4096 bytes by default.
    pub offset_metadata_bytes: usize,

    /// How long the records of a revoked partition may finish.
    #[serde(rename = "max_revoke_grace_ms", with = "millis")]
    pub max_revoke_grace: Span,
    /// How long running handlers may finish when the consumer stops.
    #[serde(rename = "drain_timeout_ms", with = "millis")]
    pub drain_timeout: Span,
    pub shutdown_policy: ShutdownPolicy,
    /// A record that blocks the commits of its partition for longer is logged.
    pub blocking_warn_seconds: u64,
    /// A record that blocks the commits of its partition for longer fails. Zero turns it off.
    #[serde(rename = "max_blocking_duration_ms", with = "millis")]
    pub max_blocking_duration: Span,

    /// Further properties of the client library for the consumer and the producer, for example `security.protocol`.
    pub properties: BTreeMap<String, String>,
    /// Further properties of the consumer alone.
    pub consumer_properties: BTreeMap<String, String>,
    /// Further properties of the producer of letters alone.
    pub producer_properties: BTreeMap<String, String>,
}

/// Which records wait for each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderingMode {
    /// Records of a partition with the same key. Records without a key wait for none.
    #[default]
    Key,
    /// All records of a partition.
    Partition,
    Unordered,
}

/// Where letters go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DlqTarget {
    /// To the DLQ topics. A record that is too large for its topic goes into the dead queue, if there is one.
    #[default]
    Topic,
    /// Into the dead queue that the consumer was opened with.
    Queue,
    /// To the DLQ topics, then into the dead queue. A record is done when both have its letter.
    Both,
}

impl DlqTarget {
    pub(crate) const fn has_topics(self) -> bool {
        matches!(self, Self::Topic | Self::Both)
    }

    pub(crate) const fn has_queue(self) -> bool {
        matches!(self, Self::Queue | Self::Both)
    }
}

/// What a commit stores beside its position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OffsetMetadata {
    /// The records above the position that are done: they are not processed again after a restart.
    #[default]
    CompletionMap,
    ContiguousOnly,
}

/// What happens to running handlers when the consumer stops.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShutdownPolicy {
    /// They may finish within `drain_timeout`.
    #[default]
    Graceful,
    /// They are stopped at once.
    Abort,
}

/// Without the values of properties: some are secrets.
impl fmt::Debug for KafkaSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |properties: &BTreeMap<String, String>| properties.keys().cloned().collect::<Vec<_>>();
        f.debug_struct("KafkaSettings")
            .field("bootstrap_servers", &self.bootstrap_servers)
            .field("group_id", &self.group_id)
            .field("topics", &self.topics)
            .field("properties", &names(&self.properties))
            .field("consumer_properties", &names(&self.consumer_properties))
            .field("producer_properties", &names(&self.producer_properties))
            .finish_non_exhaustive()
    }
}

impl Default for KafkaSettings {
    fn default() -> Self {
        Self {
            bootstrap_servers: String::new(),
            group_id: String::new(),
            topics: Vec::new(),
            ordering_mode: OrderingMode::Key,
            max_retries: 3,
            retry_backoff: Span::from_secs(1),
            exponential_backoff: true,
            max_retry_backoff: Span::from_secs(30),
            retry_jitter: Span::from_millis(200),
            task_timeout: Span::from_secs(30),
            on_outage: OnOutage::DeadLetter,
            dlq_enabled: true,
            dlq_target: DlqTarget::Topic,
            dlq_topic_suffix: ".dlq".to_owned(),
            dlq_routes: BTreeMap::new(),
            dlq_create_topics: false,
            dlq_partitions: 0,
            dlq_replicas: 0,
            dlq_delivery_timeout: Span::from_secs(5),
            dlq_transactional_id: None,
            max_in_flight: 1_000,
            poll_batch_size: 1_000,
            queue_max_messages: 5_000,
            queue_max_bytes: 64 << 20,
            resume_percent: 70,
            commit_interval: Span::from_secs(1),
            offset_metadata: OffsetMetadata::CompletionMap,
            offset_metadata_bytes: 4_000,
            max_revoke_grace: Span::from_millis(500),
            drain_timeout: Span::from_secs(5),
            shutdown_policy: ShutdownPolicy::Graceful,
            blocking_warn_seconds: 5,
            max_blocking_duration: Span::ZERO,
            properties: BTreeMap::new(),
            consumer_properties: BTreeMap::new(),
            producer_properties: BTreeMap::new(),
        }
    }
}

/// Properties of the client library that the consumer itself sets, with the setting to use instead.
const OWN_PROPERTIES: &[(&str, &str)] = &[
    ("bootstrap.servers", "bootstrap_servers"),
    ("metadata.broker.list", "bootstrap_servers"),
    ("group.id", "group_id"),
    ("enable.auto.commit", "commit_interval_ms; positions are committed when records are done"),
    ("auto.commit.interval.ms", "commit_interval_ms"),
    ("enable.auto.offset.store", "commit_interval_ms; positions are committed when records are done"),
    ("acks", "nothing: a letter is confirmed by all replicas"),
    ("request.required.acks", "nothing: a letter is confirmed by all replicas"),
    ("enable.idempotence", "nothing: the producer is always idempotent"),
    ("delivery.timeout.ms", "dlq_delivery_timeout_ms"),
    ("message.timeout.ms", "dlq_delivery_timeout_ms"),
    ("transactional.id", "dlq_transactional_id"),
    ("delivery.report.only.error", "nothing: every letter needs its report"),
    ("topic.blacklist", "another regular expression in topics"),
];

impl KafkaSettings {
    /// Settings with defaults for everything else.
    pub fn new(bootstrap_servers: impl Into<String>, group_id: impl Into<String>, topic: impl Into<String>) -> Self {
        Self {
            bootstrap_servers: bootstrap_servers.into(),
            group_id: group_id.into(),
            topics: vec![topic.into()],
            ..Self::default()
        }
    }

    /// Checks the settings, without a connection.
    pub fn check(&self) -> Result<(), Invalid> {
        let has_no_suffix = self.dlq_enabled && self.dlq_topic_suffix.is_empty();
        let required = [
            ("bootstrap_servers", self.bootstrap_servers.trim().is_empty(), "host:port, several separated by commas"),
            ("group_id", self.group_id.is_empty(), "the name of a consumer group"),
            ("topics", self.topics.is_empty(), "one topic or more"),
            ("dlq_topic_suffix", has_no_suffix, "a suffix: without one, letters would go back to their topic"),
        ];
        if let Some((field, _, allowed)) = required.into_iter().find(|(_, is_missing, _)| *is_missing) {
            return Err(Invalid::missing(field, allowed));
        }
        for pattern in self.topics.iter().filter(|topic| topic.starts_with('^')) {
            if regex::Regex::new(pattern).is_err() {
                return Err(Invalid::new("topics", Problem::Malformed, pattern, "names, and regular expressions"));
            }
        }
        for topic in self.topics.iter().filter(|topic| !topic.starts_with('^')) {
            check_topic("topics", topic)?;
            if self.dlq_enabled && self.dlq_target.has_topics() {
                let dlq = format!("{topic}{}", self.dlq_topic_suffix);
                check_topic("dlq_topic_suffix", &dlq)?;
                if self.topics.contains(&dlq) {
                    let allowed = "topics without the letters of the consumer";
                    return Err(Invalid::new("topics", Problem::Contradiction, dlq, allowed));
                }
            }
        }
        AttemptLimit::of_kafka_consumer(self.max_retries)?;
        if self.retry_backoff > self.max_retry_backoff {
            let allowed = format!("at most max_retry_backoff_ms ({})", self.max_retry_backoff);
            return Err(Invalid::new("retry_backoff_ms", Problem::Contradiction, self.retry_backoff, allowed));
        }
        self.check_dlq()?;
        range("max_in_flight", self.max_in_flight, 1, RunnerSettings::CONCURRENCY_MAX)?;
        range("poll_batch_size", self.poll_batch_size, 1, 100_000)?;
        range("queue_max_messages", self.queue_max_messages, 1, 10_000_000)?;
        range("queue_max_bytes", self.queue_max_bytes, 1, 1 << 40)?;
        range("resume_percent", self.resume_percent, 1, 100)?;
        range("offset_metadata_bytes", self.offset_metadata_bytes, 64, 1 << 20)?;
        span("commit_interval_ms", self.commit_interval, Span::from_millis(1), Span::from_hours(1))?;
        span("task_timeout_ms", self.task_timeout, Span::from_millis(1), Span::from_days(1))?;
        span("max_revoke_grace_ms", self.max_revoke_grace, Span::ZERO, Span::from_mins(1))?;
        span("drain_timeout_ms", self.drain_timeout, Span::ZERO, Span::from_hours(1))?;
        let properties = [&self.properties, &self.consumer_properties, &self.producer_properties];
        check_properties(properties.into_iter().flat_map(BTreeMap::keys))
    }

    fn check_dlq(&self) -> Result<(), Invalid> {
        if !self.dlq_enabled {
            return self.check_unused("nothing while dlq_enabled is false");
        }
        if !self.dlq_target.has_topics() {
            self.check_unused("nothing while dlq_target is queue")?;
        }
        if !self.dlq_create_topics && (self.dlq_partitions > 0 || self.dlq_replicas > 0) {
            let field = if self.dlq_partitions > 0 { "dlq_partitions" } else { "dlq_replicas" };
            return Err(Invalid::new(field, Problem::Contradiction, "a value", "0 while dlq_create_topics is false"));
        }
        if self.dlq_transactional_id.is_some() {
            let needed = [
                ("dlq_target", self.dlq_target == DlqTarget::Topic, "topic"),
                ("offset_metadata", self.offset_metadata == OffsetMetadata::CompletionMap, "completion_map"),
            ];
            if let Some((field, _, needed)) = needed.into_iter().find(|(_, is_met, _)| !is_met) {
                let allowed = format!("{needed}, since dlq_transactional_id is set");
                return Err(Invalid::new(field, Problem::Contradiction, "another value", allowed));
            }
        }
        check_topic("dlq_topic_suffix", &format!("x{}", self.dlq_topic_suffix))?;
        for topic in self.dlq_routes.values() {
            check_topic("dlq_routes", topic)?;
            if self.topics.contains(topic) {
                let allowed = "a topic that the consumer does not read";
                return Err(Invalid::new("dlq_routes", Problem::Contradiction, topic, allowed));
            }
        }
        span("dlq_delivery_timeout_ms", self.dlq_delivery_timeout, Span::from_millis(10), Span::from_hours(1))
    }

    /// Checks that the client library accepts the properties, without a connection.
    pub fn check_properties(&self) -> Result<(), KafkaError> {
        let checked = self.consumer_config().create_native_config();
        checked.map(drop).map_err(|error| KafkaError::client("checking the properties", &error))
    }

    /// Rejects settings of DLQ topics that have no effect.
    fn check_unused(&self, allowed: &str) -> Result<(), Invalid> {
        let unused = [
            ("dlq_routes", !self.dlq_routes.is_empty()),
            ("dlq_create_topics", self.dlq_create_topics),
            ("dlq_transactional_id", self.dlq_transactional_id.is_some()),
            ("producer_properties", !self.producer_properties.is_empty()),
        ];
        match unused.into_iter().find(|(_, is_set)| *is_set) {
            Some((field, _)) => Err(Invalid::new(field, Problem::Contradiction, "a value", allowed)),
            None => Ok(()),
        }
    }

    /// The policy of the settings: attempts and their delays.
    pub fn policy(&self) -> Result<Policy, Invalid> {
        let backoff = if self.exponential_backoff {
            Backoff::exponential(self.retry_backoff, 2.0)?.capped(self.max_retry_backoff)?
        } else {
            Backoff::fixed(self.retry_backoff)
        };
        let policy = Template::named("kafka-consumer")?.builder()?;
        policy
            .limit(AttemptLimit::of_kafka_consumer(self.max_retries)?)
            .backoff(backoff.with_jitter(Jitter::Additive(self.retry_jitter)))
            .build()
    }

    /// How long a record may block its partition; `None` if that is not limited.
    pub(crate) fn blocking_limit(&self) -> Option<Span> {
        Some(self.max_blocking_duration).filter(|longest| !longest.is_zero())
    }

    /// The settings of a runner over the consumer. It has a circuit breaker only if it pauses in an outage: all records
    /// have one destination, and failures of some keys must not stop the others.
    pub fn runner(&self) -> RunnerSettings {
        RunnerSettings {
            concurrency: self.max_in_flight,
            timeout: self.task_timeout,
            drain: self.drain_timeout,
            breaker: (self.on_outage == OnOutage::Pause).then(BreakerConfig::default),
            on_outage: self.on_outage,
            ..RunnerSettings::default()
        }
    }
}

pub(crate) fn range<T: PartialOrd + Copy + std::fmt::Display>(
    field: &'static str,
    value: T,
    least: T,
    most: T,
) -> Result<(), Invalid> {
    if value < least || value > most {
        return Err(Invalid::new(field, Problem::OutOfRange, value, format!("{least} to {most}")));
    }
    Ok(())
}

pub(crate) fn span(field: &'static str, value: Span, least: Span, most: Span) -> Result<(), Invalid> {
    range(field, value, least, most)
}

/// Checks a topic by the rules of the broker.
pub(crate) fn check_topic(field: &'static str, topic: &str) -> Result<(), Invalid> {
    if is_topic(topic) {
        return Ok(());
    }
    Err(Invalid::new(field, Problem::OutOfRange, topic, "1 to 249 letters, digits, '.', '_' or '-'"))
}

/// Whether a broker accepts the name of a topic.
pub(crate) fn is_topic(topic: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    !topic.is_empty() && topic.len() <= 249 && topic != "." && topic != ".." && topic.bytes().all(is_plain)
}

/// Rejects properties of the client library that have a setting.
pub(crate) fn check_properties<'p>(names: impl IntoIterator<Item = &'p String>) -> Result<(), Invalid> {
    for name in names {
        if let Some((name, instead)) = OWN_PROPERTIES.iter().find(|(own, _)| own == name) {
            let allowed = format!("instead of it, {instead}");
            return Err(Invalid::new("properties", Problem::Contradiction, name, allowed));
        }
    }
    Ok(())
}

/// Durations as whole milliseconds.
pub(crate) mod millis {
    use redrive_core::Span;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(crate) fn serialize<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(span.as_micros() / 1_000)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        Ok(Span::from_millis(u64::deserialize(deserializer)?))
    }
}

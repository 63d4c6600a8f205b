//! The settings of an ingest.

use std::collections::BTreeMap;
use std::fmt;

use redrive_core::{AttemptLimit, Backoff, BreakerConfig, Invalid, Policy, Span};
use redrive_run::RunnerSettings;
use serde::{Deserialize, Serialize};

use crate::KafkaSettings;
use crate::settings::{DlqTarget, OrderingMode};

/// The DLQ topics that are read into letters. The names are those of [`KafkaSettings`].
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct IngestSettings {
    /// Addresses of brokers, separated by commas.
    pub bootstrap_servers: String,
    pub group_id: String,
    /// Names of DLQ topics. One that begins with `^` is a regular expression.
    pub topics: Vec<String>,
    /// Maximum number of records that are captured at the same time.
    pub max_in_flight: usize,
    /// Maximum number of records without a letter that are held in memory.
    pub queue_max_messages: usize,
    /// The same in bytes.
    pub queue_max_bytes: u64,
    /// A record without a letter for longer makes the ingest unhealthy, even if its capture has not failed.
    pub blocking_warn_seconds: u64,
    /// Further properties of the client library, for example `security.protocol`.
    pub properties: BTreeMap<String, String>,
}

impl Default for IngestSettings {
    fn default() -> Self {
        let KafkaSettings { max_in_flight, queue_max_messages, queue_max_bytes, blocking_warn_seconds, .. } =
            KafkaSettings::default();
        Self {
            bootstrap_servers: String::new(),
            group_id: String::new(),
            topics: Vec::new(),
            max_in_flight,
            queue_max_messages,
            queue_max_bytes,
            blocking_warn_seconds,
            properties: BTreeMap::new(),
        }
    }
}

impl IngestSettings {
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
        self.consumer().check()
    }

    /// Letters of different records are independent: nothing waits for another record. A record that the runner gives up
    /// in spite of the policy goes to the dead queue as it is.
    pub(super) fn consumer(&self) -> KafkaSettings {
        KafkaSettings {
            bootstrap_servers: self.bootstrap_servers.clone(),
            group_id: self.group_id.clone(),
            topics: self.topics.clone(),
            ordering_mode: OrderingMode::Unordered,
            dlq_target: DlqTarget::Queue,
            max_in_flight: self.max_in_flight,
            queue_max_messages: self.queue_max_messages,
            queue_max_bytes: self.queue_max_bytes,
            blocking_warn_seconds: self.blocking_warn_seconds,
            properties: self.properties.clone(),
            ..KafkaSettings::default()
        }
    }

    /// No record is given up, whatever its capture fails with.
    pub(super) fn policy() -> Result<Policy, Invalid> {
        let backoff = Backoff::exponential(Span::from_millis(100), 2.0)?.capped(RETRY_MAX)?;
        Policy::builder().limit(AttemptLimit::Unlimited).backoff_for_all(backoff).build()
    }

    /// While the dead queue takes nothing, the breaker stops all captures but one.
    pub(super) fn runner(&self) -> Result<RunnerSettings, Invalid> {
        let consumer = self.consumer();
        let breaker = BreakerConfig::new(BREAKER_FAILURES, Span::from_secs(1), 1)?;
        Ok(RunnerSettings { breaker: Some(breaker), ..consumer.runner() })
    }
}

/// The longest delay between two captures of a record.
const RETRY_MAX: Span = Span::from_secs(5);
/// Failures in a row that show that the dead queue takes nothing.
const BREAKER_FAILURES: u32 = 5;

/// Without the values of properties: some are secrets.
impl fmt::Debug for IngestSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IngestSettings")
            .field("bootstrap_servers", &self.bootstrap_servers)
            .field("group_id", &self.group_id)
            .field("topics", &self.topics)
            .field("properties", &self.properties.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

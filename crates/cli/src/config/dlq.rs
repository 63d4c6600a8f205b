//! The settings about letters: capture, retention, retries, search.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use redrive_core::{
    BreakerConfig, Classifier, CustomBackoff, Invalid, Jitter, MovedPolicy, OnDuplicate, OnFull, OnLostDependency,
    Policy, QueueName, RetryPolicy, Secret, Span, Strategy,
};
use redrive_model::{LetterOverrides, LetterSettingKey, LetterSettings};
use redrive_run::{ProcessorSettings, RunnerSettings};
use serde::{Serialize, Serializer};

use super::ranges::check_range;
use super::targets::{LetterTarget, NamedTargets};

/// Dead letters and their retries. A key can also be written at the top level, as in dlq_max_parallel.
#[derive(Debug, Clone, confique::Config, Serialize)]
pub(crate) struct Dlq {
    /// Capture failures as letters, and retry letters.
    #[config(env = "REDRIVE_DLQ_ENABLED", default = true)]
    pub(crate) enabled: bool,
    /// Failures that become letters: "automatic" (all), "selective" (manual captures, and automatic ones of the
    /// categories transient, network and resource), "manual" (manual captures only) or "disabled" (none). A queue can
    /// override this setting and the following ones, up to custom_backoff, with: redrive letters configure.
    #[config(env = "REDRIVE_DLQ_INTEGRATION_STRATEGY", default = "automatic")]
    pub(crate) integration_strategy: Strategy,
    /// Retry policy of a manual capture that has neither a policy nor a category: "never", "linear", "exponential",
    /// "immediate" or "custom".
    #[config(env = "REDRIVE_DLQ_DEFAULT_RETRY_POLICY", default = "exponential")]
    pub(crate) default_retry_policy: RetryPolicy,
    /// Maximum retries of a letter that sets no other number: 0 to 10.
    #[config(env = "REDRIVE_DLQ_DEFAULT_MAX_RETRIES", default = 3)]
    pub(crate) default_max_retries: u32,
    /// Maximum live letters per queue: 100 to 100000, or more with allow_large.
    #[config(env = "REDRIVE_DLQ_MAX_SIZE", default = 10_000)]
    pub(crate) max_size: u64,
    /// Allow a max_size above 100000.
    #[config(env = "REDRIVE_DLQ_ALLOW_LARGE", default = false)]
    pub(crate) allow_large: bool,
    /// Capture into a full queue: "reject" it, or "overflow" to store the letter and schedule it when there is room.
    #[config(env = "REDRIVE_DLQ_ON_FULL", default = "reject")]
    pub(crate) on_full: OnFull,
    /// Second failure with the same source id: "merge" it into the existing letter, "reject" it, or store a letter of a
    /// "new_generation".
    #[config(env = "REDRIVE_DLQ_ON_DUPLICATE", default = "merge")]
    pub(crate) on_duplicate: OnDuplicate,
    /// Effect of a dependency that is exhausted, archived or removed on the letter that waits for it: "wait" (it keeps
    /// waiting), "release" (as if the dependency were completed) or "exhaust" (it becomes exhausted).
    #[config(env = "REDRIVE_DLQ_ON_LOST_DEPENDENCY", default = "wait")]
    pub(crate) on_lost_dependency: OnLostDependency,
    /// Retention of completed letters, in seconds: 0 to 3153600000.
    #[config(env = "REDRIVE_DLQ_COMPLETED_RETENTION_SECONDS", default = 604_800)]
    pub(crate) completed_retention_seconds: u64,
    /// Retention of archived letters, in seconds: 0 to 3153600000. Unset: forever.
    #[config(env = "REDRIVE_DLQ_ARCHIVE_RETENTION_SECONDS")]
    pub(crate) archive_retention_seconds: Option<u64>,
    /// Time after which an exhausted letter is archived automatically, in seconds: 0 to 3153600000. Unset: never.
    #[config(env = "REDRIVE_DLQ_AUTO_ARCHIVE_EXHAUSTED_SECONDS")]
    pub(crate) auto_archive_exhausted_seconds: Option<u64>,
    /// Maximum size of the content of a letter, in bytes: 1024 to 67108864.
    #[config(env = "REDRIVE_DLQ_MAX_LETTER_BYTES", default = 1_048_576)]
    pub(crate) max_letter_bytes: u64,
    /// Retry policy of items that a queue moves to its dead queue when they die: "auto" (the policy of their category
    /// if the dead queue has a target other than origin, else "never"), "category" (in any case), "never", "linear",
    /// "exponential", "immediate" or "custom".
    #[config(env = "REDRIVE_DLQ_MOVED_RETRY_POLICY", default = "auto")]
    pub(crate) moved_retry_policy: MovedPolicy,
    /// Maximum retries of these items: 0 to 100.
    #[config(env = "REDRIVE_DLQ_MOVED_MAX_RETRIES", default = 3)]
    pub(crate) moved_max_retries: u32,
    /// Delays of the retry policy "custom": "list 1s 5s 1m", "linear base=5m step=5m cap=1h",
    /// "exponential base=1m factor=2 cap=1h", or "cel" with an expression over n, the number of failed retries, that
    /// returns seconds, as in "cel n < 3 ? 10 : 600". A delay is at most 720h. Unset: only queues with their own
    /// custom_backoff accept the policy "custom".
    #[config(env = "REDRIVE_DLQ_CUSTOM_BACKOFF")]
    #[serde(serialize_with = "as_text")]
    pub(crate) custom_backoff: Option<CustomBackoff>,
    /// Start the automatic retries of letters with the server.
    #[config(env = "REDRIVE_DLQ_RETRY_PROCESSOR_ENABLED", default = true)]
    pub(crate) retry_processor_enabled: bool,
    /// Maximum time between two polls for due letters, in seconds: 10 to 3600. A letter that is due earlier is retried
    /// on time. It is also the delay of the policy "immediate" after a failed retry.
    #[config(env = "REDRIVE_DLQ_RETRY_INTERVAL_SECONDS", default = 60)]
    pub(crate) retry_interval_seconds: u64,
    /// Maximum concurrent retries per queue: 1 to 1024.
    #[config(env = "REDRIVE_DLQ_MAX_PARALLEL", default = 16)]
    pub(crate) max_parallel: usize,
    /// Timeout of a retry, in seconds: 1 to 86400.
    #[config(env = "REDRIVE_DLQ_ATTEMPT_TIMEOUT_SECONDS", default = 300)]
    pub(crate) attempt_timeout_seconds: u64,
    /// Duration of the claim on a letter, in seconds: 5 to 3600. The claim is extended while the retry runs.
    #[config(env = "REDRIVE_DLQ_LEASE_SECONDS", default = 60)]
    pub(crate) lease_seconds: u64,
    /// Time for running retries to finish when the server stops, in seconds: 0 to 600.
    #[config(env = "REDRIVE_DLQ_DRAIN_DEADLINE_SECONDS", default = 30)]
    pub(crate) drain_deadline_seconds: u64,
    /// Different letters in a row of failures that open the circuit breaker of their destination: 1 to 1000.
    #[config(env = "REDRIVE_DLQ_BREAKER_THRESHOLD", default = 5)]
    pub(crate) breaker_threshold: u32,
    /// Longest wait between probes of a destination whose circuit breaker is open, in seconds: 1 to 3600.
    #[config(env = "REDRIVE_DLQ_BREAKER_OPEN_SECONDS", default = 10)]
    pub(crate) breaker_open_seconds: u64,
    /// Retries that probe such a destination at a time: 1 to 100.
    #[config(env = "REDRIVE_DLQ_BREAKER_PROBES", default = 1)]
    pub(crate) breaker_probes: u32,
    /// Maximum random extension of the delay before a retry, in percent: 0 to 100. It spreads the retries of letters that
    /// failed at the same time.
    #[config(env = "REDRIVE_DLQ_JITTER_PERCENT", default = 0)]
    pub(crate) jitter_percent: u64,
    /// Live letters above which health and statistics report a queue as degraded. 0: never.
    #[config(env = "REDRIVE_DLQ_DEGRADED_DEPTH", default = 0)]
    pub(crate) degraded_depth: u64,
    /// Age of the oldest pending letter above which a queue is reported as degraded, in seconds. 0: never.
    #[config(env = "REDRIVE_DLQ_DEGRADED_AGE_SECONDS", default = 0)]
    pub(crate) degraded_age_seconds: u64,
    /// Targets of retries, one per queue. Only in the file. A target is target = "NAME" of a [targets.NAME] section, or
    /// one of http = "URL", grpc = "ENDPOINT" with method = "/package.Service/Method", worker = ["PROGRAM", "ARGUMENT"]
    /// with processes = 1, and origin = true (the queue from which the letter came).
    /// Example: [{ queue = "orders-dead", http = "http://127.0.0.1:9000/orders" }]
    #[config(default = [])]
    #[serde(serialize_with = "count")]
    pub(crate) targets: Vec<LetterTarget>,
    /// URL of OpenSearch, as in "https://localhost:9200". The server indexes letters there: they can be searched, and
    /// restored from the index. Unset: no index.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_URL")]
    pub(crate) opensearch_url: Option<String>,
    /// Name of the index alias: 1 to 200 characters of a-z, 0-9, '_', '-', '.'.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_INDEX", default = "redrive_dlq")]
    pub(crate) opensearch_index: String,
    /// User name for OpenSearch, together with opensearch_password.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_USER")]
    pub(crate) opensearch_user: Option<String>,
    /// Password of opensearch_user.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_PASSWORD")]
    #[serde(serialize_with = "masked")]
    pub(crate) opensearch_password: Option<Secret>,
    /// API key for OpenSearch, instead of user and password.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_API_KEY")]
    #[serde(serialize_with = "masked")]
    pub(crate) opensearch_api_key: Option<Secret>,
    /// PEM file with certificates to trust in addition to the system's certificates.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_CA_FILE")]
    pub(crate) opensearch_ca_file: Option<PathBuf>,
    /// Timeout of a request to OpenSearch, in seconds: 1 to 600.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_TIMEOUT_SECONDS", default = 30)]
    pub(crate) opensearch_timeout_seconds: u64,
    /// Primary shards of a new index: 1 to 1024.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_SHARDS", default = 1)]
    pub(crate) opensearch_shards: u32,
    /// Replicas of each shard of a new index: 0 to 100.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_REPLICAS", default = 1)]
    pub(crate) opensearch_replicas: u32,
    /// Reject a capture unless OpenSearch has indexed the letter. Otherwise the letter is stored at once and indexed
    /// later.
    #[config(env = "REDRIVE_DLQ_FAIL_ON_OPENSEARCH_UNAVAILABLE", default = false)]
    pub(crate) fail_on_opensearch_unavailable: bool,
}

impl Dlq {
    pub(crate) fn degraded_depth(&self) -> Option<u64> {
        Some(self.degraded_depth).filter(|depth| *depth > 0)
    }

    pub(crate) fn degraded_age(&self) -> Option<Span> {
        Some(Span::from_secs(self.degraded_age_seconds)).filter(|age| !age.is_zero())
    }

    pub(crate) const fn drain_deadline(&self) -> Span {
        Span::from_secs(self.drain_deadline_seconds)
    }

    /// The default letter settings of queues. Fails if a number of the section is out of range.
    pub(crate) fn letter_settings(&self, targets: &NamedTargets) -> Result<LetterSettings> {
        let store = LetterSettings {
            is_enabled: self.enabled,
            allows_large: self.allow_large,
            retry_interval: Span::from_secs(self.retry_interval_seconds),
            ..LetterSettings::default()
        };
        let (values, mut set) = (self.values()?, LetterOverrides::default());
        self.check_ranges(&values)?;
        for key in LetterSettingKey::ALL {
            if let Some(value) = values.get(key.name()) {
                let wrong = |Invalid { allowed, .. }| anyhow!("dlq.{} is {value}; allowed: {allowed}", key.name());
                key.set(&mut set, &store, value).map_err(wrong)?;
            }
        }
        let policies = [("default", Some(self.default_retry_policy)), ("moved", self.moved_retry_policy.named())];
        for (name, policy) in policies {
            if policy == Some(RetryPolicy::Custom) && self.custom_backoff.is_none() {
                let remedy = "set it, or use another policy";
                bail!("dlq.{name}_retry_policy is custom, which needs dlq.custom_backoff; {remedy}");
            }
        }
        Ok(LetterSettings {
            retried_queues: Arc::new(self.retried_queues(targets)?),
            jitter_percent: u8::try_from(self.jitter_percent)?,
            ..set.over(&store)
        })
    }

    /// The queues whose letters are retried at a target. A letter that goes back to the queue where it died would die
    /// there again, and come back as a new letter with all its retries.
    fn retried_queues(&self, targets: &NamedTargets) -> Result<BTreeSet<QueueName>> {
        let mut queues = BTreeSet::new();
        for target in &self.targets {
            if !target.resolve(targets)?.settings().origin {
                queues.insert(target.queue()?);
            }
        }
        Ok(queues)
    }

    /// The range of `max_size` depends on `allow_large`.
    fn check_ranges(&self, values: &BTreeMap<String, String>) -> Result<()> {
        let is_unused = |key: &str| key == "opensearch_timeout_seconds" && self.opensearch_url.is_none();
        for (key, value) in values.iter().filter(|(key, _)| *key != "max_size" && !is_unused(key)) {
            if let Ok(number) = value.parse() {
                check_range(key, number)?;
            }
        }
        Ok(())
    }

    /// Whether letters are retried automatically.
    pub(crate) const fn is_processing(&self) -> bool {
        self.enabled && self.retry_processor_enabled
    }

    /// The settings of the retry processor, whose ranges are checked by [`letter_settings`](Self::letter_settings).
    pub(crate) fn processor(&self, classifier: Arc<Classifier>) -> Result<ProcessorSettings> {
        let open = Span::from_secs(self.breaker_open_seconds);
        let breaker = BreakerConfig::new(self.breaker_threshold, open, self.breaker_probes)?;
        let runner = RunnerSettings {
            concurrency: self.max_parallel,
            timeout: Span::from_secs(self.attempt_timeout_seconds),
            breaker: Some(breaker),
            drain: self.drain_deadline(),
            ..RunnerSettings::default()
        };
        Ok(ProcessorSettings {
            runner,
            lease: Span::from_secs(self.lease_seconds),
            policy: Policy::builder()
                .classifier(classifier)
                .jitter(Jitter::additive_percent(u8::try_from(self.jitter_percent)?)?)
                .build()?,
            interval: Span::from_secs(self.retry_interval_seconds),
        })
    }
}

fn as_text<S: Serializer>(delays: &Option<CustomBackoff>, serializer: S) -> Result<S::Ok, S::Error> {
    delays.as_ref().map(CustomBackoff::as_str).serialize(serializer)
}

fn masked<S: Serializer>(secret: &Option<Secret>, serializer: S) -> Result<S::Ok, S::Error> {
    secret.as_ref().map(|_| "********").serialize(serializer)
}

/// The number of targets. Addresses and commands may contain secrets, and belong to queues of other tenants.
fn count<S: Serializer>(targets: &[LetterTarget], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{} queues", targets.len()))
}

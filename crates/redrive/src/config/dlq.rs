//! How letters are retried.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use redrive_core::{
    BreakerConfig, CustomBackoff, Invalid, Jitter, OnDuplicate, OnFull, OnLostDependency, Policy, QueueName,
    RetryPolicy, Span, Strategy,
};
use redrive_model::{LetterSettingKey, LetterSettings};
use redrive_run::{ProcessorSettings, RunnerSettings};
use redrive_search::SearchSecret;
use serde::Deserialize;

use super::ranges::within;

/// Retries of letters. Each key may also be written at the top, as dlq_max_parallel.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Dlq {
    /// Whether failures are kept as letters at all.
    #[config(env = "REDRIVE_DLQ_ENABLED", default = true)]
    pub(crate) enabled: bool,
    /// Which failures become letters where a queue says nothing: "automatic" (all), "selective" (transient, network,
    /// resource), "manual" (only what is handed over) or "disabled". This and the next ones can be told otherwise for
    /// each queue: redrive letters configure.
    #[config(env = "REDRIVE_DLQ_INTEGRATION_STRATEGY", default = "automatic")]
    pub(crate) integration_strategy: Strategy,
    /// The policy of failures that are handed over without a policy and without a category: "never", "linear",
    /// "exponential", "immediate" or "custom".
    #[config(env = "REDRIVE_DLQ_DEFAULT_RETRY_POLICY", default = "exponential")]
    pub(crate) default_retry_policy: RetryPolicy,
    /// How often a letter is retried that does not say so itself: 0 to 10.
    #[config(env = "REDRIVE_DLQ_DEFAULT_MAX_RETRIES", default = 3)]
    pub(crate) default_max_retries: u32,
    /// So many live letters a queue takes: 100 to 100000, more only with allow_large.
    #[config(env = "REDRIVE_DLQ_MAX_SIZE", default = 10_000)]
    pub(crate) max_size: u64,
    /// Whether queues may be larger than that.
    #[config(env = "REDRIVE_DLQ_ALLOW_LARGE", default = false)]
    pub(crate) allow_large: bool,
    /// What a failure gets when its queue is full: "reject", or "overflow" to keep it and schedule it when there is room.
    #[config(env = "REDRIVE_DLQ_ON_FULL", default = "reject")]
    pub(crate) on_full: OnFull,
    /// What another failure of the same work gets: "merge" with the letter that is there, "reject", or "new_generation".
    #[config(env = "REDRIVE_DLQ_ON_DUPLICATE", default = "merge")]
    pub(crate) on_duplicate: OnDuplicate,
    /// What a letter gets that waits for one which is exhausted, archived or gone: "wait", "release" to go on as if that one
    /// were completed, or "exhaust".
    #[config(env = "REDRIVE_DLQ_ON_LOST_DEPENDENCY", default = "wait")]
    pub(crate) on_lost_dependency: OnLostDependency,
    /// How long completed letters are kept.
    #[config(env = "REDRIVE_DLQ_COMPLETED_RETENTION_SECONDS", default = 604_800)]
    pub(crate) completed_retention_seconds: u64,
    /// How long archived letters are kept; for ever, if nothing is said.
    #[config(env = "REDRIVE_DLQ_ARCHIVE_RETENTION_SECONDS")]
    pub(crate) archive_retention_seconds: Option<u64>,
    /// How long after it became exhausted a letter is archived by itself; never, if nothing is said.
    #[config(env = "REDRIVE_DLQ_AUTO_ARCHIVE_EXHAUSTED_SECONDS")]
    pub(crate) auto_archive_exhausted_seconds: Option<u64>,
    /// How large the content of a letter may be: 1024 to 67108864.
    #[config(env = "REDRIVE_DLQ_MAX_LETTER_BYTES", default = 1_048_576)]
    pub(crate) max_letter_bytes: u64,
    /// The delays of letters whose policy is "custom": "list 1s 5s 1m", "linear base=5m step=5m cap=1h",
    /// "exponential base=1m factor=2 cap=1h", or "cel" and an expression of n, the failed retries, that gives seconds, as in
    /// "cel n < 3 ? 10 : 600". None is longer than 720h. Without it only queues that say so themselves have such letters.
    #[config(env = "REDRIVE_DLQ_CUSTOM_BACKOFF")]
    pub(crate) custom_backoff: Option<CustomBackoff>,
    /// Whether letters are retried by themselves when the server starts.
    #[config(env = "REDRIVE_DLQ_RETRY_PROCESSOR_ENABLED", default = true)]
    pub(crate) retry_processor_enabled: bool,
    /// How often letters are looked for at least; what is due earlier is retried at its time: 10 to 3600. Also the delay of
    /// the policy "immediate" once a retry has failed.
    #[config(env = "REDRIVE_DLQ_RETRY_INTERVAL_SECONDS", default = 60)]
    pub(crate) retry_interval_seconds: u64,
    /// So many letters of a queue are retried at a time: 1 to 1024.
    #[config(env = "REDRIVE_DLQ_MAX_PARALLEL", default = 16)]
    pub(crate) max_parallel: usize,
    /// A retry that takes longer has failed: 1 to 86400.
    #[config(env = "REDRIVE_DLQ_ATTEMPT_TIMEOUT_SECONDS", default = 300)]
    pub(crate) attempt_timeout_seconds: u64,
    /// How long a letter is claimed for a retry; the claim is kept up while it runs: 5 to 3600.
    #[config(env = "REDRIVE_DLQ_LEASE_SECONDS", default = 60)]
    pub(crate) lease_seconds: u64,
    /// How long retries may take to end when the server is stopped: 0 to 600.
    #[config(env = "REDRIVE_DLQ_DRAIN_DEADLINE_SECONDS", default = 30)]
    pub(crate) drain_deadline_seconds: u64,
    /// After so many failures in a row a destination is not asked for a while: 1 to 1000.
    #[config(env = "REDRIVE_DLQ_BREAKER_THRESHOLD", default = 5)]
    pub(crate) breaker_threshold: u32,
    /// For how long: 1 to 3600.
    #[config(env = "REDRIVE_DLQ_BREAKER_OPEN_SECONDS", default = 10)]
    pub(crate) breaker_open_seconds: u64,
    /// So many letters try whether it answers again: 1 to 100.
    #[config(env = "REDRIVE_DLQ_BREAKER_PROBES", default = 1)]
    pub(crate) breaker_probes: u32,
    /// By up to so many percent the time before a retry is longer, by chance: 0 to 100. What failed together does not come
    /// back together then.
    #[config(env = "REDRIVE_DLQ_JITTER_PERCENT", default = 0)]
    pub(crate) jitter_percent: u64,
    /// A queue with more live letters than this is told to be degraded by health and statistics; 0 for never.
    #[config(env = "REDRIVE_DLQ_DEGRADED_DEPTH", default = 0)]
    pub(crate) degraded_depth: u64,
    /// So is one whose oldest pending letter has waited longer; 0 for never.
    #[config(env = "REDRIVE_DLQ_DEGRADED_AGE_SECONDS", default = 0)]
    pub(crate) degraded_age_seconds: u64,
    /// Where the letters of a queue are retried; in a file only. One of http = "URL", grpc = "ENDPOINT" with
    /// method = "/package.Service/Method", worker = ["PROGRAM", "ARGUMENT"] with processes = 1, or origin = true (the
    /// queue that they came from). For instance: [{ queue = "orders-dead", http = "http://127.0.0.1:9000/orders" }]
    #[config(default = [])]
    pub(crate) targets: Vec<Target>,
    /// Where OpenSearch listens, as in "https://localhost:9200": letters are kept there, too, to be searched and restored
    /// from. Without it they are not.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_URL")]
    pub(crate) opensearch_url: Option<String>,
    /// The alias under which letters are searched: 1 to 200 of a-z, 0-9, '_', '-', '.'.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_INDEX", default = "redrive_dlq")]
    pub(crate) opensearch_index: String,
    /// Who we are there: a user with a password,
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_USER")]
    pub(crate) opensearch_user: Option<String>,
    /// and the password,
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_PASSWORD")]
    pub(crate) opensearch_password: Option<SearchSecret>,
    /// or an API key.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_API_KEY")]
    pub(crate) opensearch_api_key: Option<SearchSecret>,
    /// A file with certificates to trust besides those of the machine, in PEM.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_CA_FILE")]
    pub(crate) opensearch_ca_file: Option<PathBuf>,
    /// The longest that a request to it may take: 1 to 600.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_TIMEOUT_SECONDS", default = 30)]
    pub(crate) opensearch_timeout_seconds: u64,
    /// The shards of an index that is made: 1 to 1024.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_SHARDS", default = 1)]
    pub(crate) opensearch_shards: u32,
    /// The copies of each shard besides the first: 0 to 100.
    #[config(env = "REDRIVE_DLQ_OPENSEARCH_REPLICAS", default = 1)]
    pub(crate) opensearch_replicas: u32,
    /// Refuse to capture a letter that OpenSearch does not take; without it the letter is kept, and OpenSearch hears of it
    /// later.
    #[config(env = "REDRIVE_DLQ_FAIL_ON_OPENSEARCH_UNAVAILABLE", default = false)]
    pub(crate) fail_on_opensearch_unavailable: bool,
}

/// Where the letters of a queue are retried.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Target {
    queue: String,
    http: Option<String>,
    grpc: Option<String>,
    method: Option<String>,
    worker: Option<Vec<String>>,
    processes: Option<usize>,
    #[serde(default)]
    origin: bool,
}

/// What a target is, once it makes sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Way {
    Http { url: String },
    Grpc { endpoint: String, method: String },
    Worker { program: PathBuf, arguments: Vec<String>, processes: usize },
    Origin,
}

impl Target {
    pub(crate) fn queue(&self) -> Result<QueueName> {
        let name = &self.queue;
        QueueName::new(name).with_context(|| format!("dlq.targets: '{name}' cannot be the name of a queue"))
    }

    pub(crate) fn way(&self) -> Result<Way> {
        let queue = &self.queue;
        if self.method.is_some() && self.grpc.is_none() {
            bail!("dlq.targets: '{queue}' has a method, which only a grpc target has");
        }
        if self.processes.is_some() && self.worker.is_none() {
            bail!("dlq.targets: '{queue}' has processes, which only a worker has");
        }
        match (&self.http, &self.grpc, &self.worker, self.origin) {
            (Some(url), None, None, false) => Ok(Way::Http { url: url.clone() }),
            (None, Some(endpoint), None, false) => {
                let method = self.method.clone().with_context(|| {
                    format!("dlq.targets: '{queue}' has no method; say which with method = \"/package.Service/Method\"")
                })?;
                Ok(Way::Grpc { endpoint: endpoint.clone(), method })
            }
            (None, None, Some(command), false) => {
                let (program, arguments) = command
                    .split_first()
                    .with_context(|| format!("dlq.targets: the worker of '{queue}' names no program"))?;
                let processes = self.processes.unwrap_or(1);
                Ok(Way::Worker { program: program.into(), arguments: arguments.to_vec(), processes })
            }
            (None, None, None, true) => Ok(Way::Origin),
            _ => bail!("dlq.targets: '{queue}' needs one of http, grpc, worker or origin = true, and only one"),
        }
    }
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

    /// How letters are treated where their queue says nothing, if that is within bounds.
    pub(crate) fn treatment(&self) -> Result<LetterSettings> {
        within("default_max_retries", u64::from(self.default_max_retries))?;
        LetterSettingKey::size(&self.max_size.to_string(), self.allow_large).map_err(|invalid| {
            let Invalid { field, value, allowed, .. } = invalid;
            anyhow!("dlq.{field} is {value}; allowed: {allowed}")
        })?;
        within("completed_retention_seconds", self.completed_retention_seconds)?;
        within("archive_retention_seconds", self.archive_retention_seconds.unwrap_or_default())?;
        within("auto_archive_exhausted_seconds", self.auto_archive_exhausted_seconds.unwrap_or_default())?;
        within("max_letter_bytes", self.max_letter_bytes)?;
        if self.default_retry_policy == RetryPolicy::Custom && self.custom_backoff.is_none() {
            bail!("dlq.default_retry_policy is custom; set dlq.custom_backoff, too, to say what that is");
        }
        Ok(LetterSettings {
            is_enabled: self.enabled,
            strategy: self.integration_strategy,
            default_policy: self.default_retry_policy,
            max_retries: self.default_max_retries,
            max_size: Some(self.max_size),
            allows_large: self.allow_large,
            on_full: self.on_full,
            on_duplicate: self.on_duplicate,
            completed_retention: Span::from_secs(self.completed_retention_seconds),
            archive_retention: self.archive_retention_seconds.map(Span::from_secs),
            letter_bytes_max: Some(self.max_letter_bytes),
            jitter_percent: self.jitter_percent()?,
            retry_interval: Span::from_secs(self.retry_interval_seconds),
            on_lost_dependency: self.on_lost_dependency,
            auto_archive: self.auto_archive_exhausted_seconds.map(Span::from_secs),
            custom_backoff: self.custom_backoff.clone(),
            ..LetterSettings::default()
        })
    }

    fn jitter_percent(&self) -> Result<u8> {
        within("jitter_percent", self.jitter_percent)?;
        Ok(u8::try_from(self.jitter_percent)?)
    }

    /// Whether letters are retried by themselves.
    pub(crate) const fn is_processing(&self) -> bool {
        self.enabled && self.retry_processor_enabled
    }

    /// How letters are retried, if the numbers are within their bounds.
    pub(crate) fn processor(&self) -> Result<ProcessorSettings> {
        within("retry_interval_seconds", self.retry_interval_seconds)?;
        within("max_parallel", self.max_parallel as u64)?;
        within("attempt_timeout_seconds", self.attempt_timeout_seconds)?;
        within("lease_seconds", self.lease_seconds)?;
        within("drain_deadline_seconds", self.drain_deadline_seconds)?;
        within("breaker_threshold", u64::from(self.breaker_threshold))?;
        within("breaker_open_seconds", self.breaker_open_seconds)?;
        within("breaker_probes", u64::from(self.breaker_probes))?;
        let open = Span::from_secs(self.breaker_open_seconds);
        let breaker = BreakerConfig::new(self.breaker_threshold, open, self.breaker_probes)?;
        let runner = RunnerSettings {
            concurrency: self.max_parallel,
            timeout: Span::from_secs(self.attempt_timeout_seconds),
            breaker,
            drain: self.drain_deadline(),
            ..RunnerSettings::default()
        };
        Ok(ProcessorSettings {
            runner,
            lease: Span::from_secs(self.lease_seconds),
            policy: Policy::builder().jitter(Jitter::additive_percent(self.jitter_percent()?)?).build()?,
            interval: Span::from_secs(self.retry_interval_seconds),
        })
    }
}

//! The settings of the server. `redrive config template` prints their doc comments.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use redrive_core::{Policy, Span};
use redrive_embedded::{AnswerLimits, EmbeddedOptions};
use redrive_routes::{ClusterSettings, RedisServerSettings, ServerSettings};
use redrive_run::ProcessorSettings;
use redrive_server::{AuthMode, Bootstrap, ConfigSource, ConfiguredSetting, KeyScope, Settings, TlsFiles};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::{Classify, Dlq, NamedTargets, RouteSections, SettingSources};

/// Configuration of the Redrive server. Precedence: flag > environment variable > this file > default.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Config {
    #[config(nested)]
    pub(crate) server: Server,
    #[config(nested)]
    pub(crate) auth: Auth,
    #[config(nested)]
    pub(crate) store: Store,
    #[config(nested)]
    pub(crate) dlq: Dlq,
    /// Targets by name. Only in the file, one section for each: [targets.NAME] with http = "URL", grpc = "ENDPOINT",
    /// worker = ["PROGRAM", "ARGUMENT"] or origin = true, and its settings. See docs/targets.md.
    #[config(default = {})]
    pub(crate) targets: NamedTargets,
    /// Kafka clusters by name, for routes and targets. Only in the file, one section for each: [clusters.NAME] with
    /// bootstrap_servers = "HOST:PORT" and properties = { "security.protocol" = "SASL_SSL" }. See docs/routes.md.
    #[config(default = {})]
    pub(crate) clusters: BTreeMap<String, ClusterSettings>,
    /// Other Redrive servers by name. Only in the file, one section for each: [servers.NAME] with url =
    /// "https://HOST:PORT" and key = { file = "FILE" }. See docs/routes.md.
    #[config(default = {})]
    pub(crate) servers: BTreeMap<String, ServerSettings>,
    /// Redis servers by name. Only in the file, one section for each: [redis.NAME] with url = "redis://HOST:PORT" and
    /// password = { file = "FILE" }. See docs/routes.md.
    #[config(default = {})]
    pub(crate) redis: BTreeMap<String, RedisServerSettings>,
    /// Routes from sources to targets. Only in the file, one section for each: [[routes]] with name = "NAME", target =
    /// "NAME", and [routes.kafka], [routes.queue] or [routes.mailbox] for its source. See docs/routes.md.
    #[config(default = [])]
    pub(crate) routes: RouteSections,
    #[config(nested)]
    pub(crate) classify: Classify,
    #[config(nested)]
    pub(crate) log: Log,
    #[cfg(feature = "test-mode")]
    #[config(nested)]
    pub(crate) test_mode: TestMode,
}

/// The HTTP API.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Server {
    /// Address and port to listen on. Port 0 selects a free port.
    #[config(env = "REDRIVE_LISTEN", default = "127.0.0.1:2319")]
    pub(crate) listen: SocketAddr,
    /// Authentication of callers: "none", or "internal" for API keys and roles that are stored in the server.
    #[config(env = "REDRIVE_AUTH", default = "none")]
    pub(crate) auth: AuthMode,
    /// Host names of the server, in addition to "localhost" and IP addresses. A request with another Host header is
    /// rejected with 403: it may come from a web page that uses DNS rebinding.
    #[config(env = "REDRIVE_HOSTS", default = [], parse_env = confique::env::parse::list_by_comma)]
    pub(crate) hosts: Vec<String>,
    /// Origins that may call the server from a browser, as in `https://console.example`.
    #[config(env = "REDRIVE_ORIGINS", default = [], parse_env = confique::env::parse::list_by_comma)]
    pub(crate) origins: Vec<String>,
    /// Prefix of API keys: 1 to 16 lower case letters and digits. Keys with another prefix are rejected.
    #[config(env = "REDRIVE_KEY_PREFIX", default = "rdr")]
    pub(crate) key_prefix: String,
    /// Maximum number of audit records, at least 1. The oldest are removed first.
    #[config(env = "REDRIVE_AUDIT_RECORDS_MAX", default = 100_000)]
    pub(crate) audit_records_max: usize,
    /// Allow auth = "none" on an address that other machines can reach. Every caller then has full access.
    #[config(env = "REDRIVE_ALLOW_ANONYMOUS", default = false)]
    pub(crate) allow_anonymous: bool,
    /// Certificate file in PEM. Together with tls_key, it enables TLS.
    #[config(env = "REDRIVE_TLS_CERTIFICATE")]
    pub(crate) tls_certificate: Option<PathBuf>,
    /// Private key file in PEM.
    #[config(env = "REDRIVE_TLS_KEY")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Maximum concurrent connections, at least 1. Waiting leases may use half of them. Further connections get health
    /// and metrics only.
    #[config(env = "REDRIVE_CONNECTIONS_MAX", default = 1000)]
    pub(crate) connections_max: usize,
    /// Maximum size of all request bodies in memory, in bytes. Further requests are rejected as "overloaded".
    #[config(env = "REDRIVE_BODIES_BYTES_MAX", default = 256_000_000)]
    pub(crate) bodies_bytes_max: usize,
    /// Maximum size of a produce request, in bytes.
    #[config(env = "REDRIVE_PRODUCE_BYTES_MAX", default = 5_000_000)]
    pub(crate) produce_bytes_max: usize,
    /// Maximum items per produce request.
    #[config(env = "REDRIVE_PRODUCE_BATCH_MAX", default = 1000)]
    pub(crate) produce_batch_max: usize,
    /// Maximum items per lease request.
    #[config(env = "REDRIVE_LEASE_BATCH_MAX", default = 1000)]
    pub(crate) lease_batch_max: usize,
    /// Maximum items per complete or retry request.
    #[config(env = "REDRIVE_COMPLETE_BATCH_MAX", default = 1000)]
    pub(crate) complete_batch_max: usize,
    /// Time for requests to finish when the server stops.
    #[config(env = "REDRIVE_SHUTDOWN_GRACE", default = "10s")]
    pub(crate) shutdown_grace: Span,
}

/// API keys and roles, for `server.auth = "internal"`.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Auth {
    /// Scope of an API key of a namespace: "strict" for that namespace only, or "querator" for `_system` as well (on a
    /// loopback address only).
    #[config(env = "REDRIVE_AUTH_SCOPE", default = "strict")]
    pub(crate) scope: KeyScope,
    /// The first administrator of a new store: "key" creates the user `admin` and prints its API key to stderr once;
    /// "anonymous" gives full access to callers without a key (on a loopback address only).
    #[config(env = "REDRIVE_AUTH_BOOTSTRAP", default = "key")]
    pub(crate) bootstrap: Bootstrap,
    /// File with the API key of the user `admin`. The server then creates and prints none.
    #[config(env = "REDRIVE_ADMIN_KEY_FILE")]
    pub(crate) admin_key_file: Option<PathBuf>,
}

/// Storage of items and letters.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Store {
    /// Directory of the embedded store. Created if it does not exist.
    #[config(env = "REDRIVE_DATA_DIR", default = "./redrive-data")]
    pub(crate) data_dir: PathBuf,
    /// Keep all data in memory. It is lost when the process ends.
    #[config(env = "REDRIVE_MEMORY", default = false)]
    pub(crate) memory: bool,
    /// Size of the cache of the newest payloads, in bytes.
    #[config(env = "REDRIVE_CACHE_BYTES", default = 67_108_864)]
    pub(crate) cache_bytes: usize,
    /// Size of a journal segment, in bytes, at least 65536. It is also the maximum size of a request.
    #[config(env = "REDRIVE_SEGMENT_BYTES", default = 67_108_864)]
    pub(crate) segment_bytes: usize,
    /// Maximum requests that wait for the store. Further requests are rejected as "overloaded".
    #[config(env = "REDRIVE_REQUESTS_MAX", default = 4096)]
    pub(crate) requests_max: usize,
    /// How long the response to a put with a request_id is kept, so that the put can be repeated; "0s" disables it.
    #[config(env = "REDRIVE_ANSWERS_KEPT", default = "10m")]
    pub(crate) answers_kept: Span,
    /// Maximum memory for kept responses, in bytes. The oldest are removed first.
    #[config(env = "REDRIVE_ANSWERS_BYTES_MAX", default = 67_108_864)]
    pub(crate) answers_bytes_max: usize,
    /// Free disk space below which the disk is reported as low, in bytes; 0: ten times the reserve of the store, at most a
    /// tenth of the file system.
    #[config(env = "REDRIVE_DISK_LOW_BYTES", default = 0)]
    pub(crate) disk_low_bytes: u64,
}

/// The log, on stderr.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Log {
    /// Log level: error, warn, info, debug, trace, or per module as in "info,redrive_server=debug".
    #[config(env = "REDRIVE_LOG", default = "info")]
    pub(crate) level: String,
    /// Log format: "text" or "json".
    #[config(env = "REDRIVE_LOG_FORMAT", default = "text")]
    pub(crate) format: LogFormat,
}

/// Test mode, for tests of clients: a second listener controls the server's clock. Not for production.
#[cfg(feature = "test-mode")]
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct TestMode {
    /// Allow `redrive serve --control ADDRESS`.
    #[config(env = "REDRIVE_TEST_MODE", default = false)]
    pub(crate) enabled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    Text,
    Json,
}

/// The levels of a log, as errors describe them.
const LEVELS: &str = "error, warn, info, debug, trace, or per module as in info,redrive_server=debug";

impl Log {
    /// The filter of log events. Fails if the level is invalid.
    pub(crate) fn filter(&self) -> Result<EnvFilter> {
        let level = &self.level;
        log_filter(level).ok_or_else(|| anyhow!("log.level '{level}' is invalid; allowed: {LEVELS}"))
    }
}

/// Checks a log level of the command line.
pub(crate) fn parse_log_level(text: &str) -> Result<String, String> {
    log_filter(text).map(|_| text.to_owned()).ok_or_else(|| format!("allowed: {LEVELS}"))
}

fn log_filter(level: &str) -> Option<EnvFilter> {
    // `EnvFilter` would take an unknown level for a module, and log all of its events.
    let is_level = |part: &str| part.trim().parse::<LevelFilter>().is_ok();
    let are_levels = level.split(',').filter(|part| !part.contains(['=', '['])).all(is_level);
    EnvFilter::try_new(level).ok().filter(|_| are_levels)
}

pub(crate) type ConfigLayer = <Config as confique::Config>::Layer;

impl Config {
    /// The server's settings. Fails if two settings exclude each other.
    pub(crate) fn settings(&self, sources: &SettingSources) -> Result<Settings> {
        let server = &self.server;
        let tls = match (&server.tls_certificate, &server.tls_key) {
            (Some(certificate), Some(key)) => Some(TlsFiles { certificate: certificate.clone(), key: key.clone() }),
            (None, None) => None,
            _ => bail!("TLS needs both server.tls_certificate and server.tls_key; only one of them is set"),
        };
        let is_open = server.auth == AuthMode::None && !server.allow_anonymous;
        if !server.listen.ip().is_loopback() && is_open {
            let address = server.listen;
            bail!(
                "{address} is reachable from other machines, and server.auth is 'none'\n  \
                 require API keys with --auth internal, allow anonymous access by --allow-anonymous, or listen on {}",
                SocketAddr::new(IpAddr::from([127, 0, 0, 1]), address.port()),
            );
        }
        if self.auth.scope == KeyScope::Querator && !server.listen.ip().is_loopback() {
            bail!(
                "auth.scope 'querator' extends the keys of a namespace, and is allowed on a loopback address only; \
                 use 'strict'"
            );
        }
        if self.auth.bootstrap == Bootstrap::Anonymous && !server.listen.ip().is_loopback() {
            bail!(
                "auth.bootstrap 'anonymous' gives full access without a key, and is allowed on a loopback address \
                 only; use 'key'"
            );
        }
        if self.auth.bootstrap == Bootstrap::Anonymous && self.auth.admin_key_file.is_some() {
            bail!(
                "auth.bootstrap 'anonymous' creates no administrator's key; remove auth.admin_key_file, or use 'key'"
            );
        }
        Ok(Settings {
            listen: server.listen,
            tls,
            connections_max: server.connections_max,
            bodies_bytes_max: server.bodies_bytes_max,
            produce_body_max: server.produce_bytes_max,
            produce_batch_max: server.produce_batch_max,
            lease_batch_max: server.lease_batch_max,
            complete_batch_max: server.complete_batch_max,
            auth: server.auth,
            bootstrap: self.auth.bootstrap,
            admin_key_file: self.auth.admin_key_file.clone(),
            key_scope: self.auth.scope,
            hosts: server.hosts.clone(),
            origins: server.origins.clone(),
            key_prefix: server.key_prefix.clone(),
            audit_records_max: server.audit_records_max,
            shutdown_grace: server.shutdown_grace,
            degraded_depth: self.dlq.degraded_depth(),
            degraded_age: self.dlq.degraded_age(),
            disk_low_bytes: Some(self.store.disk_low_bytes).filter(|bytes| *bytes > 0),
            letters: self.dlq.letter_settings(&self.targets)?,
            policy: Policy::builder().classifier(self.classify.classifier()?).build()?,
            configured: self.configured(sources)?,
        })
    }

    /// The settings about letters with their sources, including the classification rules.
    fn configured(&self, sources: &SettingSources) -> Result<Vec<ConfiguredSetting>> {
        let mut configured = self.dlq.configured(sources)?;
        // Rules can only come from a file.
        let source = if self.classify.rules.is_empty() { ConfigSource::Default } else { ConfigSource::File };
        configured.push(ConfiguredSetting { name: "classify.rules".to_owned(), value: self.classify.names(), source });
        Ok(configured)
    }

    /// The settings of the retry processor. Fails if one of them is invalid.
    pub(crate) fn processor(&self) -> Result<ProcessorSettings> {
        self.dlq.processor(self.classify.classifier()?)
    }

    /// The options of the embedded store. Fails if a letter setting is invalid.
    pub(crate) fn options(&self) -> Result<EmbeddedOptions> {
        let Store { cache_bytes, segment_bytes, requests_max, answers_kept, answers_bytes_max, .. } = self.store;
        let letters = self.dlq.letter_settings(&self.targets)?;
        let answers = AnswerLimits { kept: answers_kept, bytes_max: answers_bytes_max };
        Ok(EmbeddedOptions { cache_bytes, segment_bytes, requests_max, letters, answers, ..EmbeddedOptions::default() })
    }
}

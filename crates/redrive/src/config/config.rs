//! The settings that there are. Their comments are the template that `redrive config template` prints.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use redrive_core::Span;
use redrive_embedded::{AnswerLimits, EmbeddedOptions};
use redrive_server::{AuthMode, Bootstrap, KeyScope, Settings, TlsFiles};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::{Dlq, Sources};

/// Redrive's configuration. Every setting has a default; the environment goes before this file, flags before both.
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
    #[config(nested)]
    pub(crate) log: Log,
    #[config(nested)]
    pub(crate) test_mode: TestMode,
}

/// The HTTP API.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Server {
    /// Where it listens; port 0 takes any that is free.
    #[config(env = "REDRIVE_LISTEN", default = "127.0.0.1:2319")]
    pub(crate) listen: SocketAddr,
    /// Whether callers must show who they are: "none", or "internal" for keys and roles that the server keeps.
    #[config(env = "REDRIVE_AUTH", default = "none")]
    pub(crate) auth: AuthMode,
    /// Names under which the server is called, besides "localhost" and addresses. A request for another one is refused: a
    /// web page could have made it.
    #[config(env = "REDRIVE_HOSTS", default = [], parse_env = confique::env::parse::list_by_comma)]
    pub(crate) hosts: Vec<String>,
    /// Sites whose pages may call the server from a browser, as in `https://console.example`.
    #[config(env = "REDRIVE_ORIGINS", default = [], parse_env = confique::env::parse::list_by_comma)]
    pub(crate) origins: Vec<String>,
    /// How new API keys begin: lower case letters and digits. Keys that begin otherwise are not taken.
    #[config(env = "REDRIVE_KEY_PREFIX", default = "rdr")]
    pub(crate) key_prefix: String,
    /// So many audit records are kept; then the oldest go.
    #[config(env = "REDRIVE_AUDIT_RECORDS_MAX", default = 100_000)]
    pub(crate) audit_records_max: usize,
    /// Whether everybody who can reach the server may use it, where it listens on more than this machine.
    #[config(env = "REDRIVE_ALLOW_ANONYMOUS", default = false)]
    pub(crate) allow_anonymous: bool,
    /// The certificate in PEM; with it and its key, the API is served over TLS.
    #[config(env = "REDRIVE_TLS_CERTIFICATE")]
    pub(crate) tls_certificate: Option<PathBuf>,
    /// The private key in PEM.
    #[config(env = "REDRIVE_TLS_KEY")]
    pub(crate) tls_key: Option<PathBuf>,
    /// So many connections are served at a time; leases wait on half of them at most. Beyond them, only health and
    /// metrics are answered.
    #[config(env = "REDRIVE_CONNECTIONS_MAX", default = 1000)]
    pub(crate) connections_max: usize,
    /// How many bytes the bodies of all requests may have together; more are answered "overloaded".
    #[config(env = "REDRIVE_BODIES_BYTES_MAX", default = 256_000_000)]
    pub(crate) bodies_bytes_max: usize,
    /// How many bytes a produce request may have.
    #[config(env = "REDRIVE_PRODUCE_BYTES_MAX", default = 5_000_000)]
    pub(crate) produce_bytes_max: usize,
    /// How many items one request may produce.
    #[config(env = "REDRIVE_PRODUCE_BATCH_MAX", default = 1000)]
    pub(crate) produce_batch_max: usize,
    /// How many items one request may lease.
    #[config(env = "REDRIVE_LEASE_BATCH_MAX", default = 1000)]
    pub(crate) lease_batch_max: usize,
    /// How many items one request may complete or retry.
    #[config(env = "REDRIVE_COMPLETE_BATCH_MAX", default = 1000)]
    pub(crate) complete_batch_max: usize,
    /// How long requests may take to end when the server is stopped.
    #[config(env = "REDRIVE_SHUTDOWN_GRACE", default = "10s")]
    pub(crate) shutdown_grace: Span,
}

/// What keys and roles are good for, where `server.auth` is "internal".
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Auth {
    /// Where a key is good that was made for one namespace: "strict" for there alone, or "querator" for `_system` as well.
    #[config(env = "REDRIVE_AUTH_SCOPE", default = "strict")]
    pub(crate) scope: KeyScope,
    /// Who may do everything on a new server: "key" for an administrator, whose key the first start writes to stderr, or
    /// "anonymous" for whoever shows no key.
    #[config(env = "REDRIVE_AUTH_BOOTSTRAP", default = "key")]
    pub(crate) bootstrap: Bootstrap,
    /// A file with the administrator's key. Then none is made, and nothing is written to stderr.
    #[config(env = "REDRIVE_ADMIN_KEY_FILE")]
    pub(crate) admin_key_file: Option<PathBuf>,
}

/// Where items and letters are kept.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Store {
    /// The folder of the embedded store; it is made if it is not there.
    #[config(env = "REDRIVE_DATA_DIR", default = "./redrive-data")]
    pub(crate) data_dir: PathBuf,
    /// Keep everything in memory: fast, and gone with the process.
    #[config(env = "REDRIVE_MEMORY", default = false)]
    pub(crate) memory: bool,
    /// How many bytes of the newest payloads are kept at hand.
    #[config(env = "REDRIVE_CACHE_BYTES", default = 67_108_864)]
    pub(crate) cache_bytes: usize,
    /// The size of a file of the log. No request may be larger.
    #[config(env = "REDRIVE_SEGMENT_BYTES", default = 67_108_864)]
    pub(crate) segment_bytes: usize,
    /// How many requests may wait for the store; one more is answered "overloaded".
    #[config(env = "REDRIVE_REQUESTS_MAX", default = 4096)]
    pub(crate) requests_max: usize,
    /// How long the answer of a put with a request_id is remembered, so that it can be sent again; nothing is with "0s".
    #[config(env = "REDRIVE_ANSWERS_KEPT", default = "10m")]
    pub(crate) answers_kept: Span,
    /// How much memory remembered answers may take; beyond it the oldest are forgotten early.
    #[config(env = "REDRIVE_ANSWERS_BYTES_MAX", default = 67_108_864)]
    pub(crate) answers_bytes_max: usize,
}

/// What the program tells about itself, on stderr.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct Log {
    /// Which events: error, warn, info, debug, trace, or per module as in "info,redrive_server=debug".
    #[config(env = "REDRIVE_LOG", default = "info")]
    pub(crate) level: String,
    /// As "text" for people, or as "json" for programs.
    #[config(env = "REDRIVE_LOG_FORMAT", default = "text")]
    pub(crate) format: LogFormat,
}

/// For tests of clients: lets a second listener stop the server's clock. Never for production.
#[derive(Debug, Clone, confique::Config)]
pub(crate) struct TestMode {
    /// Allows `redrive serve --control ADDRESS`.
    #[config(env = "REDRIVE_TEST_MODE", default = false)]
    pub(crate) enabled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    Text,
    Json,
}

impl Log {
    /// Which events are told.
    pub(crate) fn filter(&self) -> Result<EnvFilter> {
        let level = &self.level;
        let wrong = || format!("log.level '{level}' is none; try info, or info,redrive_server=debug");
        // A word by itself would be taken for a module of which everything is told.
        let is_level = |part: &str| part.trim().parse::<LevelFilter>().is_ok();
        let mut words = level.split(',').filter(|part| !part.contains(['=', '[']));
        if words.any(|word| !is_level(word)) {
            bail!(wrong());
        }
        EnvFilter::try_new(level).with_context(wrong)
    }
}

pub(crate) type ConfigLayer = <Config as confique::Config>::Layer;

impl Config {
    /// The server's settings, if they fit together.
    pub(crate) fn settings(&self, sources: &Sources) -> Result<Settings> {
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
                "{address} can be reached by others, and nobody has to show who they are\n  \
                 have them show it with --auth internal, say that this is wanted with --allow-anonymous, or listen at {}",
                SocketAddr::new(IpAddr::from([127, 0, 0, 1]), address.port()),
            );
        }
        if self.auth.scope == KeyScope::Querator && !server.listen.ip().is_loopback() {
            bail!(
                "auth.scope 'querator' lets keys of one namespace do more, and is for this machine alone; use 'strict'"
            );
        }
        if self.auth.bootstrap == Bootstrap::Anonymous && !server.listen.ip().is_loopback() {
            bail!(
                "auth.bootstrap 'anonymous' lets whoever shows no key do everything, and is for this machine alone; use 'key'"
            );
        }
        if self.auth.bootstrap == Bootstrap::Anonymous && self.auth.admin_key_file.is_some() {
            bail!(
                "auth.bootstrap 'anonymous' makes no administrator's key; leave out auth.admin_key_file, or use 'key'"
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
            letters: self.dlq.treatment()?,
            configured: self.dlq.configured(sources),
        })
    }

    /// The embedded store's options, if they make sense.
    pub(crate) fn options(&self) -> Result<EmbeddedOptions> {
        let Store { cache_bytes, segment_bytes, requests_max, answers_kept, answers_bytes_max, .. } = self.store;
        let letters = self.dlq.treatment()?;
        let answers = AnswerLimits { kept: answers_kept, bytes_max: answers_bytes_max };
        Ok(EmbeddedOptions { cache_bytes, segment_bytes, requests_max, letters, answers, ..EmbeddedOptions::default() })
    }
}

//! The settings of a server.

use std::net::SocketAddr;
use std::path::PathBuf;

use redrive_core::{Invalid, Policy, Problem, Span};
use redrive_model::LetterSettings;

use crate::auth::{AuthMode, Bootstrap, KeyScope, is_tag};
use crate::configured::ConfiguredSetting;

/// Maximum body of a request that contains little more than a queue's name, in bytes.
pub(crate) const SMALL_BODY_MAX: usize = 4_096;

/// The settings of a server.
#[derive(Debug, Clone)]
pub struct Settings {
    pub listen: SocketAddr,
    /// Certificate and key for TLS; unset: plain HTTP.
    pub tls: Option<TlsFiles>,
    /// Maximum concurrent connections, at least 1. Leases may wait on at most half of them.
    pub connections_max: usize,
    /// Maximum memory for the bodies of all requests together, in bytes.
    pub bodies_bytes_max: usize,
    /// Maximum body of a produce request, in bytes.
    pub produce_body_max: usize,
    /// Maximum number of items that one call may produce.
    pub produce_batch_max: usize,
    /// Maximum number of items that one call may lease.
    pub lease_batch_max: usize,
    /// Maximum number of items that one call may complete, extend, retry or settle.
    pub complete_batch_max: usize,
    /// How callers are authenticated.
    pub auth: AuthMode,
    /// Who gets all permissions on a new server.
    pub bootstrap: Bootstrap,
    /// A file with the administrator's API key. Unset: a new server with [`Bootstrap::Key`] generates one.
    pub admin_key_file: Option<PathBuf>,
    /// Where an API key that is scoped to a namespace is valid.
    pub key_scope: KeyScope,
    /// Host names of the server, besides `localhost` and IP addresses. Requests for other hosts are rejected.
    pub hosts: Vec<String>,
    /// Origins of other sites whose pages may call the server, as in `https://console.example`.
    pub origins: Vec<String>,
    /// Prefix of API keys. Keys with another prefix are rejected.
    pub key_prefix: String,
    /// Maximum number of audit records, at least 1; the oldest are deleted.
    pub audit_records_max: usize,
    /// Time that running requests have to finish when the server shuts down.
    pub shutdown_grace: Span,
    /// A queue with more live letters than this is reported as degraded.
    pub degraded_depth: Option<u64>,
    /// A queue whose oldest pending letter has waited longer than this is reported as degraded.
    pub degraded_age: Option<Span>,
    /// Free disk space below which the disk is reported as low, in bytes; by default it follows from the reserve of the
    /// store.
    pub disk_low_bytes: Option<u64>,
    /// The defaults for letters that a queue does not override: the ones that the store was opened with.
    pub letters: LetterSettings,
    /// Classifies captured failures, and decides which of them become letters.
    pub policy: Policy,
    /// The letter settings of the configuration, with their sources.
    pub configured: Vec<ConfiguredSetting>,
}

/// The paths of certificate and private key, both in PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 2319)),
            tls: None,
            connections_max: 1_000,
            bodies_bytes_max: 256_000_000,
            produce_body_max: 5_000_000,
            produce_batch_max: 1_000,
            lease_batch_max: 1_000,
            complete_batch_max: 1_000,
            auth: AuthMode::None,
            bootstrap: Bootstrap::default(),
            admin_key_file: None,
            key_scope: KeyScope::default(),
            hosts: Vec::new(),
            origins: Vec::new(),
            key_prefix: "rdr".to_owned(),
            audit_records_max: 100_000,
            shutdown_grace: Span::from_secs(10),
            degraded_depth: None,
            degraded_age: None,
            disk_low_bytes: None,
            letters: LetterSettings::default(),
            policy: Policy::default(),
            configured: Vec::new(),
        }
    }
}

impl Settings {
    pub(crate) fn check_values(&self) -> Result<(), Invalid> {
        if self.key_prefix.is_empty() || !is_tag(&self.key_prefix) {
            let allowed = "1 to 16 lower case letters and digits";
            return Err(Invalid::new("key_prefix", Problem::Malformed, &self.key_prefix, allowed));
        }
        if self.connections_max == 0 {
            return Err(Invalid::new("connections_max", Problem::OutOfRange, 0, "at least 1"));
        }
        if self.audit_records_max == 0 {
            return Err(Invalid::new("audit_records_max", Problem::OutOfRange, 0, "at least 1"));
        }
        Ok(())
    }
}

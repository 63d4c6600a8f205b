//! How a server is set up.

use std::net::SocketAddr;
use std::path::PathBuf;

use redrive_core::{Invalid, Problem, Span};
use redrive_model::LetterSettings;

use crate::auth::{AuthMode, Bootstrap, KeyScope, is_tag};
use crate::configured::Configured;

/// How large a request may be that says little but a queue's name.
pub(crate) const SMALL_BODY_MAX: usize = 4_096;

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    pub listen: SocketAddr,
    /// Served over TLS where it is given, in the clear where not.
    pub tls: Option<TlsFiles>,
    /// So many connections are served at a time. Leases wait on half of them at most.
    pub connections_max: usize,
    /// So many bytes the bodies of all requests may have together.
    pub bodies_bytes_max: usize,
    /// How large a produce request may be.
    pub produce_body_max: usize,
    /// How many items one call may produce, lease, complete or retry.
    pub produce_batch_max: usize,
    pub lease_batch_max: usize,
    pub complete_batch_max: usize,
    /// Whether callers are asked who they are.
    pub auth: AuthMode,
    /// Who may do everything on a new server.
    pub bootstrap: Bootstrap,
    /// A file with the key of the administrator, for whom one is made otherwise.
    pub admin_key_file: Option<PathBuf>,
    /// Where a key is good that was made for one namespace.
    pub key_scope: KeyScope,
    /// Names under which it is called, besides `localhost` and addresses.
    pub hosts: Vec<String>,
    /// Sites whose pages may call it, as in `https://console.example`.
    pub origins: Vec<String>,
    /// How new keys begin. Keys that begin otherwise are not taken.
    pub key_prefix: String,
    /// So many audit records are kept; then the oldest go.
    pub audit_records_max: usize,
    /// How long requests may take to end when the server shuts down.
    pub shutdown_grace: Span,
    /// A queue with more live letters than this is told to be degraded.
    pub degraded_depth: Option<u64>,
    /// So is one whose oldest pending letter has waited longer.
    pub degraded_age: Option<Span>,
    /// How the store treats letters where their queue says nothing: what it was opened with.
    pub letters: LetterSettings,
    /// What the configuration says about letters, and where it does.
    pub configured: Vec<Configured>,
}

/// Where certificate and key lie, both in PEM.
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
            letters: LetterSettings::default(),
            configured: Vec::new(),
        }
    }
}

impl Settings {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
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

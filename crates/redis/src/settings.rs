//! The settings of a connection.

use std::fmt;
use std::time::Duration;

use redrive_core::Span;

/// How to reach Redis, and how to treat its faults.
#[derive(Clone)]
pub struct RedisSettings {
    /// `redis://` or `rediss://` (TLS), with user and password if the server requires them:
    /// `rediss://user:password@host:port/database`. For a cluster, any of its nodes.
    pub urls: Vec<String>,
    /// Whether the servers form a Redis Cluster.
    pub is_cluster: bool,
    /// A prefix of the names in keys, which separates programs that share a server. Default: empty.
    pub namespace: String,
    /// User and password, instead of those in the URL.
    pub login: Option<(String, String)>,
    /// Certificates for `rediss://`. Default: the certificates of the operating system.
    pub tls: RedisTls,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
    /// How long to wait for the answer to a command.
    pub response_timeout: Duration,
    /// How long an operation is repeated after connection errors and replies of a failover, with growing pauses.
    pub retry_for: Duration,
    /// How long one blocking command waits at most. A receiver that waits sees the deadlines that others set after it
    /// began to wait only when this time is over.
    pub block_for: Duration,
    #[cfg(feature = "manual-clock")]
    /// Reads the time from the key `{queue:<name>}:clock` instead of the server's clock. For tests.
    pub has_manual_clock: bool,
}

/// Certificates, as PEM.
#[derive(Clone, Default)]
pub struct RedisTls {
    /// The certificate authority of the server.
    pub ca: Option<Vec<u8>>,
    /// Certificate and key of the client.
    pub client: Option<(Vec<u8>, Vec<u8>)>,
}

impl RedisSettings {
    /// One server.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            urls: vec![url.into()],
            is_cluster: false,
            namespace: String::new(),
            login: None,
            tls: RedisTls::default(),
            connect_timeout: Duration::from_secs(2),
            response_timeout: Duration::from_secs(5),
            retry_for: Duration::from_secs(10),
            block_for: Duration::from_secs(3),
            #[cfg(feature = "manual-clock")]
            has_manual_clock: false,
        }
    }

    /// A cluster, by some of its nodes.
    pub fn cluster(urls: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { urls: urls.into_iter().map(Into::into).collect(), is_cluster: true, ..Self::new("") }
    }

    /// How long the server remembers an operation: longer than the operation may be repeated, but at most a day.
    pub(crate) fn remembered(&self) -> Span {
        let last_answer = self.retry_for.saturating_add(self.response_timeout);
        Span::from(last_answer.saturating_mul(2)).min(Span::from_days(1))
    }
}

impl fmt::Debug for RedisSettings {
    /// Without URLs and login, which hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisSettings")
            .field("is_cluster", &self.is_cluster)
            .field("retry_for", &self.retry_for)
            .field("response_timeout", &self.response_timeout)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for RedisTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisTls").field("has_client", &self.client.is_some()).finish_non_exhaustive()
    }
}

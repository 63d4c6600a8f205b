//! Opens connections, with TLS for `https`.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::crypto::ring::default_provider;
use tokio::net::TcpStream;
use tower_service::Service;

use crate::{TlsIdentity, TlsRoots, TlsRootsError};

/// A connection, with or without TLS.
pub type HttpStream = MaybeHttpsStream<TokioIo<TcpStream>>;

/// How often TCP probes an idle connection. A server may take hours to answer, as long as its machine is up.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);
const KEEP_ALIVE_PROBES: u32 = 3;
/// How long written data may stay unacknowledged: TCP sends no probes while data is in flight.
#[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(30);

/// The protocol versions that a connection may negotiate. Without TLS it is always HTTP/1.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpVersions {
    Http1,
    All,
}

/// Opens connections. The timeout covers the TCP connection and the TLS handshake.
#[derive(Debug, Clone)]
pub struct Connector {
    inner: HttpsConnector<HttpConnector>,
    timeout: Duration,
}

impl Connector {
    pub fn new(roots: &TlsRoots, versions: HttpVersions, timeout: Duration) -> Result<Self, TlsRootsError> {
        Self::with_identity(roots, None, versions, timeout)
    }

    /// Like [`new`](Self::new), for servers that ask for a certificate of the client.
    pub fn with_identity(
        roots: &TlsRoots,
        identity: Option<&TlsIdentity>,
        versions: HttpVersions,
        timeout: Duration,
    ) -> Result<Self, TlsRootsError> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_keepalive(Some(KEEP_ALIVE));
        tcp.set_keepalive_interval(Some(KEEP_ALIVE));
        tcp.set_keepalive_retries(Some(KEEP_ALIVE_PROBES));
        #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
        tcp.set_tcp_user_timeout(Some(UNACKNOWLEDGED_MAX));
        let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
        let builder = builder.with_safe_default_protocol_versions().map_err(TlsRootsError::Tls)?;
        let builder = builder.with_root_certificates(roots.store());
        let tls = match identity {
            Some(identity) => builder.with_client_cert_resolver(identity.resolver()),
            None => builder.with_no_client_auth(),
        };
        let builder = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
        let inner = match versions {
            HttpVersions::Http1 => builder.wrap_connector(tcp),
            HttpVersions::All => builder.enable_http2().wrap_connector(tcp),
        };
        Ok(Self { inner, timeout })
    }
}

impl Service<Uri> for Connector {
    type Response = HttpStream;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<HttpStream, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = tokio::time::timeout(self.timeout, self.inner.call(uri));
        Box::pin(async {
            let timed_out = |_| io::Error::new(io::ErrorKind::TimedOut, "the connection was not established in time");
            connecting.await.map_err(timed_out)?
        })
    }
}

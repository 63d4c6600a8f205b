//! Two sets of connections: for calls, and for requests that wait.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{self, Error, ResponseFuture};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use redrive_core::Span;
use rustls::pki_types::CertificateDer;

use super::connector::Connector;
use super::{Address, Line, tls};
use crate::BuildError;

/// A server closes a connection on which nothing came for half a minute. Whoever keeps one for so long sends the next
/// request to nobody.
const IDLE: Duration = Duration::from_secs(20);
const KEEP_ALIVE: Duration = Duration::from_secs(60);

type Pool = legacy::Client<Connector, Full<Bytes>>;

#[derive(Debug)]
pub(crate) struct Transport {
    calls: Pool,
    /// Of HTTP/1.1 alone: one of many requests on a connection cannot be hung up.
    waits: Pool,
}

impl Transport {
    pub(crate) fn new(
        address: &Address,
        connect_timeout: Span,
        idle_connections_max: usize,
        trusted: &[CertificateDer<'static>],
    ) -> Result<Self, BuildError> {
        let mut plain = HttpConnector::new();
        plain.set_nodelay(true);
        plain.set_keepalive(Some(KEEP_ALIVE));
        plain.set_connect_timeout(Some(connect_timeout.into()));
        plain.enforce_http(false);
        if !address.is_https() {
            let calls = pool(idle_connections_max, Connector::Plain(plain));
            return Ok(Self { waits: calls.clone(), calls });
        }
        let tls = tls::settings(trusted)?;
        let builder = || HttpsConnectorBuilder::new().with_tls_config(tls.clone()).https_only().enable_http1();
        let calls = pool(idle_connections_max, Connector::Tls(builder().enable_http2().wrap_connector(plain.clone())));
        let waits = pool(idle_connections_max, Connector::Tls(builder().wrap_connector(plain)));
        Ok(Self { calls, waits })
    }

    pub(crate) fn call(&self, request: Request<Full<Bytes>>) -> ResponseFuture {
        self.calls.request(request)
    }

    /// A request that may be taken back; none where it was, before it began.
    pub(crate) async fn wait(
        &self,
        mut request: Request<Full<Bytes>>,
        line: &Line,
    ) -> Option<Result<Response<Incoming>, Error>> {
        if !line.follow(&mut request) {
            return None;
        }
        Some(self.waits.request(request).await)
    }
}

fn pool(idle_connections_max: usize, connector: Connector) -> Pool {
    legacy::Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(idle_connections_max)
        .build(connector)
}

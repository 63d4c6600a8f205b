//! Requests to one address.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Uri;
use http::header::{HOST, HeaderValue};
use http::uri::PathAndQuery;
use http_body_util::Full;
use hyper::client::conn::http2;
use hyper_util::client::legacy::connect::Connection as _;
use hyper_util::rt::TokioExecutor;
use tower_service::Service;

use super::connection::Connection;
use super::connector::{Connector, connector};
use super::pool::{Line, Pool};
use super::{Broken, Reply};

pub(in crate::handler::http) type Request = http::Request<Full<Bytes>>;

/// Where requests go.
#[derive(Debug)]
pub(in crate::handler::http) struct Address {
    uri: Uri,
    /// What HTTP/1.1 says of it in a request.
    path: Uri,
    host: HeaderValue,
}

impl Address {
    /// `None` for a URI that has no host.
    pub(in crate::handler::http) fn of(uri: Uri) -> Option<Self> {
        let host = HeaderValue::from_str(uri.authority()?.as_str()).ok()?;
        let path = uri.path_and_query().cloned().unwrap_or(PathAndQuery::from_static("/"));
        Some(Self { path: Uri::from(path), uri, host })
    }
}

pub(in crate::handler::http) struct Transport {
    address: Address,
    connector: Connector,
    connect_timeout: Duration,
    pool: Arc<Pool>,
}

impl Transport {
    pub(in crate::handler::http) fn new(address: Address, connect_timeout: Duration) -> std::io::Result<Self> {
        let is_https = address.uri.scheme_str() == Some("https");
        let connector = connector(is_https, connect_timeout)?;
        Ok(Self { address, connector, connect_timeout, pool: Arc::default() })
    }

    /// Sends a request, once: again by another connection only where nothing of it was sent. Where it goes is known here.
    pub(in crate::handler::http) async fn send(&self, mut request: Request) -> Result<Reply, Broken> {
        loop {
            let (line, is_kept) = match self.pool.take() {
                Some(kept) => (kept, true),
                // Rare, and much larger than all the rest.
                None => (Box::pin(self.connect()).await?, false),
            };
            let (sent, connection) = match line {
                Line::Own(mut connection) => {
                    *request.uri_mut() = self.address.path.clone();
                    request.headers_mut().insert(HOST, self.address.host.clone());
                    (connection.send(request).await, Some(connection))
                }
                Line::Shared(mut shared) => {
                    *request.uri_mut() = self.address.uri.clone();
                    request.headers_mut().remove(HOST);
                    let sent = shared.try_send_request(request).await;
                    if sent.is_err() {
                        // One that does not take requests any more may still be at others.
                        self.pool.unshare();
                    }
                    (sent, None)
                }
            };
            let mut error = match sent {
                Ok(response) => return Ok(Reply { response, connection, pool: Arc::clone(&self.pool) }),
                Err(error) => error,
            };
            match error.take_message() {
                Some(unsent) if is_kept => request = unsent,
                _ => return Err(error.into_error().into()),
            }
        }
    }

    async fn connect(&self) -> Result<Line, Broken> {
        let connecting = async {
            let mut connector = self.connector.clone();
            poll_fn(|context| connector.poll_ready(context)).await.map_err(Broken::NotReached)?;
            let stream = connector.call(self.address.uri.clone()).await.map_err(Broken::NotReached)?;
            if !stream.connected().is_negotiated_h2() {
                return Ok(Line::Own(Connection::open(stream).await?));
            }
            let builder = http2::Builder::new(TokioExecutor::new());
            let (shared, drive) = builder.handshake(stream).await?;
            // Why it ended is told to whoever waits for an answer.
            tokio::spawn(async { drive.await.unwrap_or_default() });
            self.pool.share(&shared);
            Ok(Line::Shared(shared))
        };
        tokio::time::timeout(self.connect_timeout, connecting).await.unwrap_or(Err(Broken::NotInTime))
    }
}

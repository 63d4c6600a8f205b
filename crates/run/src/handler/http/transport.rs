//! Requests to one URL, over connections that are kept while the server lets them be used again.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, Response, StatusCode, Uri};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming};
use redrive_http::{Connector, HttpBody, HttpPool};
use tokio::time::Instant;

use super::broken::BrokenConnection;
use super::keep_alive::KeepAlivePolicy;

pub(super) type HttpRequest = http::Request<HttpBody>;

pub(super) struct Transport {
    /// It may hold secrets.
    uri: Uri,
    kept: HttpPool,
    /// For as long as kept connections break: each request has its own connection.
    unkept: HttpPool,
    keep_alive: Mutex<KeepAlivePolicy>,
}

impl Transport {
    /// As many idle connections are kept as were in use at once, which the runner bounds.
    const IDLE_CONNECTIONS_MAX: usize = usize::MAX;

    pub(super) fn new(uri: Uri, connector: Connector) -> Self {
        Self {
            uri,
            kept: HttpPool::new(connector.clone(), Self::IDLE_CONNECTIONS_MAX),
            unkept: HttpPool::new(connector, 0),
            keep_alive: Mutex::default(),
        }
    }

    /// Sends a request to the URL.
    pub(super) async fn send(&self, mut request: HttpRequest) -> Result<HttpReply, BrokenConnection> {
        *request.uri_mut() = self.uri.clone();
        let is_kept = self.keep_alive().is_allowed(Instant::now());
        let pool = if is_kept { &self.kept } else { &self.unkept };
        match pool.request(request).await {
            Ok(response) => {
                if is_kept {
                    self.keep_alive().served();
                }
                Ok(HttpReply(response))
            }
            Err(error) if error.is_connect() => Err(BrokenConnection::NotReached(error)),
            Err(error) => {
                if is_kept {
                    self.keep_alive().broke(Instant::now());
                }
                Err(BrokenConnection::Request(error))
            }
        }
    }

    fn keep_alive(&self) -> MutexGuard<'_, KeepAlivePolicy> {
        self.keep_alive.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer whose body has not been read. If it is dropped before the end of its body, its connection is closed.
pub(super) struct HttpReply(Response<Incoming>);

impl HttpReply {
    pub(super) fn status(&self) -> StatusCode {
        self.0.status()
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        self.0.headers()
    }

    /// The next piece of the body; `None` at its end.
    pub(super) async fn piece(&mut self) -> Result<Option<Bytes>, BrokenConnection> {
        let body = self.0.body_mut();
        while !body.is_end_stream() {
            match body.frame().await.transpose()?.map(Frame::into_data) {
                Some(Ok(piece)) => return Ok(Some(piece)),
                // Trailers are not used.
                Some(Err(_)) => {}
                None => break,
            }
        }
        Ok(None)
    }
}

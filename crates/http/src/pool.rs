//! Pooled connections.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use hyper_util::client::legacy::connect::Connect;
use hyper_util::client::legacy::{Client, ResponseFuture};
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::Connector;
use crate::connector::KEEP_ALIVE;

/// The body of a request.
pub type HttpBody = Full<Bytes>;

/// Connections to any number of servers, kept and used again.
#[derive(Debug, Clone)]
pub struct HttpPool(Client<Connector, HttpBody>);

impl HttpPool {
    /// A pool that keeps at most `idle_connections_max` idle connections to each server.
    pub fn new(connector: Connector, idle_connections_max: usize) -> Self {
        Self(pool(connector, idle_connections_max))
    }

    /// Sends a request. A method of this type, so that only this crate compiles the client for these connections.
    pub fn request(&self, request: Request<HttpBody>) -> ResponseFuture {
        self.0.request(request)
    }
}

/// Idle connections are closed after this time. Many servers close theirs after half a minute, and a request on a
/// connection that is being closed is lost.
const IDLE_MAX: Duration = Duration::from_secs(20);

/// The same for connections of another kind.
pub fn pool<C: Connect + Clone>(connector: C, idle_connections_max: usize) -> Client<C, HttpBody> {
    Client::builder(TokioExecutor::new())
        .timer(TokioTimer::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE_MAX)
        .pool_max_idle_per_host(idle_connections_max)
        .http2_keep_alive_interval(KEEP_ALIVE)
        .build(connector)
}

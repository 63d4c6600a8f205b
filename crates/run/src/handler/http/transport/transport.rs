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
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tower_service::Service;

use super::connection::Http1Connection;
use super::connector::{Connector, KEEP_ALIVE, connector};
use super::pool::{HttpConnection, Pool};
use super::{BrokenConnection, HttpReply};

pub(in crate::handler::http) type HttpRequest = http::Request<Full<Bytes>>;

/// Where requests go. It may hold secrets.
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
    pub(in crate::handler::http) async fn send(&self, mut request: HttpRequest) -> Result<HttpReply, BrokenConnection> {
        let mut was_refused = false;
        loop {
            let (line, is_kept) = match self.pool.take().filter(|_| !was_refused) {
                Some(kept) => (kept, true),
                // Rare, and much larger than all the rest.
                None => (Box::pin(self.connect()).await?, false),
            };
            let (sent, connection) = match line {
                HttpConnection::Own(mut connection) => {
                    *request.uri_mut() = self.address.path.clone();
                    request.headers_mut().insert(HOST, self.address.host.clone());
                    (connection.send(request).await, Some(connection))
                }
                HttpConnection::Shared(mut shared) => {
                    *request.uri_mut() = self.address.uri.clone();
                    request.headers_mut().remove(HOST);
                    was_refused = true;
                    (shared.try_send_request(request).await, None)
                }
            };
            let mut error = match sent {
                Ok(response) => return Ok(HttpReply::new(response, connection, &self.pool)),
                Err(error) => error,
            };
            match error.take_message() {
                Some(unsent) if is_kept => request = unsent,
                _ => {
                    if is_kept && connection.is_some() {
                        self.pool.broke();
                    }
                    return Err(error.into_error().into());
                }
            }
        }
    }

    async fn connect(&self) -> Result<HttpConnection, BrokenConnection> {
        let connecting = async {
            let mut connector = self.connector.clone();
            poll_fn(|context| connector.poll_ready(context)).await.map_err(BrokenConnection::NotReached)?;
            let stream = connector.call(self.address.uri.clone()).await.map_err(BrokenConnection::NotReached)?;
            if !stream.connected().is_negotiated_h2() {
                return Ok(HttpConnection::Own(Http1Connection::open(stream).await?));
            }
            let mut builder = http2::Builder::new(TokioExecutor::new());
            builder.timer(TokioTimer::new()).keep_alive_interval(KEEP_ALIVE);
            let (shared, drive) = builder.handshake(stream).await?;
            // Why it ended is told to whoever waits for an answer.
            tokio::spawn(async { drive.await.unwrap_or_default() });
            self.pool.share(&shared);
            Ok(HttpConnection::Shared(shared))
        };
        tokio::time::timeout(self.connect_timeout, connecting).await.unwrap_or(Err(BrokenConnection::NotInTime))
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::Address;

    #[test]
    fn a_host_has_its_port_unless_that_is_the_usual_one() {
        for (url, host, path) in [
            ("http://[::1]:8080/in?a=b#c", "[::1]:8080", "/in?a=b"),
            ("http://host:80", "host", "/"),
            ("https://host:443/?q", "host", "/?q"),
            ("https://HOST:8443/a%20b", "host:8443", "/a%20b"),
        ] {
            let address = Address::of(Url::parse(url).unwrap().as_str().parse().unwrap()).unwrap();
            assert_eq!((address.host.to_str().unwrap(), address.path.to_string().as_str()), (host, path), "{url}");
        }
    }
}

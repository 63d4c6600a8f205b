//! Requests to one URL.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Response, StatusCode, Uri};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming};
use redrive_http::{
    Connector, HttpBody, HttpPool, HttpVersions, TlsIdentity, TlsIdentityError, TlsRoots, TlsRootsError,
    certificates_from_pem, pool,
};
use tokio::time::Instant;

use super::BrokenConnection;
use super::keep_alive::KeepAlivePolicy;
use crate::TargetTls;

pub(in crate::handler::http) type HttpRequest = http::Request<HttpBody>;

pub(in crate::handler::http) struct Transport {
    /// It may hold secrets.
    uri: Uri,
    kept: HttpPool,
    /// For as long as kept connections break: each request has its own connection.
    unkept: HttpPool,
    keep_alive: Mutex<KeepAlivePolicy>,
}

/// Why a target cannot use TLS.
#[derive(Debug, thiserror::Error)]
pub(in crate::handler::http) enum TlsError {
    #[error(transparent)]
    Roots(#[from] TlsRootsError),
    #[error(transparent)]
    Identity(#[from] TlsIdentityError),
}

impl Transport {
    /// As many idle connections are kept as were in use at once, which the runner bounds.
    const IDLE_CONNECTIONS_MAX: usize = usize::MAX;

    pub(in crate::handler::http) fn new(
        uri: Uri,
        connect_timeout: Duration,
        tls: &TargetTls,
    ) -> Result<Self, TlsError> {
        let is_https = uri.scheme_str() == Some("https");
        let trusted = tls.ca_certificates.as_deref().map(certificates_from_pem).transpose()?.unwrap_or_default();
        let roots = if is_https { TlsRoots::native_and(&trusted)? } else { TlsRoots::none() };
        let client = tls.client_certificate.as_ref();
        let client = client.map(|client| TlsIdentity::from_pem(&client.certificate, &client.key)).transpose()?;
        let connector = Connector::with_identity(&roots, client.as_ref(), HttpVersions::All, connect_timeout)?;
        Ok(Self {
            uri,
            kept: pool(connector.clone(), Self::IDLE_CONNECTIONS_MAX),
            unkept: pool(connector, 0),
            keep_alive: Mutex::default(),
        })
    }

    /// Sends a request to the URL.
    pub(in crate::handler::http) async fn send(&self, mut request: HttpRequest) -> Result<HttpReply, BrokenConnection> {
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
pub(in crate::handler::http) struct HttpReply(Response<Incoming>);

impl HttpReply {
    pub(in crate::handler::http) fn status(&self) -> StatusCode {
        self.0.status()
    }

    pub(in crate::handler::http) fn headers(&self) -> &HeaderMap {
        self.0.headers()
    }

    /// The next piece of the body; `None` at its end.
    pub(in crate::handler::http) async fn piece(&mut self) -> Result<Option<Bytes>, BrokenConnection> {
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

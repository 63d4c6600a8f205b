//! Two pools of connections: for calls, and for requests that wait on the server.

use http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use redrive_core::Span;
use redrive_http::{Connector, HttpBody, HttpError, HttpVersions, TlsRoots, TlsRootsError, pool};
use rustls::pki_types::CertificateDer;

use super::connector::HangUpConnector;
use super::{Address, WaitingRequest};
use crate::BuildError;

#[derive(Debug)]
pub(crate) struct Transport {
    calls: Client<HangUpConnector, HttpBody>,
    /// HTTP/1.1 only: one of many requests on a connection of HTTP/2 cannot be hung up by closing it.
    waits: Client<HangUpConnector, HttpBody>,
}

impl Transport {
    pub(crate) fn new(
        address: &Address,
        connect_timeout: Span,
        idle_connections_max: usize,
        trusted: &[CertificateDer<'static>],
    ) -> Result<Self, BuildError> {
        let roots = if address.is_https() { TlsRoots::native_and(trusted)? } else { TlsRoots::none() };
        let pool = |versions| {
            let connector = Connector::new(&roots, versions, connect_timeout.into())?;
            Ok::<_, TlsRootsError>(pool(HangUpConnector(connector), idle_connections_max))
        };
        Ok(Self { calls: pool(HttpVersions::All)?, waits: pool(HttpVersions::Http1)? })
    }

    pub(crate) async fn call(&self, request: Request<HttpBody>) -> Result<Response<Incoming>, HttpError> {
        self.calls.request(request).await
    }

    /// Sends a request that may be hung up. `None` if it was hung up before it was sent.
    pub(crate) async fn wait(
        &self,
        mut request: Request<HttpBody>,
        waiting: &WaitingRequest,
    ) -> Option<Result<Response<Incoming>, HttpError>> {
        if !waiting.follow(&mut request) {
            return None;
        }
        Some(self.waits.request(request).await)
    }
}

impl From<TlsRootsError> for BuildError {
    fn from(error: TlsRootsError) -> Self {
        match error {
            TlsRootsError::Certificate => Self::Certificate,
            TlsRootsError::Empty => Self::NoRoots,
            TlsRootsError::Tls(error) => Self::Tls(error),
        }
    }
}

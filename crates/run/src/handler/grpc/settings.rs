//! Settings of a gRPC target.

use std::fmt;

use http::Uri;
use http::header::HeaderMap;
use http::uri::PathAndQuery;
use redrive_core::{Invalid, Problem, Span};

use super::metadata::{is_binary, is_free};
use crate::handler::wire::{bytes_within, configured, shown, span_within};
use crate::{Secret, TargetTls};

/// Settings of a gRPC target.
#[derive(Clone)]
pub struct GrpcSettings {
    /// The server's address: `http://host:port`, or `https`.
    pub endpoint: String,
    /// The unary method to call: `/package.Service/Method`.
    pub method: String,
    /// Sent with every call; replaces metadata of the work with the same name. Values are text, so no name ends in `-bin`,
    /// and are never shown.
    pub metadata: Vec<(String, Secret)>,
    /// Maximum time to connect, and again for the TLS handshake.
    pub connect_timeout: Span,
    /// Sent as `grpc-timeout`; a call that takes longer is cancelled.
    pub deadline: Option<Span>,
    /// The largest message in either direction, in bytes.
    pub message_bytes_max: usize,
    /// For an `https` endpoint.
    pub tls: TargetTls,
}

impl GrpcSettings {
    pub const CONNECT_TIMEOUT_MAX: Span = Span::from_mins(10);
    pub const DEADLINE_MAX: Span = Span::from_days(1);
    pub const MESSAGE_BYTES_MAX_MAX: usize = 1 << 30;

    /// 10 s to connect, no deadline, messages of up to 4 MiB.
    pub fn new(endpoint: impl Into<String>, method: impl Into<String>) -> Self {
        Self {
            endpoint: endpoint.into(),
            method: method.into(),
            metadata: Vec::new(),
            connect_timeout: Span::from_secs(10),
            deadline: None,
            message_bytes_max: 4 << 20,
            tls: TargetTls::default(),
        }
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        span_within("connect_timeout", self.connect_timeout, Self::CONNECT_TIMEOUT_MAX)?;
        if let Some(deadline) = self.deadline {
            span_within("deadline", deadline, Self::DEADLINE_MAX)?;
        }
        bytes_within("message_bytes_max", self.message_bytes_max, Self::MESSAGE_BYTES_MAX_MAX)
    }

    pub(super) fn checked_endpoint(&self) -> Result<Uri, Invalid> {
        let allowed = "http or https, a host and a port, without user and path, as in https://host:8443";
        let refused = || Invalid::new("endpoint", Problem::Malformed, shown(&self.endpoint), allowed);
        let uri: Uri = self.endpoint.parse().map_err(|_| refused())?;
        let has_scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        let has_host = uri.authority().is_some_and(|it| !it.host().is_empty() && !it.as_str().contains('@'));
        let is_bare = uri.path_and_query().is_none_or(|path| path == "/");
        if has_scheme && has_host && is_bare { Ok(uri) } else { Err(refused()) }
    }

    pub(super) fn checked_method(&self) -> Result<PathAndQuery, Invalid> {
        let refused = || Invalid::new("method", Problem::Malformed, &self.method, "/package.Service/Method");
        let is_method = self
            .method
            .strip_prefix('/')
            .and_then(|path| path.split_once('/'))
            .is_some_and(|(service, method)| service.split('.').all(is_identifier) && is_identifier(method));
        if is_method { self.method.parse().map_err(|_| refused()) } else { Err(refused()) }
    }

    pub(super) fn checked_metadata(&self) -> Result<HeaderMap, Invalid> {
        configured("metadata", &self.metadata, |name| is_free(name) && !is_binary(name))
    }
}

fn is_identifier(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    text.bytes().next().is_some_and(is_letter) && text.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit())
}

impl fmt::Debug for GrpcSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { endpoint, method, metadata, connect_timeout, deadline, message_bytes_max, tls } = self;
        f.debug_struct("GrpcSettings")
            .field("endpoint", &shown(endpoint))
            .field("method", method)
            .field("metadata", metadata)
            .field("connect_timeout", connect_timeout)
            .field("deadline", deadline)
            .field("message_bytes_max", message_bytes_max)
            .field("tls", tls)
            .finish()
    }
}

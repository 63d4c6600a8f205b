//! The settings of an HTTP target.

use std::fmt;

use http::Method;
use http::header::HeaderMap;
use redrive_core::{Invalid, Problem, Span};
use url::Url;

use super::address::shown_text;
use super::expected::{ExpectedStatus, SUCCESS};
use crate::handler::wire::{bytes_within, configured, is_hop_by_hop, is_ours, span_within};
use crate::{Secret, TargetTls};

/// The settings of an HTTP target.
#[derive(Clone)]
pub struct HttpSettings {
    /// URL of the target, `http` or `https`. A user and a password in it become an `Authorization` header. Error texts
    /// show it without them and without the query.
    pub url: String,
    /// `POST` (default), `PUT`, `PATCH` or `DELETE`.
    pub method: String,
    /// Headers of every request. They replace headers of the work with the same name. Their values are never shown.
    pub headers: Vec<(String, Secret)>,
    pub connect_timeout: Span,
    /// Maximum size of a response body. The body of an error is truncated; a longer result is a failure.
    pub body_bytes_max: usize,
    /// Whether the body of a successful response is the result of the work.
    pub body_is_result: bool,
    /// The statuses that mean success.
    pub expected: Vec<ExpectedStatus>,
    /// For an `https` URL.
    pub tls: TargetTls,
}

impl HttpSettings {
    pub const CONNECT_TIMEOUT_MAX: Span = Span::from_mins(10);
    pub const BODY_BYTES_MAX_MAX: usize = 1 << 30;

    /// Defaults: `POST`, 10 s to connect, a response body of up to 1 MiB, which is not the result, and success with 2xx.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            method: Method::POST.as_str().to_owned(),
            headers: Vec::new(),
            connect_timeout: Span::from_secs(10),
            body_bytes_max: 1 << 20,
            body_is_result: false,
            expected: vec![SUCCESS],
            tls: TargetTls::default(),
        }
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        span_within("connect_timeout", self.connect_timeout, Self::CONNECT_TIMEOUT_MAX)?;
        bytes_within("body_bytes_max", self.body_bytes_max, Self::BODY_BYTES_MAX_MAX)?;
        if self.expected.is_empty() {
            return Err(Invalid::missing("expected", "one or more statuses, as in 200 or 2xx"));
        }
        Ok(())
    }

    pub(super) fn checked_url(&self) -> Result<Url, Invalid> {
        let allowed = "an http or https url with a host, as in https://host:8443/path";
        let refused = |problem| Invalid::new("url", problem, shown_text(&self.url), allowed);
        let url = Url::parse(&self.url).map_err(|_| refused(Problem::Malformed))?;
        match url.scheme() {
            "http" | "https" if url.has_host() => Ok(url),
            _ => Err(refused(Problem::Malformed)),
        }
    }

    pub(super) fn checked_method(&self) -> Result<Method, Invalid> {
        match self.method.to_ascii_uppercase().as_str() {
            "POST" => Ok(Method::POST),
            "PUT" => Ok(Method::PUT),
            "PATCH" => Ok(Method::PATCH),
            "DELETE" => Ok(Method::DELETE),
            _ => Err(Invalid::new("method", Problem::UnknownName, &self.method, "POST, PUT, PATCH, DELETE")),
        }
    }

    pub(super) fn checked_headers(&self) -> Result<HeaderMap, Invalid> {
        configured("headers", &self.headers, is_free)
    }
}

/// Whether a header of this name may be configured. Of those that every request sets, some are only defaults.
fn is_free(name: &str) -> bool {
    let is_default = matches!(name, "accept" | "content-type" | "user-agent");
    is_default || !(is_ours(name) || is_hop_by_hop(name))
}

impl fmt::Debug for HttpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, method, headers, connect_timeout, body_bytes_max, body_is_result, expected, tls } = self;
        f.debug_struct("HttpSettings")
            .field("url", &shown_text(url))
            .field("method", method)
            .field("headers", headers)
            .field("connect_timeout", connect_timeout)
            .field("body_bytes_max", body_bytes_max)
            .field("body_is_result", body_is_result)
            .field("expected", expected)
            .field("tls", tls)
            .finish()
    }
}

//! How an HTTP target is set up.

use std::fmt;

use http::Method;
use http::header::HeaderMap;
use redrive_core::{Invalid, Problem, Span};
use url::Url;

use super::address::shown_text;
use crate::Secret;
use crate::handler::wire::{bytes_within, configured, is_hop_by_hop, is_ours, span_within};

/// How an HTTP target is set up.
#[derive(Clone)]
pub struct HttpSettings {
    /// Where the work goes: `http` or `https`. A user and a password in it become an `Authorization` header. Without
    /// them and without its query, it stands in the texts of errors.
    pub url: String,
    /// `POST` unless said otherwise; `PUT`, `PATCH` or `DELETE`.
    pub method: String,
    /// Sent with every request, in place of what the work has under the same name. Their values are never shown.
    pub headers: Vec<(String, Secret)>,
    pub connect_timeout: Span,
    /// So much of an answer's body is read: of an error the rest is cut off, a result that is longer is a failure.
    pub body_bytes_max: usize,
    /// Whether the body of an answer of success is the result of the work.
    pub body_is_result: bool,
}

impl HttpSettings {
    pub const CONNECT_TIMEOUT_MAX: Span = Span::from_mins(10);
    pub const BODY_BYTES_MAX_MAX: usize = 1 << 30;

    /// `POST`, 10 s to connect, 1 MiB of answer, which is not the result.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            method: Method::POST.as_str().to_owned(),
            headers: Vec::new(),
            connect_timeout: Span::from_secs(10),
            body_bytes_max: 1 << 20,
            body_is_result: false,
        }
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        span_within("connect_timeout", self.connect_timeout, Self::CONNECT_TIMEOUT_MAX)?;
        bytes_within("body_bytes_max", self.body_bytes_max, Self::BODY_BYTES_MAX_MAX)
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

/// Of what every call sets, these are defaults.
fn is_free(name: &str) -> bool {
    let is_default = matches!(name, "accept" | "content-type" | "user-agent");
    is_default || !(is_ours(name) || is_hop_by_hop(name))
}

impl fmt::Debug for HttpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, method, headers, connect_timeout, body_bytes_max, body_is_result } = self;
        f.debug_struct("HttpSettings")
            .field("url", &shown_text(url))
            .field("method", method)
            .field("headers", headers)
            .field("connect_timeout", connect_timeout)
            .field("body_bytes_max", body_bytes_max)
            .field("body_is_result", body_is_result)
            .finish()
    }
}

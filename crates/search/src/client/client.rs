//! One request, one answer.

use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, USER_AGENT};
use http::{Method, Request};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use redrive_core::{Invalid, Problem, Span};
use redrive_http::{
    Connector, HttpError, HttpPool, HttpVersions, TlsRoots, TlsRootsError, certificates_from_pem, is_unsent,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

use super::SearchTrouble;
use super::trouble::ErrorBody;
use crate::{Credentials, SearchSettings};

/// Sends requests to OpenSearch and interprets statuses.
#[derive(Clone)]
pub(crate) struct Client {
    http: HttpPool,
    url: Url,
    headers: HeaderMap,
    request_timeout: Duration,
}

/// The largest answer; a page of whole letters is the longest.
const ANSWER_BYTES_MAX: usize = 256 << 20;
/// The largest body of an error, of which only the type is used.
const ERROR_BYTES_MAX: usize = 1 << 20;
const IDLE_CONNECTIONS_MAX: usize = 16;

impl Client {
    pub(crate) fn new(settings: &SearchSettings) -> Result<Self, Invalid> {
        settings.check()?;
        let url = settings.checked_url()?;
        let unusable = |error: TlsRootsError| match error {
            TlsRootsError::Certificate => {
                Invalid::new("ca_certificate", Problem::Malformed, "…", "one or more certificates in PEM")
            }
            error => {
                let allowed = format!("https where there are certificates to trust ({error})");
                Invalid::new("url", Problem::Contradiction, &url, allowed)
            }
        };
        let trusted = settings.ca_certificate.as_deref().map(certificates_from_pem).transpose().map_err(unusable)?;
        let trusted = trusted.unwrap_or_default();
        let is_https = url.scheme() == "https" || !trusted.is_empty();
        let roots = if is_https { TlsRoots::native_and(&trusted).map_err(unusable)? } else { TlsRoots::none() };
        let connector = Connector::new(&roots, HttpVersions::All, settings.connect_timeout.into()).map_err(unusable)?;
        Ok(Self {
            http: HttpPool::new(connector, IDLE_CONNECTIONS_MAX),
            headers: headers(&settings.credentials)?,
            request_timeout: settings.request_timeout.into(),
            url,
        })
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, SearchTrouble> {
        self.ask(Method::GET, path, None).await
    }

    pub(crate) async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, SearchTrouble> {
        self.ask(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Result<(), SearchTrouble> {
        self.ask::<Value>(Method::PUT, path, Some(body)).await.map(|_| ())
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<(), SearchTrouble> {
        self.ask::<Value>(Method::DELETE, path, None).await.map(|_| ())
    }

    /// `None` if it does not exist.
    pub(crate) async fn find<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, SearchTrouble> {
        match self.get(path).await {
            Ok(found) => Ok(Some(found)),
            Err(SearchTrouble::IndexGone | SearchTrouble::Refused { status: 404, .. }) => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, SearchTrouble> {
        let body = body.map(|body| (Bytes::from(body.to_string()), "application/json"));
        let answer = self.send(method, path, body).await?;
        serde_json::from_slice(&answer).map_err(|_| SearchTrouble::Garbage)
    }

    /// Sends newline-delimited JSON.
    pub(super) async fn post_lines(&self, path: &str, lines: Bytes) -> Result<Bytes, SearchTrouble> {
        self.send(Method::POST, path, Some((lines, "application/x-ndjson"))).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<(Bytes, &'static str)>,
    ) -> Result<Bytes, SearchTrouble> {
        let uri = format!("{}{path}", self.url.as_str().trim_end_matches('/'));
        let (body, kind) = body.map_or((Bytes::new(), None), |(body, kind)| (body, Some(kind)));
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        // The path is built from checked names: a URI that does not parse cannot be sent.
        *request.uri_mut() = uri.parse().map_err(|_| SearchTrouble::Unreachable)?;
        request.headers_mut().clone_from(&self.headers);
        if let Some(kind) = kind {
            request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        }
        let answered = self.exchange(request);
        tokio::time::timeout(self.request_timeout, answered).await.unwrap_or(Err(SearchTrouble::Unheard))
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Bytes, SearchTrouble> {
        let (head, body) = self.http.request(request).await.map_err(|error| unsent(&error))?.into_parts();
        if head.status.is_success() {
            return read(body, ANSWER_BYTES_MAX).await;
        }
        // The status is enough if the body cannot be read.
        let body = read(body, ERROR_BYTES_MAX).await.unwrap_or_default();
        let error: Option<ErrorBody> = serde_json::from_slice(&body).ok();
        let kind = error.as_ref().and_then(ErrorBody::kind);
        Err(SearchTrouble::of_status(head.status.as_u16(), kind, retry_after(&head.headers)))
    }
}

fn headers(credentials: &Credentials) -> Result<HeaderMap, Invalid> {
    let agent = HeaderValue::from_static(concat!("redrive/", env!("CARGO_PKG_VERSION")));
    let mut headers = HeaderMap::from_iter([(USER_AGENT, agent)]);
    let value = match credentials {
        Credentials::None => return Ok(headers),
        Credentials::Basic { user, password } => {
            format!("Basic {}", STANDARD.encode(format!("{user}:{}", password.reveal())))
        }
        Credentials::ApiKey(key) => format!("ApiKey {}", key.reveal()),
    };
    let unfit = || Invalid::new("credentials", Problem::Malformed, "***", "what a header can carry");
    let mut value = HeaderValue::try_from(value).map_err(|_| unfit())?;
    value.set_sensitive(true);
    headers.insert(AUTHORIZATION, value);
    Ok(headers)
}

fn unsent(error: &HttpError) -> SearchTrouble {
    if is_unsent(error) { SearchTrouble::Unreachable } else { SearchTrouble::Unheard }
}

async fn read(body: Incoming, bytes_max: usize) -> Result<Bytes, SearchTrouble> {
    match Limited::new(body, bytes_max).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(SearchTrouble::Garbage),
        Err(_) => Err(SearchTrouble::Unheard),
    }
}

/// Whole seconds only: OpenSearch and its proxies send no dates.
fn retry_after(headers: &HeaderMap) -> Option<Span> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Span::from_secs)
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("url", &self.url.as_str()).finish_non_exhaustive()
    }
}

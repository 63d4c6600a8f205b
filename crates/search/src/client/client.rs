//! One request, one answer.

use std::error::Error;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use redrive_core::{Invalid, Problem, Span};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Method, Response, Url, retry};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::SearchTrouble;
use super::trouble::ErrorBody;
use crate::{Credentials, SearchSettings};

/// A thin client: it knows paths and bodies, and what an answer means.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    url: Url,
}

/// An answer is no longer than this; a page of whole letters is the longest.
const ANSWER_BYTES_MAX: usize = 256 << 20;
/// Of an error, only its kind is wanted.
const ERROR_BYTES_MAX: usize = 1 << 20;

impl Client {
    pub(crate) fn new(settings: &SearchSettings) -> Result<Self, Invalid> {
        settings.check()?;
        let url = settings.checked_url()?;
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("redrive/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers(&settings.credentials)?)
            .connect_timeout(settings.connect_timeout.into())
            .timeout(settings.request_timeout.into())
            .redirect(Policy::none())
            // What is sent again, the projection decides.
            .retry(retry::never())
            // Where payloads go is said in one place.
            .no_proxy();
        if let Some(pem) = &settings.ca_certificate {
            let certificates = Certificate::from_pem_bundle(pem).map_err(|_| bad_certificate())?;
            if certificates.is_empty() {
                return Err(bad_certificate());
            }
            builder = builder.tls_certs_merge(certificates);
        } else if url.scheme() == "http" {
            // A machine without certificates can still call it.
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|error| {
            let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            let allowed = format!("https where there are certificates to trust ({cause})");
            Invalid::new("url", Problem::Contradiction, &url, allowed)
        })?;
        Ok(Self { http, url })
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

    /// `None` where there is no such thing.
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

    /// Lines of JSON.
    pub(super) async fn post_lines(&self, path: &str, lines: Bytes) -> Result<Bytes, SearchTrouble> {
        self.send(Method::POST, path, Some((lines, "application/x-ndjson"))).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<(Bytes, &'static str)>,
    ) -> Result<Bytes, SearchTrouble> {
        let url = format!("{}{path}", self.url.as_str().trim_end_matches('/'));
        let mut request = self.http.request(method, url);
        if let Some((body, kind)) = body {
            request = request.header(CONTENT_TYPE, kind).body(body);
        }
        let answer = request.send().await.map_err(|error| unsent(&error))?;
        let status = answer.status();
        if status.is_success() {
            return read(answer, ANSWER_BYTES_MAX).await;
        }
        let retry_after = retry_after(answer.headers());
        // The status says enough where the body says nothing.
        let body = read(answer, ERROR_BYTES_MAX).await.unwrap_or_default();
        let error: Option<ErrorBody> = serde_json::from_slice(&body).ok();
        Err(SearchTrouble::of_status(status.as_u16(), error.as_ref().and_then(ErrorBody::kind), retry_after))
    }
}

fn headers(credentials: &Credentials) -> Result<HeaderMap, Invalid> {
    let value = match credentials {
        Credentials::None => return Ok(HeaderMap::new()),
        Credentials::Basic { user, password } => {
            format!("Basic {}", STANDARD.encode(format!("{user}:{}", password.reveal())))
        }
        Credentials::ApiKey(key) => format!("ApiKey {}", key.reveal()),
    };
    let unfit = || Invalid::new("credentials", Problem::Malformed, "***", "what a header can carry");
    let mut value = HeaderValue::try_from(value).map_err(|_| unfit())?;
    value.set_sensitive(true);
    Ok(HeaderMap::from_iter([(AUTHORIZATION, value)]))
}

fn bad_certificate() -> Invalid {
    Invalid::new("ca_certificate", Problem::Malformed, "…", "one or more certificates in PEM")
}

fn unsent(error: &reqwest::Error) -> SearchTrouble {
    if error.is_connect() || error.is_builder() { SearchTrouble::Unreachable } else { SearchTrouble::Unheard }
}

async fn read(mut answer: Response, most: usize) -> Result<Bytes, SearchTrouble> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|_| SearchTrouble::Unheard)? {
        if body.len() + chunk.len() > most {
            return Err(SearchTrouble::Garbage);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.into())
}

/// Only whole seconds: OpenSearch and its proxies write no dates there.
fn retry_after(headers: &HeaderMap) -> Option<Span> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Span::from_secs)
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("url", &self.url.as_str()).finish_non_exhaustive()
    }
}

//! One call: sent, awaited, and repeated if that is safe.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use redrive_core::Span;
use redrive_proto::duh::v1::Reply;
use redrive_proto::prost::Message;
use redrive_store::random_seed;

use crate::answer::{PROTOBUF, Reader};
use crate::reason::REASON;
use crate::transport::WaitingRequest;
use crate::{Client, ClientError};

/// A call of the API.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'c> {
    pub(crate) path: &'static str,
    pub(crate) repeat: Repeat,
    /// The request's own timeout, which extends the deadline.
    pub(crate) wait: Span,
    /// Set for waiting requests that can be cancelled.
    pub(crate) waiting: Option<&'c WaitingRequest>,
}

/// When a call may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Whenever there is no answer: the call is idempotent.
    Always,
    /// Only if it was certainly not executed: it was not sent, or was rejected because of overload.
    IfNotExecuted,
}

impl Call<'_> {
    /// A call that changes nothing, or is idempotent.
    pub(crate) const fn read(path: &'static str) -> Self {
        Self { path, repeat: Repeat::Always, wait: Span::ZERO, waiting: None }
    }

    /// A call that must not be executed twice.
    pub(crate) const fn act(path: &'static str) -> Self {
        Self { path, repeat: Repeat::IfNotExecuted, wait: Span::ZERO, waiting: None }
    }

    /// Extends the deadline by the request's timeout. The server rejects an invalid one.
    pub(crate) fn within(self, request_timeout: &str) -> Self {
        Self { wait: request_timeout.parse().unwrap_or(Span::ZERO), ..self }
    }
}

impl Client {
    /// Sends a call and returns the message of its answer.
    pub(crate) async fn call<M: Message + Default>(
        &self,
        call: Call<'_>,
        request: &impl Message,
    ) -> Result<M, ClientError> {
        self.call_encoded(call, request.encode_to_vec()).await
    }

    /// Sends a call with an encoded request.
    pub(crate) async fn call_encoded<M: Message + Default>(
        &self,
        call: Call<'_>,
        request: Vec<u8>,
    ) -> Result<M, ClientError> {
        let answer = self.send(call, request.into()).await?;
        self.reader().decode(answer)
    }

    /// Sends a call whose answer has no data.
    pub(crate) async fn execute(&self, call: Call<'_>, request: &impl Message) -> Result<(), ClientError> {
        let _done: Reply = self.call(call, request).await?;
        Ok(())
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader { address: &self.inner.address.shown, bytes_max: self.inner.answer_bytes_max }
    }

    /// Sends a request, and repeats it if that is safe. Boxed, so that it is compiled once and not for each call.
    fn send<'c>(&'c self, call: Call<'c>, body: Bytes) -> BoxFuture<'c, Result<Bytes, ClientError>> {
        Box::pin(self.with_retries(call.path, call.repeat, call.wait, move || self.send_once(call, body.clone())))
    }

    /// Returns a page that needs no key.
    pub(crate) async fn page(&self, path: &'static str) -> Result<Response<Bytes>, ClientError> {
        self.with_retries(path, Repeat::Always, Span::ZERO, || self.page_once(path)).await
    }

    /// Tries until there is an answer, at most `tries` times. The deadline covers all tries.
    async fn with_retries<T, F: Future<Output = Result<T, ClientError>>>(
        &self,
        path: &'static str,
        repeat: Repeat,
        wait: Span,
        once: impl Fn() -> F,
    ) -> Result<T, ClientError> {
        let within = wait.saturating_add(self.inner.deadline);
        let tries = async {
            let mut tried = 0;
            loop {
                tried += 1;
                let error = match once().await {
                    Ok(answer) => return Ok(answer),
                    Err(error) => error,
                };
                if tried >= self.inner.tries || !repeat.allows(&error) {
                    return Err(error);
                }
                let Some(pause) = self.inner.backoff.delay(tried, random_seed()) else { return Err(error) };
                tracing::debug!(path, tried, %error, "call failed, retrying");
                tokio::time::sleep(Duration::from(pause)).await;
            }
        };
        let timed_out = || ClientError::Timeout { address: Arc::clone(&self.inner.address.shown), within };
        tokio::time::timeout(within.into(), tries).await.unwrap_or_else(|_| Err(timed_out()))
    }

    async fn send_once(&self, call: Call<'_>, body: Bytes) -> Result<Bytes, ClientError> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.inner.address.uri(call.path);
        *request.headers_mut() = self.headers();
        let response = match call.waiting {
            None => self.inner.transport.call(request).await,
            Some(waiting) => match self.inner.transport.wait(request, waiting).await {
                Some(response) => response,
                None => return Err(self.taken_back()),
            },
        };
        let response = response.map_err(|error| self.failure(error))?;
        self.reader().message(response).await
    }

    async fn page_once(&self, path: &'static str) -> Result<Response<Bytes>, ClientError> {
        let mut request = Request::new(Full::new(Bytes::new()));
        *request.uri_mut() = self.inner.address.uri(path);
        let response: Response<Incoming> =
            self.inner.transport.call(request).await.map_err(|error| self.failure(error))?;
        let (head, body) = response.into_parts();
        Ok(Response::from_parts(head, self.reader().whole(body).await?))
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROTOBUF));
        headers.insert(ACCEPT, HeaderValue::from_static(PROTOBUF));
        if let Some(authorization) = &self.inner.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        if let Some(reason) = &self.reason {
            headers.insert(REASON, reason.clone());
        }
        headers
    }

    fn failure(&self, error: hyper_util::client::legacy::Error) -> ClientError {
        let address = Arc::clone(&self.inner.address.shown);
        let is_https = self.inner.address.is_https();
        if is_https && has_cause(&error, |cause| matches!(cause, rustls::Error::InvalidMessage(_))) {
            return ClientError::NotTls { address };
        }
        if !is_https && has_cause(&error, hyper::Error::is_parse) {
            return ClientError::NotHttp { address };
        }
        let is_unsent = error.is_connect() || was_canceled(&error);
        let source = Arc::new(error);
        if is_unsent { ClientError::Connect { address, source } } else { ClientError::Broken { address, source } }
    }

    /// The error of a call that was cancelled while it waited.
    pub(crate) fn taken_back(&self) -> ClientError {
        let source = Arc::new(std::io::Error::from(std::io::ErrorKind::Interrupted));
        ClientError::Broken { address: Arc::clone(&self.inner.address.shown), source }
    }
}

impl Repeat {
    fn allows(self, error: &ClientError) -> bool {
        match error {
            ClientError::Connect { .. } => true,
            ClientError::Broken { .. } => self == Self::Always,
            // It timed out at the server, and its outcome is unknown.
            error if error.is_request_timeout() => self == Self::Always,
            error => error.is_overloaded(),
        }
    }
}

/// Whether an error, or an error that it wraps, is of this type and matches.
fn has_cause<E: Error + 'static>(error: &(dyn Error + 'static), matches: impl Fn(&E) -> bool) -> bool {
    let mut causes = std::iter::successors(Some(error), |cause| inner(*cause));
    causes.any(|cause| cause.downcast_ref().is_some_and(&matches))
}

/// The cause of an error. The error inside of an I/O error is a cause, too.
fn inner<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e (dyn Error + 'static)> {
    let inside = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    inside.map(|inside| inside as &(dyn Error + 'static)).or_else(|| error.source())
}

/// Whether the connection ended before any part of the request was written to it.
fn was_canceled(error: &hyper_util::client::legacy::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<hyper::Error>());
    cause.is_some_and(hyper::Error::is_canceled)
}

/// Returns a unique request id.
pub(crate) fn fresh_request_id() -> String {
    format!("{:016x}{:016x}", random_seed(), random_seed())
}

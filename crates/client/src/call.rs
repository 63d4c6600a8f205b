//! One call: sent, waited for, and tried again where it may be.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use redrive_core::Span;
use redrive_proto::duh::v1::Reply;
use redrive_proto::prost::Message;

use crate::answer::{PROTOBUF, Reader};
use crate::reason::REASON;
use crate::transport::Line;
use crate::{Client, ClientError};

/// A call of the API.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'c> {
    pub(crate) path: &'static str,
    pub(crate) again: Again,
    /// How long the request itself allows it to take.
    pub(crate) wait: Span,
    /// For requests that wait, and may be taken back.
    pub(crate) line: Option<&'c Line>,
}

/// When a call may be tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// Whenever its answer did not come: asked twice is as good as once.
    Always,
    /// Where it certainly was not done: it was not sent, or not taken.
    IfNotDone,
}

impl Call<'_> {
    /// Something that changes nothing.
    pub(crate) const fn read(path: &'static str) -> Self {
        Self { path, again: Again::Always, wait: Span::ZERO, line: None }
    }

    /// Something that must not happen twice.
    pub(crate) const fn act(path: &'static str) -> Self {
        Self { path, again: Again::IfNotDone, wait: Span::ZERO, line: None }
    }

    /// Allows what the request allows. What is no time, the server refuses.
    pub(crate) fn within(self, request_timeout: &str) -> Self {
        Self { wait: request_timeout.parse().unwrap_or(Span::ZERO), ..self }
    }
}

impl Client {
    /// A call that answers with a message.
    pub(crate) async fn ask<M: Message + Default>(
        &self,
        call: Call<'_>,
        request: &impl Message,
    ) -> Result<M, ClientError> {
        self.ask_encoded(call, request.encode_to_vec()).await
    }

    /// The same with a request that is encoded already.
    pub(crate) async fn ask_encoded<M: Message + Default>(
        &self,
        call: Call<'_>,
        request: Vec<u8>,
    ) -> Result<M, ClientError> {
        let answer = self.send(call, request.into()).await?;
        self.reader().decode(answer)
    }

    /// A call that answers that it is done.
    pub(crate) async fn tell(&self, call: Call<'_>, request: &impl Message) -> Result<(), ClientError> {
        let _done: Reply = self.ask(call, request).await?;
        Ok(())
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader { address: &self.inner.address.shown, bytes_max: self.inner.answer_bytes_max }
    }

    /// Sends a request, as often as it may be, within its deadline.
    async fn send(&self, call: Call<'_>, body: Bytes) -> Result<Bytes, ClientError> {
        self.persist(call.path, call.again, call.wait, || self.send_once(call, body.clone())).await
    }

    /// A page that everybody may look at.
    pub(crate) async fn page(&self, path: &'static str) -> Result<Response<Bytes>, ClientError> {
        self.persist(path, Again::Always, Span::ZERO, || self.page_once(path)).await
    }

    /// Tries until it is answered, as often as it may be. The deadline is that of all tries together.
    async fn persist<T, F: Future<Output = Result<T, ClientError>>>(
        &self,
        path: &'static str,
        again: Again,
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
                if tried >= self.inner.tries || !again.allows(&error) {
                    return Err(error);
                }
                let Some(pause) = self.inner.backoff.delay(tried, random()) else { return Err(error) };
                tracing::debug!(path, tried, %error, "trying again");
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
        let response = match call.line {
            None => self.inner.transport.call(request).await,
            Some(line) => match self.inner.transport.wait(request, line).await {
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
        let is_unsent = error.is_connect() || was_canceled(&error);
        let source = Arc::new(error);
        if is_unsent { ClientError::Connect { address, source } } else { ClientError::Broken { address, source } }
    }

    pub(crate) fn taken_back(&self) -> ClientError {
        let source = Arc::new(std::io::Error::from(std::io::ErrorKind::Interrupted));
        ClientError::Broken { address: Arc::clone(&self.inner.address.shown), source }
    }
}

impl Again {
    fn allows(self, error: &ClientError) -> bool {
        match error {
            ClientError::Connect { .. } => true,
            ClientError::Broken { .. } => self == Self::Always,
            // Its time was over, and whether it was done is not known.
            error if error.is_request_timeout() && !error.is_no_items() => self == Self::Always,
            error => error.is_overloaded(),
        }
    }
}

/// The connection ended before anything of the request was written to it.
fn was_canceled(error: &hyper_util::client::legacy::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<hyper::Error>());
    cause.is_some_and(hyper::Error::is_canceled)
}

/// An id that no other request has.
pub(crate) fn fresh_request_id() -> String {
    format!("{:016x}{:016x}", random(), random())
}

/// A number for jitter and for ids, which nobody needs to foresee.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

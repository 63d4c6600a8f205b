//! Several pieces of work in one request.
//!
//! The format is described in `docs/targets.md`.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::StatusCode;
use http::header::HeaderValue;
use http_body_util::Full;
use redrive_core::{Failure, Link, Time};
use redrive_model::Content;
use serde::Serialize;

use super::answer::{self, Setup};
use super::body::Body;
use super::broken::BrokenConnection;
use super::partial::{ITEMS_FORM, PartialAnswer};
use super::transport::{HttpReply, HttpRequest};
use super::{HttpTarget, request};
use crate::{Call, Handled, Work};

/// The version of the format.
const VERSION: u32 = 1;
const MEDIA_TYPE: HeaderValue = HeaderValue::from_static("application/vnd.redrive.batch.v1+json");

#[derive(Serialize)]
struct BatchBody<'w> {
    version: u32,
    items: Vec<BatchItem<'w>>,
}

#[derive(Serialize)]
struct BatchItem<'w> {
    id: String,
    attempt: u32,
    deliveries: u32,
    idempotency_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_id: Option<&'w str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'w str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    kind: &'w str,
    #[serde(skip_serializing_if = "str::is_empty")]
    encoding: &'w str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    parts: &'w [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'w str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_base64: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    headers: Vec<BatchHeader<'w>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<&'w str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload_base64: Option<String>,
}

#[derive(Serialize)]
struct BatchHeader<'w> {
    name: &'w str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'w str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_base64: Option<String>,
}

/// Bytes as text if they are UTF-8, else as base64.
fn text_or_base64(bytes: &[u8]) -> (Option<&str>, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Some(text), None),
        Err(_) => (None, Some(STANDARD.encode(bytes))),
    }
}

impl<'w> BatchItem<'w> {
    fn of(work: &'w Work) -> Self {
        let content = &*work.content;
        let (key, key_base64) = content.key.as_deref().map(text_or_base64).unwrap_or_default();
        let (payload, payload_base64) = text_or_base64(&content.payload);
        let headers = content.headers.iter().take(Content::HEADERS_MAX).map(|header| {
            let (value, value_base64) = text_or_base64(&header.value);
            BatchHeader { name: &header.name, value, value_base64 }
        });
        Self {
            id: work.id.to_string(),
            attempt: work.attempt,
            deliveries: work.deliveries,
            idempotency_key: work.idempotency_key(),
            trace_id: work.trace_id.as_deref(),
            request_id: work.request_id.as_deref(),
            kind: &content.kind,
            encoding: &content.encoding,
            parts: &work.parts,
            key,
            key_base64,
            headers: headers.collect(),
            payload,
            payload_base64,
        }
    }
}

/// The result of one request with several pieces of work.
#[derive(Debug)]
pub enum BatchResult {
    /// The result of each piece, in order.
    Each(Vec<Handled>),
    /// The target rejected the request as a whole: nothing of it is done. It may ask to wait until `retry_at`.
    Rejected { failure: Box<Failure>, retry_at: Option<Time> },
    /// The target was not reached: nothing was sent.
    NotReached(Box<Failure>),
    /// The connection broke off: it is not known what was done.
    BrokeOff(Box<Failure>),
}

impl HttpTarget {
    /// Sends several pieces of work in one request.
    ///
    /// A success means that all of them are done, and a 207 names those that failed.
    pub async fn handle_all(&self, calls: &[Call]) -> BatchResult {
        let body = BatchBody { version: VERSION, items: calls.iter().map(|call| BatchItem::of(call)).collect() };
        let body = match serde_json::to_vec(&body) {
            Ok(body) => Bytes::from(body),
            Err(error) => return all(calls, &Failure::new(format!("invalid: the batch cannot be written: {error}"))),
        };
        let mut request = HttpRequest::new(Full::new(body.clone()));
        *request.method_mut() = self.method.clone();
        request.headers_mut().clone_from(&self.headers);
        request::describe_body(request.headers_mut(), body.len(), || MEDIA_TYPE);
        match self.transport.send(request).await {
            Ok(answer) => {
                calls.iter().for_each(Call::beat);
                judge(&self.setup, answer, calls, self.clock.now()).await
            }
            Err(error) => {
                let failure = Box::new(answer::broken(&self.setup, &error));
                match error {
                    BrokenConnection::NotReached(_) => {
                        calls.iter().for_each(Call::not_sent);
                        BatchResult::NotReached(failure)
                    }
                    BrokenConnection::Request(_) | BrokenConnection::Body(_) => BatchResult::BrokeOff(failure),
                }
            }
        }
    }
}

async fn judge(setup: &Setup, mut answer: HttpReply, calls: &[Call], now: Time) -> BatchResult {
    match answer.status() {
        status if !setup.is_expected(status) => {
            let failure = answer::unsuccessful(setup, &mut answer, calls, now).await;
            // The target did something else than it should.
            if status.is_success() {
                return all(calls, &failure);
            }
            let retry_at = failure.retry_after.map(|wait| now.saturating_add(wait));
            BatchResult::Rejected { failure: Box::new(failure), retry_at }
        }
        StatusCode::MULTI_STATUS => {
            let body = Body::read(&mut answer, setup.body_bytes_max, calls).await;
            partial(setup, &answer, body, calls, now)
        }
        _ => {
            answer::skip_body(setup, &mut answer, calls).await;
            BatchResult::Each(vec![Handled::DONE; calls.len()])
        }
    }
}

fn partial(setup: &Setup, answer: &HttpReply, body: Body, calls: &[Call], now: Time) -> BatchResult {
    let found = match answer::whole(setup, answer.status(), body) {
        Ok(bytes) => PartialAnswer::parse(&bytes),
        Err(failure) => return all(calls, &failure),
    };
    let ids: Vec<String> = calls.iter().map(|call| call.id.to_string()).collect();
    // An id that was not sent says that the answer is about something else: nothing is known to be done then.
    let found = found.filter(|found| found.failed().all(|(id, _)| ids.iter().any(|sent| sent == id)));
    let Some(found) = found else {
        let what = format!("without naming failed items of the batch; expected {ITEMS_FORM}");
        return all(calls, &answer::coded(setup, answer.status(), "unrecognised_result", &what));
    };
    let failed: BTreeMap<&str, Option<Link>> = found.failed().collect();
    // The text is classified, so it must not contain ids, which are data.
    let what = format!(": {} of {} items of the batch failed", failed.len(), calls.len());
    let failure = answer::status_failure(setup, answer.status(), &what, answer.headers(), now);
    let results = ids.iter().map(|id| match failed.get(id.as_str()) {
        None => Handled::DONE,
        Some(error) => {
            let causes = error.iter().cloned().chain(found.error()).collect();
            Handled::failed(Failure { causes, ..failure.clone() })
        }
    });
    BatchResult::Each(results.collect())
}

fn all(calls: &[Call], failure: &Failure) -> BatchResult {
    BatchResult::Each(calls.iter().map(|_| Handled::failed(failure.clone())).collect())
}

//! From a response to the result of the attempt.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderMap, LOCATION, RETRY_AFTER};
use redrive_core::{Evidence, Failure, IoKind, Kind, Time};
use url::Url;

use super::address::shown_url;
use super::body::Body;
use super::broken::BrokenConnection;
use super::expected::ExpectedStatus;
use super::media_type::is_textual;
use super::partial::{FORM, Partial, PartialAnswer};
use super::transport::HttpReply;
use crate::handler::wire::{self, detail, evidence_of, retry_after};
use crate::{Call, Handled};

/// How long an unused body is read so that the connection can be reused.
const LEFTOVER_WITHIN: Duration = Duration::from_secs(1);
/// How long the body of an error is read. The status is the evidence; the body only adds details for operators.
const DETAIL_WITHIN: Duration = Duration::from_secs(5);

/// The settings by which a response is judged.
pub(super) struct Setup {
    /// Method and URL for error texts, without secrets.
    pub(super) named: String,
    /// The base of relative redirects, without secrets.
    pub(super) url: Url,
    pub(super) body_bytes_max: usize,
    pub(super) body_is_result: bool,
    pub(super) expected: Vec<ExpectedStatus>,
}

impl Setup {
    pub(super) fn is_expected(&self, status: StatusCode) -> bool {
        self.expected.iter().any(|expected| expected.contains(status))
    }
}

/// Turns a response into the result of the attempt.
pub(super) async fn judge(setup: &Setup, mut answer: HttpReply, call: &Call, now: Time) -> Handled {
    let calls = std::slice::from_ref(call);
    match answer.status() {
        status if !setup.is_expected(status) => unsuccessful(setup, &mut answer, calls, now).await.into(),
        StatusCode::MULTI_STATUS => {
            let body = Body::read(&mut answer, setup.body_bytes_max, calls).await;
            partial(setup, &answer, body, call, now)
        }
        status if setup.body_is_result => {
            let body = Body::read(&mut answer, setup.body_bytes_max, calls).await;
            result(setup, status, body)
        }
        _ => {
            skip_body(setup, &mut answer, calls).await;
            Handled::DONE
        }
    }
}

/// Reads an unused body for a while, so that the connection can be used again. The status decides, even if that fails.
pub(super) async fn skip_body(setup: &Setup, answer: &mut HttpReply, calls: &[Call]) {
    let rest = Body::read(answer, setup.body_bytes_max, calls);
    drop(tokio::time::timeout(LEFTOVER_WITHIN, rest).await);
}

/// The failure for a status that is not expected.
pub(super) async fn unsuccessful(setup: &Setup, answer: &mut HttpReply, calls: &[Call], now: Time) -> Failure {
    match answer.status() {
        status if status.is_success() => unexpected(setup, status),
        status if status.is_redirection() => redirected(setup, answer),
        _ => refused(setup, answer, calls, now).await,
    }
}

/// The failure for a status that usually means success.
fn unexpected(setup: &Setup, status: StatusCode) -> Failure {
    let expected: Vec<String> = setup.expected.iter().map(ToString::to_string).collect();
    coded(setup, status, "unexpected_status", &format!("instead of an expected status ({})", expected.join(", ")))
}

fn result(setup: &Setup, status: StatusCode, body: Body) -> Handled {
    match body {
        Body::Whole(bytes) => Handled::Done { result: Some(bytes) },
        Body::Cut(_) => {
            let most = setup.body_bytes_max;
            let what = format!("with more than {most} bytes, and a result is at most that long");
            coded(setup, status, "result_too_long", &what).into()
        }
        Body::Broken(_, error) => broken(setup, &error).into(),
    }
}

/// The body of a response that names what failed.
pub(super) fn whole(setup: &Setup, status: StatusCode, body: Body) -> Result<Bytes, Box<Failure>> {
    match body {
        Body::Whole(bytes) => Ok(bytes),
        Body::Cut(_) => {
            let what = format!("with a body of more than {} bytes, which is too long to be read", setup.body_bytes_max);
            Err(Box::new(coded(setup, status, "unrecognised_result", &what)))
        }
        Body::Broken(_, error) => Err(Box::new(broken(setup, &error))),
    }
}

fn partial(setup: &Setup, answer: &HttpReply, body: Body, call: &Call, now: Time) -> Handled {
    let status = answer.status();
    let bytes = match whole(setup, status, body) {
        Ok(bytes) => bytes,
        Err(failure) => return (*failure).into(),
    };
    let Some(Partial { parts, errors }) = PartialAnswer::parse(&bytes).map(Partial::from) else {
        let what = format!("without naming the failed parts; expected {FORM}");
        return coded(setup, status, "unrecognised_result", &what).into();
    };
    if parts.is_empty() {
        return Handled::Done { result: setup.body_is_result.then_some(bytes) };
    }
    // The text is classified, so it must not contain the names of parts, which are data.
    let what = match call.parts.len() {
        0 => format!("{} parts failed", parts.len()),
        all => format!("{} of {all} parts failed", parts.len()),
    };
    let mut failure = status_failure(setup, status, &format!(": {what}"), answer.headers(), now);
    failure.causes = errors;
    failure.causes.truncate(Failure::CAUSES_MAX);
    failure.parts = parts;
    failure.into()
}

/// The failure for a redirect. It is not followed: that would send the payload to a server that the operator did not
/// configure.
fn redirected(setup: &Setup, answer: &HttpReply) -> Failure {
    let status = answer.status().as_u16();
    let to = answer.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    let to = to.and_then(|to| setup.url.join(to).ok());
    let to = to.map_or_else(String::new, |to| format!(" to {}", detail(shown_url(&to).as_bytes())));
    let message = format!("{} answered {status}, a redirect{to}; redirects are not followed", setup.named);
    let mut failure = Failure::new(message).with_evidence(Evidence::http(status));
    failure.error.kind = "http.redirect".parse::<Kind>().ok();
    failure
}

async fn refused(setup: &Setup, answer: &mut HttpReply, calls: &[Call], now: Time) -> Failure {
    let body = tokio::time::timeout(DETAIL_WITHIN, Body::read(answer, setup.body_bytes_max, calls)).await;
    let bytes = body.map(Body::beginning).unwrap_or_default();
    let said = if is_readable(answer.headers(), &bytes) { detail(&bytes) } else { String::new() };
    let said = if said.is_empty() { said } else { format!(": {said}") };
    let mut failure = status_failure(setup, answer.status(), &said, answer.headers(), now);
    failure.answer_at = failure.error.message.len().checked_sub(said.len());
    failure
}

/// The failure for a status, with the retry hints of the headers.
pub(super) fn status_failure(setup: &Setup, status: StatusCode, what: &str, headers: &HeaderMap, now: Time) -> Failure {
    let hint = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let hint = hint.and_then(|value| retry_after(value, now));
    let is_spent = |name| headers.get(name).is_some_and(|value| value.as_bytes().trim_ascii() == b"0");
    let rate_limited = is_spent("x-ratelimit-remaining")
        || is_spent("ratelimit-remaining")
        || status == StatusCode::FORBIDDEN && headers.contains_key(RETRY_AFTER);
    let reason = status.canonical_reason().map_or_else(String::new, |reason| format!(" {reason}"));
    let mut failure = Failure::new(format!("{} answered {}{reason}{what}", setup.named, status.as_u16()))
        .with_evidence(Evidence::Http { status: status.as_u16(), rate_limited });
    failure.retry_after = hint;
    failure
}

/// The failure for a response that violates the protocol.
pub(super) fn coded(setup: &Setup, status: StatusCode, code: &str, what: &str) -> Failure {
    let mut failure = Failure::new(format!("{} answered {} {what}", setup.named, status.as_u16()))
        .with_evidence(Evidence::http(status.as_u16()));
    failure.error.code = Some(code.to_owned());
    failure
}

fn is_readable(headers: &HeaderMap, bytes: &[u8]) -> bool {
    match headers.get(CONTENT_TYPE).map(|value| value.to_str()) {
        Some(Ok(media_type)) => is_textual(media_type),
        Some(Err(_)) => false,
        None => !bytes.contains(&0),
    }
}

/// The failure for a connection that broke before or during the response.
pub(super) fn broken(setup: &Setup, broken: &BrokenConnection) -> Failure {
    let cause = broken.cause();
    let what = match (broken, cause.and_then(evidence_of)) {
        (BrokenConnection::NotReached(_), Some(Evidence::Io(IoKind::TimedOut))) => "was not reached in time",
        (BrokenConnection::NotReached(_), _) => "was not reached",
        (BrokenConnection::Request(_) | BrokenConnection::Body(_), _) => "broke off",
    };
    wire::broken(format!("{} {what}", setup.named), cause)
}

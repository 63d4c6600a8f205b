//! From an answer to what became of the work.

use std::time::Duration;

use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderMap, LOCATION, RETRY_AFTER};
use redrive_core::{Evidence, Failure, IoKind, Kind, Time};
use url::Url;

use super::address::shown_url;
use super::body::Body;
use super::media_type::is_textual;
use super::partial::{FORM, Partial};
use super::transport::{BrokenConnection, HttpReply};
use crate::handler::wire::{detail, evidence_of, links_of, retry_after};
use crate::{Call, Handled};

/// The rest of a body that nobody needs is read only so that the connection can be used again: not for longer.
const LEFTOVER_WITHIN: Duration = Duration::from_secs(1);
/// The status says what to do; what the body adds for people is not worth more waiting.
const DETAIL_WITHIN: Duration = Duration::from_secs(5);

/// What the answer is judged by.
pub(super) struct Setup {
    /// What is called, as it may be shown: the method and the url without its secrets.
    pub(super) named: String,
    /// Likewise: a redirect may be relative to it.
    pub(super) url: Url,
    pub(super) body_bytes_max: usize,
    pub(super) body_is_result: bool,
}

/// What an answer means.
pub(super) async fn judge(setup: &Setup, mut answer: HttpReply, call: &Call, now: Time) -> Handled {
    let handled = match answer.status() {
        StatusCode::MULTI_STATUS => {
            let body = Body::read(&mut answer, setup.body_bytes_max, call).await;
            partial(setup, &answer, body, call, now)
        }
        status if status.is_success() && setup.body_is_result => {
            let body = Body::read(&mut answer, setup.body_bytes_max, call).await;
            result(setup, status, body)
        }
        status if status.is_success() => {
            // The status was the answer, whatever becomes of the rest.
            let rest = Body::read(&mut answer, setup.body_bytes_max, call);
            drop(tokio::time::timeout(LEFTOVER_WITHIN, rest).await);
            Handled::DONE
        }
        status if status.is_redirection() => redirected(setup, &answer).into(),
        _ => refused(setup, &mut answer, call, now).await.into(),
    };
    answer.give_back().await;
    handled
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

fn partial(setup: &Setup, answer: &HttpReply, body: Body, call: &Call, now: Time) -> Handled {
    let status = answer.status();
    let bytes = match body {
        Body::Whole(bytes) => bytes,
        Body::Cut(_) => {
            let what = format!("with more than {} bytes, of which none were read", setup.body_bytes_max);
            return coded(setup, status, "unrecognised_result", &what).into();
        }
        Body::Broken(_, error) => return broken(setup, &error).into(),
    };
    let Some(Partial { parts, errors }) = Partial::parse(&bytes) else {
        let what = format!("and does not tell which parts failed; that is told by {FORM}");
        return coded(setup, status, "unrecognised_result", &what).into();
    };
    if parts.is_empty() {
        return Handled::Done { result: setup.body_is_result.then_some(bytes) };
    }
    // Names of parts stay out of the text: they are data, and the text is classified.
    let what = match call.parts.len() {
        0 => format!("{} parts failed", parts.len()),
        all => format!("{} of {all} parts failed", parts.len()),
    };
    let mut failure = told(setup, status, &format!(": {what}"), answer.headers(), now);
    failure.causes = errors;
    failure.causes.truncate(Failure::CAUSES_MAX);
    failure.parts = parts;
    failure.into()
}

/// A redirect is answered by whoever configured the target: following it would hand the payload to somebody else.
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

async fn refused(setup: &Setup, answer: &mut HttpReply, call: &Call, now: Time) -> Failure {
    let body = tokio::time::timeout(DETAIL_WITHIN, Body::read(answer, setup.body_bytes_max, call)).await;
    let bytes = body.map(Body::beginning).unwrap_or_default();
    let said = if is_readable(answer.headers(), &bytes) { detail(&bytes) } else { String::new() };
    let said = if said.is_empty() { said } else { format!(": {said}") };
    told(setup, answer.status(), &said, answer.headers(), now)
}

/// A failure by the status of an answer and by what its headers say about the next attempt.
fn told(setup: &Setup, status: StatusCode, what: &str, headers: &HeaderMap, now: Time) -> Failure {
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

/// An answer that is not what was agreed on.
fn coded(setup: &Setup, status: StatusCode, code: &str, what: &str) -> Failure {
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

/// A conversation that broke, before or in the middle of an answer.
pub(super) fn broken(setup: &Setup, broken: &BrokenConnection) -> Failure {
    let cause: Option<&(dyn std::error::Error + 'static)> = match broken {
        BrokenConnection::NotInTime => None,
        BrokenConnection::NotReached(cause) => Some(&**cause),
        BrokenConnection::BrokeOff(cause) => Some(cause),
    };
    let evidence = cause.and_then(evidence_of);
    let (what, kind) = match (broken, &evidence) {
        (BrokenConnection::NotInTime, _) | (BrokenConnection::NotReached(_), Some(Evidence::Io(IoKind::TimedOut))) => {
            ("was not reached in time", "timeout")
        }
        (BrokenConnection::NotReached(_), _) => ("was not reached", "connection"),
        (BrokenConnection::BrokeOff(_), _) => ("broke off", "connection"),
    };
    let mut failure = Failure::new(format!("{} {what}", setup.named));
    failure.causes = cause.map(links_of).unwrap_or_default();
    if evidence.is_none() {
        failure.error.kind = kind.parse::<Kind>().ok();
    }
    failure.error.evidence = evidence;
    failure
}

//! Fields of requests about letters, and what they are refused with.

use redrive_core::{Evidence, Failure, GrpcCode, LetterId, QueueName, RetryPolicy};
use redrive_model::Rejection;
use redrive_proto::redrive::v1;
use redrive_store::StoreError;

use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::fault::{Code, Fault};
use crate::wire;

/// Pages are this long where nothing else is said, and never longer than that: `next` says how to go on.
pub(super) const PAGE: usize = 100;
pub(super) const PAGE_MAX: usize = 1_000;

impl Desk {
    /// The name of a queue with letters. One that is not there is not found: so say all calls about letters.
    pub(in crate::letters) async fn dead_queue(&self, name: &str, permission: Permission) -> Result<QueueName, Fault> {
        let not_found = |missing: Fault| Fault { code: Code::NotFound, ..missing.because("not_found") };
        let found = self.queue_or(name, permission, not_found).await;
        found.map_err(|fault| if fault.code == Code::BadRequest { fault.because("invalid") } else { fault })
    }
}

/// What is confidential in letters is looked at by those who say why.
pub(super) fn needs_reason(desk: &Desk) -> Result<(), Fault> {
    if desk.reason.as_ref().is_none_or(|reason| reason.trim().is_empty()) {
        let message =
            "reason is required; say in the header X-Redrive-Reason why payloads, headers or keys are looked at";
        return Err(Fault::bad(message).because("reason_required"));
    }
    Ok(())
}

/// A request that makes no sense.
fn invalid(message: impl Into<std::borrow::Cow<'static, str>>) -> Fault {
    Fault::bad(message).because("invalid")
}

/// A word of a closed set; none where nothing is said.
pub(super) fn one_of<T: std::str::FromStr>(field: &str, text: &str) -> Result<Option<T>, Fault> {
    wire::one_of(field, text).map_err(|fault| fault.because("invalid"))
}

pub(crate) fn letter_id(text: &str) -> Result<LetterId, Fault> {
    text.parse().map(LetterId::new).map_err(|error| invalid(format!("letter id is invalid; '{text}': {error}")))
}

/// How many are wanted of a page.
pub(super) fn limit(given: i32) -> Result<usize, Fault> {
    let limit = crate::paging::limit(given, PAGE).map_err(|fault| fault.because("invalid"))?;
    Ok(limit.min(PAGE_MAX))
}

/// How often a letter is retried, where it is said.
pub(super) fn max_retries(given: Option<i32>) -> Result<Option<u32>, Fault> {
    let wrong = |given| invalid(format!("max_retries is invalid; must be 0 to 100, but {given} was given"));
    given.map(|given| u32::try_from(given).ok().filter(|given| *given <= 100).ok_or_else(|| wrong(given))).transpose()
}

pub(super) fn retry_policy(text: &str) -> Result<Option<RetryPolicy>, Fault> {
    one_of("retry_policy", text)
}

/// What went wrong, as the classifier hears it.
pub(super) fn failure(fault: &v1::Fault) -> Result<Failure, Fault> {
    let mut failure = Failure::new(fault.error.clone());
    failure.error.kind = one_of("error_type", &fault.error_type)?;
    let given = [fault.http_status.is_some(), fault.grpc_status.is_some(), !fault.sqlstate.is_empty()];
    if given.into_iter().filter(|given| *given).count() > 1 {
        return Err(invalid("fault is invalid; only one of http_status, grpc_status and sqlstate can be given"));
    }
    failure.error.evidence = match (fault.http_status, fault.grpc_status) {
        (Some(status), _) => Some(Evidence::http(http_status(status)?)),
        (_, Some(status)) => Some(Evidence::Grpc(grpc_status(status)?)),
        _ => one_of("sqlstate", &fault.sqlstate)?.map(Evidence::Sql),
    };
    Ok(failure)
}

fn http_status(given: i32) -> Result<u16, Fault> {
    let status = u16::try_from(given).ok().filter(|status| (100..=599).contains(status));
    status.ok_or_else(|| invalid(format!("http_status is invalid; must be 100 to 599, but {given} was given")))
}

fn grpc_status(given: i32) -> Result<GrpcCode, Fault> {
    let code = u32::try_from(given).ok().and_then(GrpcCode::from_number);
    code.ok_or_else(|| invalid(format!("grpc_status is invalid; must be 1 to 16, but {given} was given")))
}

/// What an act on letters is about.
pub(super) fn targets(queue: &str, ids: &[String]) -> Option<Vec<AuditTarget>> {
    let letters = ids.iter().map(|id| AuditTarget::new("letter", id));
    Some([AuditTarget::new("queue", queue)].into_iter().chain(letters).collect())
}

/// Calls about letters tell what is not there, what somebody else has, and what is full by codes of their own.
pub(super) fn refused(error: StoreError) -> Fault {
    let StoreError::Rejected(refusal) = error else { return error.into() };
    let (code, reason) = match refusal {
        Rejection::NoSuchLetter(_) | Rejection::NoSuchQueue(_) => (Code::NotFound, "not_found"),
        Rejection::LetterConflict { .. } => (Code::Conflict, "conflict"),
        Rejection::LetterDamaged(_) => (Code::Conflict, "damaged"),
        Rejection::LetterChanged { .. } => (Code::Conflict, "stale_revision"),
        Rejection::SourceHeld { .. } | Rejection::DuplicateLetter { .. } => (Code::Conflict, "duplicate"),
        Rejection::OtherPayload { .. } => (Code::Conflict, "other_payload"),
        Rejection::QueueFull { .. } => (Code::TooMany, "queue_full"),
        Rejection::CaptureDisabled => (Code::Conflict, "disabled"),
        Rejection::SkippedByStrategy { .. } => (Code::Conflict, "skipped_by_strategy"),
        other => return Fault::from(other).because("invalid"),
    };
    Fault::new(code, refusal.to_string()).because(reason)
}

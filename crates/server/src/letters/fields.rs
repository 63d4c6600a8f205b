//! The fields of requests about letters, and the errors of these calls.

use redrive_core::{Evidence, Failure, GrpcCode, LetterId, Link, QueueName, RetryPolicy, Span, Status};
use redrive_model::Rejection;
use redrive_proto::redrive::v1;
use redrive_store::StoreError;

use crate::api_error::{ApiError, Code};
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::problems::Problems;
use crate::request_context::RequestContext;
pub(super) use crate::wire::one_of;

/// Default length of a page. `next` of the response continues the list.
pub(super) const PAGE: usize = 100;
/// Maximum length of a page; a larger limit is reduced to it.
pub(super) const PAGE_MAX: usize = 1_000;

impl RequestContext {
    /// Checks the name of a dead queue and the caller's permission. All calls about letters report a missing queue as
    /// "not found".
    pub(in crate::letters) async fn dead_queue(
        &self,
        name: &str,
        permission: Permission,
    ) -> Result<QueueName, ApiError> {
        let not_found = |missing: ApiError| ApiError { code: Code::NotFound, ..missing.grouped("not_found") };
        let checked = self.queue_or(name, permission, not_found).await;
        checked.map_err(|error| if error.code == Code::BadRequest { error.grouped("invalid") } else { error })
    }
}

/// Rejects a request without a reason. Every call that reveals confidential parts of letters needs one.
pub(super) fn needs_reason(ctx: &RequestContext) -> Result<(), ApiError> {
    if ctx.reason.as_ref().is_none_or(|reason| reason.trim().is_empty()) {
        let message =
            "reason is required; say in the header X-Redrive-Reason why payloads, headers or keys are looked at";
        return Err(ApiError::bad(message).because("reason_required"));
    }
    Ok(())
}

pub(crate) fn letter_id(text: &str) -> Result<LetterId, ApiError> {
    text.parse().map(LetterId::new).map_err(|error| ApiError::bad(format!("letter id is invalid; '{text}': {error}")))
}

/// Reads the statuses of a filter.
pub(super) fn statuses(texts: &[String]) -> Result<Vec<Status>, ApiError> {
    texts.iter().filter_map(|text| one_of("status", text).transpose()).collect()
}

/// The limit of a page; [`PAGE`] if the request sets none.
pub(super) fn limit(given: i32) -> Result<usize, ApiError> {
    let limit = crate::paging::limit(given, PAGE)?;
    Ok(limit.min(PAGE_MAX))
}

/// The maximum number of retries, 0 to 100, if the request sets it.
pub(super) fn max_retries(given: Option<i32>) -> Result<Option<u32>, ApiError> {
    let wrong = |given| ApiError::bad(format!("max_retries is invalid; must be 0 to 100, but {given} was given"));
    given.map(|given| u32::try_from(given).ok().filter(|given| *given <= 100).ok_or_else(|| wrong(given))).transpose()
}

pub(super) fn retry_policy(text: &str) -> Result<Option<RetryPolicy>, ApiError> {
    one_of("retry_policy", text)
}

/// Reads a failure for the classifier. All calls with a failure use this, so that they classify it in the same way.
pub(crate) fn failure(fault: v1::Fault) -> Result<Failure, ApiError> {
    let v1::Fault {
        error,
        error_type,
        http_status,
        grpc_status,
        sqlstate,
        category: _,
        code,
        io_kind,
        causes,
        retry_after,
        rate_limited,
    } = fault;
    if causes.len() > Failure::CAUSES_MAX {
        let (most, given) = (Failure::CAUSES_MAX, causes.len());
        let error = ApiError::bad(format!("causes is invalid; must be at most {most}, but {given} were given"));
        return Err(error.of_field("causes"));
    }
    let outermost =
        v1::FaultCause { error, error_type, code, http_status, grpc_status, io_kind, sqlstate, rate_limited };
    let mut problems = Problems::default();
    let error = link("", outermost, &mut problems);
    let causes = causes.into_iter().enumerate();
    let causes = causes.map(|(index, cause)| link(&format!("causes[{index}]."), cause, &mut problems)).collect();
    let retry_after = problems.field("retry_after", span("retry_after", &retry_after));
    problems.finish(Failure { error, causes, retry_after, ..Failure::default() })
}

/// Reads one error of a chain of causes; `prefix` is the prefix of its field names in error messages.
fn link(prefix: &str, sent: v1::FaultCause, problems: &mut Problems) -> Link {
    let error_type = format!("{prefix}error_type");
    let kind = problems.field(&error_type, one_of(&error_type, &sent.error_type));
    let evidence = problems.fields(evidence(prefix, &sent));
    let code = (!sent.code.is_empty()).then_some(sent.code);
    Link { kind, code, message: sent.error, evidence, ..Link::default() }
}

fn evidence(prefix: &str, sent: &v1::FaultCause) -> Result<Option<Evidence>, ApiError> {
    let field = |name: &str| format!("{prefix}{name}");
    let given =
        [sent.http_status.is_some(), sent.grpc_status.is_some(), !sent.io_kind.is_empty(), !sent.sqlstate.is_empty()];
    if given.into_iter().filter(|given| *given).count() > 1 {
        let fault = if prefix.is_empty() { "fault" } else { prefix.trim_end_matches('.') };
        let message = "only one of http_status, grpc_status, io_kind and sqlstate can be given";
        return Err(ApiError::bad(format!("{fault} is invalid; {message}")).of_field(field("http_status")));
    }
    if sent.rate_limited && sent.http_status.is_none() {
        let field = field("rate_limited");
        return Err(ApiError::bad(format!("{field} is invalid; it needs an http_status")).of_field(field));
    }
    let name = field(match sent {
        sent if sent.http_status.is_some() => "http_status",
        sent if sent.grpc_status.is_some() => "grpc_status",
        sent if !sent.io_kind.is_empty() => "io_kind",
        _ => "sqlstate",
    });
    named_evidence(&name, sent).map_err(|error| error.of_field(name))
}

/// Reads the evidence of a cause that has at most one, in the field with this name.
fn named_evidence(name: &str, sent: &v1::FaultCause) -> Result<Option<Evidence>, ApiError> {
    if let Some(status) = sent.http_status {
        return Ok(Some(Evidence::Http { status: http_status(name, status)?, rate_limited: sent.rate_limited }));
    }
    if let Some(status) = sent.grpc_status {
        return Ok(Some(Evidence::Grpc(grpc_status(name, status)?)));
    }
    if !sent.io_kind.is_empty() {
        return Ok(one_of(name, &sent.io_kind)?.map(Evidence::Io));
    }
    Ok(one_of(name, &sent.sqlstate)?.map(Evidence::Sql))
}

/// Reads a duration; `None` if the text is empty.
pub(super) fn span(field: &str, text: &str) -> Result<Option<Span>, ApiError> {
    crate::wire::span(field, text, "30s, 5m or 1h")
}

fn http_status(field: &str, given: i32) -> Result<u16, ApiError> {
    let status = u16::try_from(given).ok().filter(|status| (100..=599).contains(status));
    status.ok_or_else(|| ApiError::bad(format!("{field} is invalid; must be 100 to 599, but {given} was given")))
}

fn grpc_status(field: &str, given: i32) -> Result<GrpcCode, ApiError> {
    let code = u32::try_from(given).ok().and_then(GrpcCode::from_number);
    code.ok_or_else(|| ApiError::bad(format!("{field} is invalid; must be 1 to 16, but {given} was given")))
}

/// The targets of an act on letters.
pub(super) fn targets(queue: &str, ids: &[String]) -> Option<Vec<AuditTarget>> {
    let letters = ids.iter().map(|id| AuditTarget::new("letter", id));
    Some([AuditTarget::new("queue", queue)].into_iter().chain(letters).collect())
}

/// The API error of a store error. Calls about letters have separate codes and reasons for rejections.
pub(super) fn letter_error(error: StoreError) -> ApiError {
    let StoreError::Rejected(rejection) = error else { return error.into() };
    let (code, group) = match rejection {
        Rejection::NoSuchLetter(_) | Rejection::NoSuchQueue(_) => (Code::NotFound, "not_found"),
        Rejection::LetterConflict { .. } => (Code::Conflict, "conflict"),
        Rejection::LetterDamaged(_) => (Code::Conflict, "damaged"),
        Rejection::LetterChanged { .. } => (Code::Conflict, "stale_revision"),
        Rejection::SourceHeld { .. } | Rejection::DuplicateLetter { .. } => (Code::Conflict, "duplicate"),
        Rejection::OtherPayload { .. } => (Code::Conflict, "other_payload"),
        Rejection::TooManyReplays { .. } => (Code::Conflict, "too_many_replays"),
        Rejection::QueueFull { .. } => (Code::TooMany, "queue_full"),
        Rejection::CaptureDisabled => (Code::Conflict, "disabled"),
        Rejection::SkippedByStrategy { .. } => (Code::Conflict, "skipped_by_strategy"),
        other => return ApiError::from(other).grouped("invalid"),
    };
    ApiError { code, ..rejection.into() }.grouped(group)
}

//! Settle claimed items: all verbs of a source, with the record of the attempt.

use std::sync::Arc;

use redrive_core::{Outcome, Time, Trigger};
use redrive_model::{
    Attempt, DeadCause, DeliveryNotes, EndReason, OnRejected, Rejection, RetryAt, SettleAction, Settled, Settlement,
};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::settle_item::Verb;
use redrive_proto::redrive::v1::{
    self, Keep, QueueSettleRequest, QueueSettleResponse, Refused, Retry, SettleItem, SettledItem,
};

use super::complete::check_count;
use super::item_id;
use super::reported_fault::{CheckedSettlement, ReportedFault, classify};
use super::timeout::DEFAULT_TIMEOUT;
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::letters::failure;
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::traffic::Kind;
use crate::wire::{duration, lease_timeout, one_of, time};

pub(crate) struct Settle;

impl Endpoint for Settle {
    type Request = QueueSettleRequest;
    type Answer = QueueSettleResponse;

    const PATH: &'static str = "/v1/queue.settle";
    const NEEDS: Permission = Permission::QueueRetry;
    /// As large as a produce request, because records of attempts contain errors.
    const BODY_MAX: BodyLimit = BodyLimit::Produce;

    async fn call(ctx: &RequestContext, request: QueueSettleRequest) -> Result<QueueSettleResponse, ApiError> {
        let checked = check(&request, ctx);
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        let checked = ctx.checked(&queue, request.partition, checked).await?;
        let items = classify(ctx, &queue, checked).await?;
        let _in_flight = ctx.app.traffic.enter(&queue, Kind::Complete);
        let partition = request.partition.and_then(|partition| u32::try_from(partition).ok());
        let on_rejected = if request.stop_at_refused { OnRejected::Stop } else { OnRejected::Continue };
        let settle = redrive_model::Settle { queue: queue.clone(), partition, items, on_rejected };
        let settled = ctx.within(&queue, DEFAULT_TIMEOUT, ctx.store().settle(settle)).await?;
        let items = settled.into_iter().zip(&request.items);
        Ok(QueueSettleResponse { items: items.map(|(answer, item)| settled_item(answer, &item.id)).collect() })
    }
}

fn settled_item(answer: Result<Settled, Rejection>, id: &str) -> SettledItem {
    let outcome = |outcome: &str| SettledItem { outcome: outcome.to_owned(), ..SettledItem::default() };
    match answer {
        Ok(Settled::Completed) => outcome("completed"),
        Ok(Settled::Requeued { at }) => SettledItem { at: at.map(Timestamp::from), ..outcome("requeued") },
        Ok(Settled::Kept { deadline }) => SettledItem { at: Some(deadline.into()), ..outcome("kept") },
        Ok(Settled::Exhausted) => outcome("exhausted"),
        Ok(Settled::Moved { to }) => SettledItem { moved_to: to.to_string(), ..outcome("moved") },
        Ok(Settled::Stranded) => outcome("stranded"),
        Ok(Settled::Gone(EndReason::Expired)) => outcome("expired"),
        Ok(Settled::Gone(EndReason::Duplicate)) => outcome("duplicate"),
        Ok(Settled::Gone(_)) => outcome("dropped"),
        Err(rejection) => SettledItem { refused: Some(refused(&rejection, id)), ..SettledItem::default() },
    }
}

/// Why one item of a request was not changed.
pub(super) fn refused(rejection: &Rejection, id: &str) -> Refused {
    let is_stale = matches!(rejection, Rejection::NoSuchItem(_) | Rejection::NotLeased { .. });
    let (reason, fields) = (rejection.reason().to_owned(), rejection.fields());
    Refused { id: id.to_owned(), is_stale, message: rejection.to_string(), reason, fields }
}

fn check(request: &QueueSettleRequest, ctx: &RequestContext) -> Result<Vec<CheckedSettlement>, ApiError> {
    let mut problems = Problems::default();
    problems.field("items", check_count("items", request.items.len(), ctx.settings()));
    let items =
        request.items.iter().enumerate().filter_map(|(number, item)| {
            problems.field(format_args!("items[{number}]"), settlement(item, ctx).map(Some))
        });
    let items = items.collect();
    problems.finish(items)
}

fn settlement(item: &SettleItem, ctx: &RequestContext) -> Result<CheckedSettlement, ApiError> {
    let id = item_id(&item.id)?;
    let sent = item.attempt.as_ref().map(|attempt| record(attempt, &ctx.caller.user)).transpose()?;
    let fault = item.fault.as_ref().map(|fault| reported_fault(item, sent.as_ref(), fault)).transpose()?;
    let reported = || Attempt::ended(Trigger::Automatic, Outcome::Failure, ctx.app.deadlines.now());
    let attempt = sent.or_else(|| fault.as_ref().map(|_| reported())).map(Box::new);
    let action = match &item.verb {
        None => return Err(ApiError::bad(format!("verb is invalid; '{}' has none", item.id))),
        // A dropped item gets no letter: for the queue it is completed.
        Some(Verb::Ack(_) | Verb::Drop(_)) => SettleAction::Complete { attempt },
        Some(Verb::Retry(retry)) => SettleAction::Retry { at: retry_at(retry)?, attempt, charged: !retry.is_free },
        Some(Verb::DeadLetter(dead)) => SettleAction::Dead { attempt, why: dead_cause(&dead.why)? },
        Some(Verb::Defer(defer)) => {
            let until = time("until", defer.until)?;
            SettleAction::Defer { until: until.ok_or_else(|| ApiError::bad("until is invalid; cannot be empty"))? }
        }
        Some(Verb::Release(_)) => SettleAction::Release,
        Some(Verb::Condemn(condemn)) => {
            SettleAction::RedeliverForHandOver { at: time("at", condemn.at)?.unwrap_or(Time::MIN), attempt }
        }
        Some(Verb::Lose(_)) => SettleAction::Lost,
        Some(Verb::Keep(keep)) => kept(keep)?,
    };
    Ok(CheckedSettlement { settlement: Settlement { id, action }, fault })
}

fn kept(keep: &Keep) -> Result<SettleAction, ApiError> {
    let lease = lease_timeout(&keep.lease_timeout)?.unwrap_or_default();
    let notes = DeliveryNotes { error: keep.error.clone(), verdict: keep.verdict.clone(), parts: keep.parts.clone() };
    Ok(SettleAction::Note { lease, notes: Box::new(notes) })
}

fn retry_at(retry: &Retry) -> Result<RetryAt, ApiError> {
    if let Some(delay) = duration("delay", &retry.delay)? {
        if retry.at.is_some() || retry.is_decided {
            return Err(ApiError::bad("delay is invalid; it stands for at and is_decided, send one of both"));
        }
        return Ok(RetryAt::After(delay));
    }
    match time("at", retry.at)? {
        at if !retry.is_decided => Ok(RetryAt::Undecided(at)),
        Some(at) => Ok(RetryAt::Decided(at)),
        None => Err(ApiError::bad("at is invalid; cannot be empty where is_decided is set")),
    }
}

fn dead_cause(why: &str) -> Result<DeadCause, ApiError> {
    match why {
        "exhausted" => Ok(DeadCause::Exhausted),
        "permanent" => Ok(DeadCause::Permanent),
        "spent" => Ok(DeadCause::Spent),
        _ => Err(ApiError::bad(format!("why is invalid; '{why}' is not one of exhausted, permanent, spent"))),
    }
}

/// Checks what failed.
fn reported_fault(item: &SettleItem, sent: Option<&Attempt>, fault: &v1::Fault) -> Result<ReportedFault, ApiError> {
    let invalid = |why: &str| Err(ApiError::bad(format!("fault is invalid; {why}")));
    if !matches!(item.verb, Some(Verb::Retry(_) | Verb::DeadLetter(_) | Verb::Condemn(_))) {
        return invalid("only retry, dead_letter and condemn take one");
    }
    if !fault.retry_after.is_empty() {
        return invalid("retry_after is for captures; set the time of a retry in its 'at'");
    }
    if let Some(Attempt { outcome, error, error_type, category, rule, fingerprint, .. }) = sent {
        if !error.is_empty() || error_type.is_some() || category.is_some() || rule.is_some() || fingerprint.is_some() {
            return invalid("the attempt has an error, category, rule or fingerprint already; send one of both");
        }
        if !matches!(outcome, Outcome::Failure | Outcome::Partial) {
            return invalid("the outcome of the attempt must be failure or partial");
        }
    }
    let mut problems = Problems::default();
    let category = problems.field("fault.category", one_of("category", &fault.category));
    let failure = problems.field("fault", failure(fault.clone()).map(Some)).unwrap_or_default();
    problems.finish(())?;
    let has_trigger = item.attempt.as_ref().is_some_and(|attempt| !attempt.trigger.is_empty());
    Ok(ReportedFault { failure, category, has_trigger })
}

fn record(sent: &v1::Attempt, actor: &str) -> Result<Attempt, ApiError> {
    let trigger = one_of("trigger", &sent.trigger)?.unwrap_or(Trigger::Automatic);
    let outcome = one_of("outcome", &sent.outcome)?;
    let outcome: Outcome = outcome.ok_or_else(|| ApiError::bad("outcome is invalid; cannot be empty"))?;
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Ok(Attempt {
        started_at: time("started_at", sent.started_at)?,
        ended_at: time("ended_at", sent.ended_at)?,
        cause: one_of("cause", &sent.cause)?,
        error_type: text(&sent.error_type),
        error: sent.error.clone(),
        category: one_of("category", &sent.category)?,
        rule: text(&sent.rule),
        fingerprint: one_of("fingerprint", &sent.fingerprint)?,
        failed_parts: sent.failed_parts.clone(),
        worker: text(&sent.worker).map(Arc::from),
        // Only a manual attempt has an actor.
        actor: (trigger == Trigger::Manual).then(|| Arc::from(actor)),
        ..Attempt::new(trigger, outcome)
    })
}

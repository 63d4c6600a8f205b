//! Complete leased items.

use redrive_core::Span;
use redrive_model::SettleAction;
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueCompleteRequest;

use super::timeout::Timeout;
use super::valid_ids;
use crate::api_error::{ApiError, done};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::settings::Settings;
use crate::traffic::Kind;

pub(crate) struct Complete;

impl Endpoint for Complete {
    type Request = QueueCompleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.complete";
    const NEEDS: Permission = Permission::QueueComplete;

    async fn call(ctx: &RequestContext, request: QueueCompleteRequest) -> Result<Reply, ApiError> {
        let checked = check(&request, ctx.settings());
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        let wait = ctx.checked(&queue, Some(request.partition), checked).await?;
        let _in_flight = ctx.app.traffic.enter(&queue, Kind::Complete);
        let (ids, rest) = valid_ids(request.ids.iter().map(String::as_str));
        let rest = ctx.checked(&queue, Some(request.partition), rest).await;
        if !ids.is_empty() {
            let partition = u32::try_from(request.partition).ok();
            let verb = SettleAction::Complete { attempt: None };
            ctx.within(&queue, wait, ctx.store().settle_all(queue.clone(), partition, ids, verb)).await?;
        }
        rest.map(|()| done())
    }
}

fn check(request: &QueueCompleteRequest, settings: &Settings) -> Result<Span, ApiError> {
    let mut problems = Problems::default();
    let timeout = problems.field("request_timeout", Timeout::parse(&request.request_timeout).map(Some));
    problems.field("ids", check_count("ids", request.ids.len(), settings));
    let timeout = timeout.map(|timeout| Ok::<_, ApiError>(timeout.at_most()?.required()?.span())).transpose();
    let timeout = problems.field("request_timeout", timeout);
    problems.finish(timeout.unwrap_or_default())
}

/// Checks the length of a list of items to complete, extend, retry or settle.
pub(super) fn check_count(what: &str, count: usize, settings: &Settings) -> Result<(), ApiError> {
    if count == 0 {
        return Err(ApiError::bad(format!("{what} is invalid; list of {what} cannot be empty")));
    }
    let most = settings.complete_batch_max;
    if count > most {
        let error = ApiError::bad(format!("{what} is invalid; max_complete_batch_size is {most} but received {count}"));
        return Err(error.because("complete_batch_too_large").with("count", count).with("most", most));
    }
    Ok(())
}

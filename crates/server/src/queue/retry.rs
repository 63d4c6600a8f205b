//! Requeue leased items now or later, or give them up.

use redrive_core::{Span, Time};
use redrive_model::{DeadCause, OnRejected, RetryAt, SettleAction, Settlement};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::{QueueRetryItem, QueueRetryRequest};

use super::complete::check_count;
use super::timeout::DEFAULT_TIMEOUT;
use super::valid_ids;
use crate::api_error::{ApiError, done};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::traffic::Kind;
use crate::wire::time;

/// A `retry_at` that is less than this ahead means now.
const SOON: Span = Span::from_millis(100);

pub(crate) struct Retry;

impl Endpoint for Retry {
    type Request = QueueRetryRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.retry";
    const NEEDS: Permission = Permission::QueueRetry;

    async fn call(ctx: &RequestContext, request: QueueRetryRequest) -> Result<Reply, ApiError> {
        let checked = check_count("items", request.items.len(), ctx.settings());
        let checked = checked.map_err(|error| error.of_field("items"));
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        ctx.checked(&queue, Some(request.partition), checked).await?;
        let _in_flight = ctx.app.traffic.enter(&queue, Kind::Retry);
        let (ids, rest) = valid_ids(request.items.iter().map(|item| item.id.as_str()));
        let rest = ctx.checked(&queue, Some(request.partition), rest).await;
        if !ids.is_empty() {
            let soon = ctx.app.deadlines.now().saturating_add(SOON);
            let requested = ids.into_iter().zip(&request.items);
            let settlement = |(id, item)| Ok(Settlement { id, action: action(item, soon)? });
            let items = requested.map(settlement).collect::<Result<_, ApiError>>()?;
            let partition = u32::try_from(request.partition).ok();
            let settle =
                redrive_model::Settle { queue: queue.clone(), partition, items, on_rejected: OnRejected::Stop };
            let settled = ctx.within(&queue, DEFAULT_TIMEOUT, ctx.store().settle(settle)).await?;
            settled.into_iter().try_for_each(|answer| answer.map(|_| ()).map_err(ApiError::from))?;
        }
        rest.map(|()| done())
    }
}

fn action(item: &QueueRetryItem, soon: Time) -> Result<SettleAction, ApiError> {
    if item.dead {
        return Ok(SettleAction::Dead { attempt: None, why: DeadCause::Exhausted });
    }
    let at = time("retry_at", item.retry_at)?.filter(|at| *at >= soon);
    Ok(SettleAction::Retry { at: RetryAt::Undecided(at), attempt: None, charged: true })
}

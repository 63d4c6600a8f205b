//! Extend the leases of items that their holder is still working on, or shorten them on request.

use redrive_core::Span;
use redrive_proto::redrive::v1::{ExtendedItem, QueueExtendRequest, QueueExtendResponse};

use super::complete::check_count;
use super::item_id;
use super::settle::refused;
use super::timeout::DEFAULT_TIMEOUT;
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::wire::lease_timeout;

pub(crate) struct Extend;

impl Endpoint for Extend {
    type Request = QueueExtendRequest;
    type Answer = QueueExtendResponse;

    const PATH: &'static str = "/v1/queue.extend";
    const NEEDS: Permission = Permission::QueueLease;

    async fn call(ctx: &RequestContext, request: QueueExtendRequest) -> Result<QueueExtendResponse, ApiError> {
        let checked = check(&request, ctx);
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        let (ids, lease) = ctx.checked(&queue, request.partition, checked).await?;
        let partition = request.partition.and_then(|partition| u32::try_from(partition).ok());
        let may_shorten = request.may_shorten;
        let extend = redrive_model::Extend { queue: queue.clone(), partition, ids, lease, may_shorten };
        let extended = ctx.within(&queue, DEFAULT_TIMEOUT, ctx.store().extend(extend)).await?;
        let items = extended.into_iter().zip(&request.ids).map(|(answer, id)| match answer {
            Ok(deadline) => ExtendedItem { lease_deadline: Some(deadline.into()), refused: None },
            Err(rejection) => ExtendedItem { lease_deadline: None, refused: Some(refused(&rejection, id)) },
        });
        Ok(QueueExtendResponse { items: items.collect() })
    }
}

fn check(
    request: &QueueExtendRequest,
    ctx: &RequestContext,
) -> Result<(Vec<redrive_core::ItemId>, Option<Span>), ApiError> {
    let mut problems = Problems::default();
    let lease = problems.field("lease_timeout", lease_timeout(&request.lease_timeout));
    problems.field("ids", check_count("ids", request.ids.len(), ctx.settings()));
    let ids = problems.field("ids", request.ids.iter().map(|id| item_id(id)).collect::<Result<_, _>>());
    problems.finish((ids, lease))
}

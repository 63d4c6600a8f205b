//! `status.queues`: queues with their numbers, by name. The calls of Querator cannot have these fields: its clients
//! reject answers with fields that they do not know.

use std::ops::ControlFlow;

use redrive_model::GetStats;
use redrive_proto::redrive::v1::{StatusQueuesRequest, StatusQueuesResponse};

use super::queue_pass::{QueuePass, SeenQueue};
use super::queue_status::queue_status;
use crate::api_error::ApiError;
use crate::auth::{Permission, namespace_of};
use crate::http::{BodyLimit, Endpoint};
use crate::paging::{self, ListPage};
use crate::queues::{namespace, pivot};
use crate::request_context::RequestContext;

pub(crate) struct Queues;

impl Endpoint for Queues {
    type Request = StatusQueuesRequest;
    type Answer = StatusQueuesResponse;

    const PATH: &'static str = "/v1/status.queues";
    const NEEDS: Permission = Permission::QueueStats;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: StatusQueuesRequest) -> Result<StatusQueuesResponse, ApiError> {
        let now = ctx.app.deadlines.now();
        if !request.queue_name.is_empty() {
            let settings = ctx.queue_settings(&request.queue_name, Self::NEEDS).await?;
            let stats = ctx.store().stats(GetStats { queue: settings.name.clone() }).await?;
            let permissions = ctx.permissions_in(namespace_of(&settings)).await?;
            let queue = SeenQueue::new(&ctx.app, &settings, stats, permissions);
            return Ok(StatusQueuesResponse { queues: vec![queue_status(&queue, now)] });
        }
        let namespace = namespace(&request.namespace).ok();
        ctx.allow(Self::NEEDS, namespace.as_ref().and_then(Option::as_ref)).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let pivot = pivot(&request.pivot)?;
        // A namespace with an invalid name has no queues.
        let Some(namespace) = namespace else { return Ok(StatusQueuesResponse::default()) };
        let mut page = ListPage::new(limit);
        QueuePass::new(ctx, Some(namespace))
            .from(pivot)
            .run(|queue| {
                page.push(queue_status(&queue, now));
                if page.remaining() > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
            .await?;
        Ok(StatusQueuesResponse { queues: page.into_entries() })
    }
}

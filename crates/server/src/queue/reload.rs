//! Reload the counts of a queue's partitions. The counts are always exact, so this only checks that the queue exists.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueReloadRequest;

use crate::api_error::{ApiError, done};
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;

pub(crate) struct Reload;

impl Endpoint for Reload {
    type Request = QueueReloadRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.reload";
    const NEEDS: Permission = Permission::QueueUpdate;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: QueueReloadRequest) -> Result<Reply, ApiError> {
        ctx.queue_settings(&request.queue_name, Self::NEEDS).await?;
        Ok(done())
    }
}

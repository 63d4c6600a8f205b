//! Reload the counts of a queue's partitions. The counts are always exact, so this only checks that the queue exists.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueReloadRequest;

use crate::auth::Permission;
use crate::fault::{Fault, done};
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};

#[derive(Debug)]
pub(crate) struct Reload;

impl Endpoint for Reload {
    type Request = QueueReloadRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.reload";
    const NEEDS: Permission = Permission::QueueUpdate;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    async fn call(ctx: &RequestContext, request: QueueReloadRequest) -> Result<Reply, Fault> {
        ctx.queue_settings(&request.queue_name, Self::NEEDS).await?;
        Ok(done())
    }
}

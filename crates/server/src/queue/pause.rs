//! Pause and resume a queue. A paused queue grants no leases; all other calls work.

use redrive_model::{GetQueue, UpdateQueue};
use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::{QueuePauseRequest, QueueResumeRequest};

use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::{Fault, done};
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};

#[derive(Debug)]
pub(crate) struct Pause;

impl Endpoint for Pause {
    type Request = QueuePauseRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.pause";
    const NEEDS: Permission = Permission::QueueUpdate;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    fn targets(request: &QueuePauseRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &request.queue_name)])
    }

    async fn call(ctx: &RequestContext, request: QueuePauseRequest) -> Result<Reply, Fault> {
        set(ctx, &request.queue_name, true).await
    }
}

#[derive(Debug)]
pub(crate) struct Resume;

impl Endpoint for Resume {
    type Request = QueueResumeRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.resume";
    const NEEDS: Permission = Permission::QueueUpdate;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    fn targets(request: &QueueResumeRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &request.queue_name)])
    }

    async fn call(ctx: &RequestContext, request: QueueResumeRequest) -> Result<Reply, Fault> {
        set(ctx, &request.queue_name, false).await
    }
}

async fn set(ctx: &RequestContext, queue: &str, is_paused: bool) -> Result<Reply, Fault> {
    let name = ctx.queue(queue, Pause::NEEDS).await?;
    let update = UpdateQueue { is_paused: Some(is_paused), ..UpdateQueue::of(name) };
    let update = &update;
    ctx.change(|| async move {
        let before = ctx.store().queue(GetQueue { name: update.name.clone() }).await?;
        let after = update.clone().merged(&before, before.updated_at);
        let change = Change::of(update.clone());
        Ok((change.queue_before(&before).queue_after(&after), ()))
    })
    .await?;
    Ok(done())
}

//! Pause and resume a queue. A paused queue grants no leases; all other calls work.

use redrive_model::{GetQueue, UpdateQueue};
use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::{QueuePauseRequest, QueueResumeRequest};

use crate::api_error::{ApiError, done};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;

/// Defines a call that pauses its queue or ends the pause.
macro_rules! pause_call {
    ($Call:ident, $path:literal, $is_paused:literal, $Request:ident) => {
        pub(crate) struct $Call;

        impl Endpoint for $Call {
            type Request = $Request;
            type Answer = Reply;

            const PATH: &'static str = $path;
            const NEEDS: Permission = Permission::QueueUpdate;
            const BODY_MAX: BodyLimit = BodyLimit::Small;

            fn targets(request: &$Request) -> Option<Vec<AuditTarget>> {
                Some(vec![AuditTarget::new("queue", &request.queue_name)])
            }

            async fn call(ctx: &RequestContext, request: $Request) -> Result<Reply, ApiError> {
                set(ctx, &request.queue_name, $is_paused).await
            }
        }
    };
}

pause_call!(Pause, "/v1/queue.pause", true, QueuePauseRequest);
pause_call!(Resume, "/v1/queue.resume", false, QueueResumeRequest);

async fn set(ctx: &RequestContext, queue: &str, is_paused: bool) -> Result<Reply, ApiError> {
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

//! Change the settings of a queue.

use redrive_core::Time;
use redrive_model::{GetQueue, QueueSettings, UpdateQueue};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueInfo;

use super::settings::{CheckedInfo, changes, dead_queue, queue_error};
use crate::api_error::{ApiError, done};
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, namespace_of};
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;

pub(crate) struct Update;

impl Endpoint for Update {
    type Request = QueueInfo;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queues.update";
    const NEEDS: Permission = Permission::QueueUpdate;
    const BODY_MAX: BodyLimit = BodyLimit::Bytes(512_000);

    fn targets(info: &QueueInfo) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &info.queue_name)])
    }

    async fn call(ctx: &RequestContext, info: QueueInfo) -> Result<Reply, ApiError> {
        // Only settings of the request are checked here, those of the queue are not read yet.
        let merged = |update: UpdateQueue| update.clone().merged(&QueueSettings::new(update.name), Time::EPOCH);
        let CheckedInfo { update, namespace, later } = CheckedInfo::of(&info, merged)?;
        let before = ctx.store().queue(GetQueue { name: update.name.clone() }).await?;
        ctx.allow(Self::NEEDS, before.namespace.as_ref()).await?;
        let dead_queue = dead_queue(&info.dead_queue);
        let dead_queue = dead_queue.map_err(|error| error.of_field("dead_queue").with_problems_of(&later))?;
        let update = changes(&info, UpdateQueue { dead_queue: Some(dead_queue), ..update });
        let update = update.map_err(|error| error.with_problems_of(&later))?;
        let (update, is_moved) =
            (&update, |before: &QueueSettings| !info.namespace.is_empty() && namespace != before.namespace);
        let is_moved = &is_moved;
        let change = ctx.change(|| async move {
            let before = ctx.store().queue(GetQueue { name: update.name.clone() }).await?;
            let after = update.clone().merged(&before, before.updated_at);
            if after.dead_queue != before.dead_queue {
                ctx.may_use_dead_queue(after.dead_queue.as_ref(), before.namespace.as_ref()).await?;
            }
            // What the store rejects is reported first.
            if is_moved(&before) && after.check().is_ok() {
                let message = format!(
                    "namespace is invalid; queue '{}' is in namespace '{}', and cannot be moved",
                    update.name,
                    namespace_of(&before)
                );
                return Err(ApiError::bad(message));
            }
            let change = Change::of(update.clone());
            Ok((change.queue_before(&before).queue_after(&after), ()))
        });
        change.await.map_err(|error| queue_error(error, &info, &later))?;
        Ok(done())
    }
}

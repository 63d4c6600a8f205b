//! Change the settings of a queue.

use redrive_core::QueueName;
use redrive_model::{GetQueue, UpdateQueue};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueInfo;

use super::settings::{Timeouts, attempts, dead_queue, max_items, namespace, queue_fault};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::{Fault, done};
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::settings::Settings;

#[derive(Debug)]
pub(crate) struct Update;

impl Endpoint for Update {
    type Request = QueueInfo;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queues.update";
    const NEEDS: Permission = Permission::QueueUpdate;

    fn body_max(_settings: &Settings) -> usize {
        512_000
    }

    fn targets(info: &QueueInfo) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &info.queue_name)])
    }

    async fn call(ctx: &RequestContext, info: QueueInfo) -> Result<Reply, Fault> {
        let name = QueueName::new(&info.queue_name)?;
        let timeouts = Timeouts::of(&info)?;
        namespace(&info.namespace)?;
        let before = ctx.store().queue(GetQueue { name: name.clone() }).await?;
        ctx.allow(Self::NEEDS, before.namespace.as_ref()).await?;
        let dead_queue = dead_queue(&info.dead_queue)?;
        let update = UpdateQueue {
            lease_timeout: timeouts.lease,
            expire_timeout: timeouts.expire,
            requested_partitions: partitions(info.requested_partitions),
            // Always overwritten, also by the default value of an unset field.
            max_attempts: Some(attempts(&info)),
            reference: Some(info.reference.clone()),
            dead_queue: Some(dead_queue),
            max_items: max_items(&info)?,
            ..UpdateQueue::of(name)
        };
        let update = &update;
        let change = ctx.change(|| async move {
            let before = ctx.store().queue(GetQueue { name: update.name.clone() }).await?;
            let after = update.clone().merged(&before, before.updated_at);
            if after.dead_queue != before.dead_queue {
                ctx.may_use_dead_queue(after.dead_queue.as_ref(), before.namespace.as_ref()).await?;
            }
            let change = Change::of(update.clone());
            Ok((change.queue_before(&before).queue_after(&after), ()))
        });
        change.await.map_err(|error| queue_fault(error, &info))?;
        Ok(done())
    }
}

/// The requested partitions, if the request sets them. A negative number becomes 0, which the store rejects.
fn partitions(given: i32) -> Option<u32> {
    (given != 0).then(|| u32::try_from(given).unwrap_or_default())
}

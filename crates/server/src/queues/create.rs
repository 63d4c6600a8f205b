//! Create a queue.

use redrive_core::{QueueName, Span, Time};
use redrive_model::{CreateQueue, GetQueue, QueueSettings, Rejection, UpdateQueue};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueInfo;
use redrive_store::StoreError;

use super::settings::{CheckedInfo, changes, dead_queue, queue_error};
use crate::api_error::{ApiError, done};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::request_context::RequestContext;

pub(crate) struct Create;

impl Endpoint for Create {
    type Request = QueueInfo;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queues.create";
    const NEEDS: Permission = Permission::QueueCreate;

    fn targets(info: &QueueInfo) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &info.queue_name)])
    }

    async fn call(ctx: &RequestContext, info: QueueInfo) -> Result<Reply, ApiError> {
        let CheckedInfo { update: asked, namespace, later } = CheckedInfo::of(&info, created)?;
        ctx.allow(Self::NEEDS, namespace.as_ref()).await?;
        // Only whether the namespace exists: the change looks it up again.
        ctx.namespace_unchanged(namespace.as_ref()).await?;
        let dead_queue = match dead_queue(&info.dead_queue) {
            Ok(dead_queue) => dead_queue,
            Err(error) => {
                let error = error.of_field("dead_queue").with_problems_of(&later);
                return Err(ctx.unless_exists(asked.name, error).await?);
            }
        };
        let asked = changes(&info, UpdateQueue { dead_queue: Some(dead_queue), ..asked });
        let asked = asked.map_err(|error| error.with_problems_of(&later))?;
        let settings = QueueSettings { namespace, ..created(asked) };
        let settings = &settings;
        let change = ctx.change(|| async move {
            let namespace_unchanged = ctx.namespace_unchanged(settings.namespace.as_ref()).await?;
            ctx.may_use_dead_queue(settings.dead_queue.as_ref(), settings.namespace.as_ref()).await?;
            ctx.is_no_foreign_dead_queue(settings).await?;
            let create = CreateQueue { settings: settings.clone() };
            Ok((Change::of(create).with_writes(namespace_unchanged).queue_after(settings), ()))
        });
        change.await.map_err(|error| queue_error(error, &info, &later))?;
        Ok(done())
    }
}

/// The settings that a request asks for. The store rejects invalid values, as those that the request omits.
fn created(asked: UpdateQueue) -> QueueSettings {
    let omitted = QueueSettings {
        lease_timeout: Span::ZERO,
        expire_timeout: Span::ZERO,
        requested_partitions: 0,
        ..QueueSettings::new(asked.name.clone())
    };
    let settings = asked.merged(&omitted, Time::EPOCH);
    QueueSettings { partitions: settings.requested_partitions, ..settings }
}

impl RequestContext {
    /// The given error, unless the queue already exists: the API reports that before invalid settings.
    async fn unless_exists(&self, name: QueueName, error: ApiError) -> Result<ApiError, ApiError> {
        match self.store().queue(GetQueue { name }).await {
            Ok(settings) => Ok(Rejection::QueueExists(settings.name).into()),
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(error),
            Err(error) => Err(error.into()),
        }
    }
}

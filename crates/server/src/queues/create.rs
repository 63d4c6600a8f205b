//! Create a queue.

use redrive_core::{QueueName, Span};
use redrive_model::{CreateQueue, GetQueue, QueueSettings, Rejection};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueInfo;
use redrive_store::StoreError;

use super::settings::{Timeouts, attempts, dead_queue, max_items, namespace, queue_fault};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::{Fault, done};
use crate::http::Endpoint;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = QueueInfo;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queues.create";
    const NEEDS: Permission = Permission::QueueCreate;

    fn targets(info: &QueueInfo) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &info.queue_name)])
    }

    async fn call(ctx: &RequestContext, info: QueueInfo) -> Result<Reply, Fault> {
        let name = QueueName::new(&info.queue_name)?;
        let timeouts = Timeouts::of(&info)?;
        let namespace = namespace(&info.namespace)?;
        ctx.allow(Self::NEEDS, namespace.as_ref()).await?;
        ctx.namespace_exists(namespace.as_ref()).await?;
        let dead_queue = match dead_queue(&info.dead_queue) {
            Ok(dead_queue) => dead_queue,
            Err(fault) => return Err(ctx.unless_exists(name, fault).await?),
        };
        let max_items = max_items(&info)?.unwrap_or_default();
        let settings = QueueSettings { namespace, dead_queue, max_items, ..settings(&info, name, timeouts) };
        let settings = &settings;
        let change = ctx.change(|| async move {
            let namespace_unchanged = ctx.namespace_unchanged(settings.namespace.as_ref()).await?;
            ctx.may_use_dead_queue(settings.dead_queue.as_ref(), settings.namespace.as_ref()).await?;
            ctx.is_no_foreign_dead_queue(settings).await?;
            let create = CreateQueue { settings: settings.clone() };
            Ok((Change::of(create).with_writes(namespace_unchanged).queue_after(settings), ()))
        });
        change.await.map_err(|error| queue_fault(error, &info))?;
        Ok(done())
    }
}

/// The settings that a request asks for. The store rejects invalid values.
fn settings(info: &QueueInfo, name: QueueName, timeouts: Timeouts) -> QueueSettings {
    let partitions = u32::try_from(info.requested_partitions).unwrap_or_default();
    QueueSettings {
        reference: info.reference.clone(),
        lease_timeout: timeouts.lease.unwrap_or(Span::ZERO),
        expire_timeout: timeouts.expire.unwrap_or(Span::ZERO),
        max_attempts: attempts(info),
        partitions,
        requested_partitions: partitions,
        ..QueueSettings::new(name)
    }
}

impl RequestContext {
    /// The given fault, unless the queue already exists: the API reports that before invalid settings.
    async fn unless_exists(&self, name: QueueName, fault: Fault) -> Result<Fault, Fault> {
        match self.store().queue(GetQueue { name }).await {
            Ok(settings) => Ok(Rejection::QueueExists(settings.name).into()),
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(fault),
            Err(error) => Err(error.into()),
        }
    }
}

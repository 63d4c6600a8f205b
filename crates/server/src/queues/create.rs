//! Make a queue.

use redrive_core::{QueueName, Span};
use redrive_model::{CreateQueue, GetQueue, QueueSettings, Rejection};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueInfo;
use redrive_store::StoreError;

use super::settings::{Timeouts, attempts, dead_queue, namespace, refused};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Fault, done};

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

    async fn call(desk: &Desk, info: QueueInfo) -> Result<Reply, Fault> {
        let name = QueueName::new(&info.queue_name)?;
        let timeouts = Timeouts::of(&info)?;
        let namespace = namespace(&info.namespace)?;
        desk.allow(Self::NEEDS, namespace.as_ref()).await?;
        desk.namespace_exists(namespace.as_ref()).await?;
        let dead_queue = match dead_queue(&info.dead_queue) {
            Ok(dead_queue) => dead_queue,
            Err(fault) => return Err(desk.unless_exists(name, fault).await?),
        };
        let settings = QueueSettings { namespace, dead_queue, ..settings(&info, name, timeouts) };
        let settings = &settings;
        let change = desk.change(|| async move {
            let held = desk.namespace_held(settings.namespace.as_ref()).await?;
            desk.may_bury_in(settings.dead_queue.as_ref(), settings.namespace.as_ref()).await?;
            desk.nobody_else_buries_in(settings).await?;
            let create = CreateQueue { settings: settings.clone() };
            Ok((Change::of(create).along(held).queue_after(settings), ()))
        });
        change.await.map_err(|undone| refused(undone, &info))?;
        Ok(done())
    }
}

/// What the request asks for. What cannot be, a store refuses in its turn.
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

impl Desk {
    /// That there is such a queue already is told before what is wrong with its settings.
    async fn unless_exists(&self, name: QueueName, fault: Fault) -> Result<Fault, Fault> {
        match self.store().queue(GetQueue { name }).await {
            Ok(settings) => Ok(Rejection::QueueExists(settings.name).into()),
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(fault),
            Err(error) => Err(error.into()),
        }
    }
}

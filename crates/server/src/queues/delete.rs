//! Remove a queue with all that is in it.

use redrive_core::QueueName;
use redrive_model::{DeleteQueue, GetQueue};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueuesDeleteRequest;

use crate::audit::{AuditTarget, Change, forgotten_key};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Fault, done};
use crate::records::delete;

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = QueuesDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queues.delete";
    const NEEDS: Permission = Permission::QueueDelete;

    fn targets(request: &QueuesDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &request.queue_name)])
    }

    async fn call(desk: &Desk, request: QueuesDeleteRequest) -> Result<Reply, Fault> {
        let name = QueueName::new(&request.queue_name)?;
        let settings = desk.store().queue(GetQueue { name: name.clone() }).await?;
        desk.allow(Self::NEEDS, settings.namespace.as_ref()).await?;
        // Afterwards nobody knows how many of its letters went before.
        desk.app.record_forgotten(&name).await?;
        let (name, force) = (&name, request.force);
        desk.change(|| async move {
            let before = desk.store().queue(GetQueue { name: name.clone() }).await?;
            let op = DeleteQueue { name: name.clone(), force };
            Ok((Change::of(op).along([delete(forgotten_key(name))]).queue_before(&before), ()))
        })
        .await?;
        Ok(done())
    }
}

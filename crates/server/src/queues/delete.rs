//! Remove a queue with all that is in it.

use redrive_core::QueueName;
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueuesDeleteRequest;
use redrive_queue::DeleteQueue;
use redrive_store::Operation;

use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Fault, done};

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = QueuesDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queues.delete";

    fn targets(request: &QueuesDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &request.queue_name)])
    }

    async fn call(desk: &Desk, request: QueuesDeleteRequest) -> Result<Reply, Fault> {
        let name = QueueName::new(&request.queue_name)?;
        let settings = desk.store().queue(name.clone()).await?;
        desk.allow(Permission::QueueDelete, settings.namespace.as_ref()).await?;
        let (name, force) = (&name, request.force);
        desk.change(|| async move {
            let before = desk.store().queue(name.clone()).await?;
            let delete = DeleteQueue { name: name.clone(), force };
            Ok((Change::of(Operation::DeleteQueue(delete)).queue_before(&before), ()))
        })
        .await?;
        Ok(done())
    }
}

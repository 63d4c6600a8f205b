//! Remove a queue with all that is in it.

use redrive_core::QueueName;
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueuesDeleteRequest;

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

    async fn call(desk: &Desk, request: QueuesDeleteRequest) -> Result<Reply, Fault> {
        let name = QueueName::new(&request.queue_name)?;
        let settings = desk.store().queue(name.clone()).await?;
        desk.allow(Permission::QueueDelete, settings.namespace.as_ref()).await?;
        desk.store().delete_queue(name, request.force).await?;
        Ok(done())
    }
}

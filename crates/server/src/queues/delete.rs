//! Delete a queue with its items.

use redrive_core::QueueName;
use redrive_model::{DeleteQueue, GetQueue, GetStats, QueueStats};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueuesDeleteRequest;

use crate::api_error::{ApiError, done};
use crate::audit::{AuditTarget, Change, retention_key};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::records::delete;
use crate::request_context::RequestContext;

pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = QueuesDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queues.delete";
    const NEEDS: Permission = Permission::QueueDelete;

    fn targets(request: &QueuesDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &request.queue_name)])
    }

    async fn call(ctx: &RequestContext, request: QueuesDeleteRequest) -> Result<Reply, ApiError> {
        let name = QueueName::new(&request.queue_name)?;
        let settings = ctx.store().queue(GetQueue { name: name.clone() }).await?;
        ctx.allow(Self::NEEDS, settings.namespace.as_ref()).await?;
        // The counts of removed letters are deleted with the queue, so they are recorded before.
        ctx.app.record_retention(&name).await?;
        let (name, force) = (&name, request.force);
        // Until the queue is deleted, no route over it starts.
        let _routes = ctx.unused_by_routes(name).await?;
        ctx.change(|| async move {
            let before = ctx.store().queue(GetQueue { name: name.clone() }).await?;
            let stats = ctx.store().stats(GetStats { queue: name.clone() }).await?;
            let (items, letters) = (items(&stats), stats.letters.all());
            let op = DeleteQueue { name: name.clone(), force };
            let change = Change::of(op).with_writes([delete(retention_key(name))]).queue_before(&before);
            let change = change.target("items", &items.to_string());
            Ok((if letters > 0 { change.target("letters", &letters.to_string()) } else { change }, ()))
        })
        .await?;
        Ok(done())
    }
}

/// The number of items that are removed with the queue, letters in any status included.
fn items(stats: &QueueStats) -> u64 {
    let damaged: u64 = stats.partitions.iter().map(|partition| partition.damaged).sum();
    let finished = stats.letters.all() - stats.letters.live();
    stats.items() + damaged + finished
}

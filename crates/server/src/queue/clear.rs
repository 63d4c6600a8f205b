//! Remove the items of a queue.

use redrive_model::GetStats;
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueClearRequest;

use super::timeout::DEFAULT_TIMEOUT;
use crate::api_error::{ApiError, done};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;

pub(crate) struct Clear;

impl Endpoint for Clear {
    type Request = QueueClearRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.clear";
    const NEEDS: Permission = Permission::QueueClear;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    fn targets(request: &QueueClearRequest) -> Option<Vec<AuditTarget>> {
        let parts = [("queue", request.queue), ("destructive", request.destructive), ("scheduled", request.scheduled)];
        let parts = parts.into_iter().filter(|(_, is_set)| *is_set).map(|(part, _)| AuditTarget::new("part", part));
        Some([AuditTarget::new("queue", &request.queue_name)].into_iter().chain(parts).collect())
    }

    async fn call(ctx: &RequestContext, request: QueueClearRequest) -> Result<Reply, ApiError> {
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await?;
        let clear = redrive_model::Clear {
            queue: queue.clone(),
            ready: request.queue,
            destructive: request.destructive,
            scheduled: request.scheduled,
        };
        let cleared = async {
            // Counted before: the record and the removal are one unit.
            let stats = ctx.store().stats(GetStats { queue: queue.clone() }).await?;
            let (items, letters) = (stats.items(), stats.letters.all());
            let change = Change::of(clear).target("items", &items.to_string());
            let change = if letters > 0 { change.target("letters", &letters.to_string()) } else { change };
            ctx.act(change).await.map_err(ApiError::from)
        };
        let items = ctx.within(&queue, DEFAULT_TIMEOUT, cleared).await?;
        Ok(Reply { details: [("items".to_owned(), items.to_string())].into(), ..done() })
    }
}

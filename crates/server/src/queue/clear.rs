//! Remove the items of a queue.

use redrive_core::Status;
use redrive_model::{GetStats, PartitionStats, QueueStats};
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
            let (items, letters) = (items(&clear, &stats), letters(&clear, &stats));
            let change = Change::of(clear).target("items", &items.to_string());
            let change = if letters > 0 { change.target("letters", &letters.to_string()) } else { change };
            Ok::<_, ApiError>((ctx.act(change).await?, letters))
        };
        let (items, letters) = ctx.within(&queue, DEFAULT_TIMEOUT, cleared).await?;
        let letters = (letters > 0).then(|| ("letters".to_owned(), letters.to_string()));
        let details = [("items".to_owned(), items.to_string())].into_iter().chain(letters);
        Ok(Reply { details: details.collect(), ..done() })
    }
}

/// The number of items that a clear removes, letters included.
fn items(clear: &redrive_model::Clear, stats: &QueueStats) -> u64 {
    let sum = |count: fn(&PartitionStats) -> u64| stats.partitions.iter().map(count).sum();
    let ready = sum(|partition| partition.total.saturating_sub(partition.leased) + partition.damaged);
    selected(clear, [ready, sum(|partition| partition.leased), sum(|partition| partition.scheduled)])
}

/// The number of letters among them. Completed and archived letters are kept.
fn letters(clear: &redrive_model::Clear, stats: &QueueStats) -> u64 {
    let (leased, scheduled) = (stats.letters.of(Status::Retrying), stats.scheduled_letters);
    let ready = stats.letters.live().saturating_sub(leased + scheduled);
    selected(clear, [ready, leased, scheduled])
}

/// The sum of the counts of ready, leased and scheduled ones that a clear removes.
fn selected(clear: &redrive_model::Clear, counts: [u64; 3]) -> u64 {
    let is_selected = [clear.ready, clear.ready && clear.destructive, clear.scheduled];
    counts.into_iter().zip(is_selected).filter(|(_, is_selected)| *is_selected).map(|(count, _)| count).sum()
}

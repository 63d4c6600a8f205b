//! The numbers of a queue.

use redrive_model::{GetStats, PartitionStats};
use redrive_proto::querator::{LogicalQueueStats, QueuePartitionStats, QueueStatsRequest, QueueStatsResponse};

use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;
use crate::traffic::Kind;
use crate::wire::count;

pub(crate) struct Stats;

impl Endpoint for Stats {
    type Request = QueueStatsRequest;
    type Answer = QueueStatsResponse;

    const PATH: &'static str = "/v1/queue.stats";
    const NEEDS: Permission = Permission::QueueStats;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: QueueStatsRequest) -> Result<QueueStatsResponse, ApiError> {
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await?;
        let stats = ctx.store().stats(GetStats { queue: queue.clone() }).await?;
        let traffic = ctx.app.traffic.of(&queue);
        let logical = LogicalQueueStats {
            produce_waiting: count(traffic.of(Kind::Produce)),
            lease_waiting: count(stats.waiting),
            complete_waiting: count(traffic.of(Kind::Complete)),
            in_flight: count(traffic.all()),
            partitions: stats.partitions.iter().map(partition_stats).collect(),
        };
        Ok(QueueStatsResponse { queue_name: request.queue_name, logical_queues: vec![logical] })
    }
}

fn partition_stats(stats: &PartitionStats) -> QueuePartitionStats {
    QueuePartitionStats {
        partition: count(stats.partition),
        total: count(stats.total),
        total_leased: count(stats.leased),
        failures: 0,
        average_age: stats.average_age.to_string(),
        average_leased_age: stats.average_leased_age.to_string(),
        scheduled: count(stats.scheduled),
        damaged: count(stats.damaged),
    }
}

//! The numbers of a queue.

use redrive_model::{GetStats, PartitionStats};
use redrive_proto::querator::{LogicalQueueStats, QueuePartitionStats, QueueStatsRequest, QueueStatsResponse};

use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};
use crate::wire::count;

#[derive(Debug)]
pub(crate) struct Stats;

impl Endpoint for Stats {
    type Request = QueueStatsRequest;
    type Answer = QueueStatsResponse;

    const PATH: &'static str = "/v1/queue.stats";
    const NEEDS: Permission = Permission::QueueStats;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    async fn call(ctx: &RequestContext, request: QueueStatsRequest) -> Result<QueueStatsResponse, Fault> {
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await?;
        let stats = ctx.store().stats(GetStats { queue: queue.clone() }).await?;
        let traffic = ctx.app.traffic.of(&queue);
        let logical = LogicalQueueStats {
            produce_waiting: count(traffic.produce),
            lease_waiting: count(stats.waiting),
            complete_waiting: count(traffic.complete),
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

//! The automatic retries of queues: processor, destinations and circuit breakers.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use redrive_core::QueueName;
use redrive_proto::redrive::v1::RetriesStatus;
use redrive_run::{Processor, RunnerHealth};

use super::destinations::destinations;
use crate::letters::HEALTH_TIMEOUT;
use crate::wire::big_count;

/// The state of a queue's retries, with what its rules of attention need.
#[derive(Debug)]
pub(super) struct QueueRetries {
    pub(super) status: RetriesStatus,
    /// Whether attempts are claimed, settled and handed over, as far as the runner is meant to.
    pub(super) is_progressing: bool,
}

/// The retries of the given queues, in their order.
pub(super) async fn retries<'q>(
    processor: &Processor,
    queues: impl Iterator<Item = &'q QueueName>,
) -> Vec<QueueRetries> {
    let open: BTreeMap<&QueueName, u64> =
        processor.numbers().map(|(queue, numbers)| (queue, numbers.open_breakers)).collect();
    let of_queue = |queue: &QueueName| {
        let (queue, open) = (queue.clone(), open.get(queue).copied().unwrap_or_default());
        async move {
            // A queue without a target is not processed.
            match tokio::time::timeout(HEALTH_TIMEOUT, processor.health(&queue)).await {
                Ok(Ok(health)) => of_health(&queue, health, open),
                Ok(Err(_)) => of_health(&queue, None, open),
                Err(_) => of_health(&queue, Some(RunnerHealth::default()), open),
            }
        }
    };
    join_all(queues.map(of_queue)).await
}

fn of_health(queue: &QueueName, health: Option<RunnerHealth>, open_breakers: u64) -> QueueRetries {
    let state = state(health.as_ref());
    let is_progressing = health.as_ref().is_none_or(RunnerHealth::is_progressing);
    let health = health.unwrap_or_default();
    let trouble = health.claim_trouble.or(health.settle_trouble).or(health.hand_over_trouble);
    let status = RetriesStatus {
        queue_name: queue.to_string(),
        state: state.to_owned(),
        running: big_count(health.running),
        destinations: destinations(health.destinations),
        open_breakers: big_count(open_breakers),
        error: trouble.map(|trouble| trouble.error).unwrap_or_default(),
    };
    QueueRetries { status, is_progressing }
}

fn state(health: Option<&RunnerHealth>) -> &'static str {
    match health {
        None => "stopped",
        Some(health) if !health.is_responsive => "unresponsive",
        Some(health) if health.is_draining => "draining",
        Some(health) if health.is_paused => "paused",
        Some(_) => "running",
    }
}

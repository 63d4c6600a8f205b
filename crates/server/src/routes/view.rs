//! Routes on the wire.

use redrive_core::Time;
use redrive_kafka::{BlockingRecord, ConsumerSnapshot, PartitionSnapshot, RecordState, TroubleKind};
use redrive_proto::redrive::v1::{BlockingRecordInfo, RouteInfo, RouteTrouble};
use redrive_routes::{RouteId, RouteRates, RouteState, RouteStatus};
use redrive_run::{RunnerHealth, RunnerTrouble};

use crate::status::destinations;
use crate::wire::big_count;

pub(crate) fn route_info(id: &RouteId, status: RouteStatus) -> RouteInfo {
    let (is_healthy, lag) = (status.is_healthy(), status.lag());
    let RouteStatus { definition, origin, intent, state, since, health, consumer, messages, totals, recent } = status;
    let troubles = troubles(health.as_ref(), consumer.as_ref(), since);
    let (error, next_start_at) = match &state {
        RouteState::Failed { error, next_start_at } => (error.clone(), Some((*next_start_at).into())),
        _ => (String::new(), None),
    };
    let per_minute = |count| per_minute(count, recent);
    RouteInfo {
        namespace: id.namespace.clone(),
        name: id.name.clone(),
        definition: Some(definition.shown().clone().into()),
        defined_in: origin.as_str().to_owned(),
        intent: intent.as_str().to_owned(),
        state: state.as_str().to_owned(),
        since: Some(since.into()),
        error,
        next_start_at,
        is_healthy,
        troubles,
        running: big_count(health.as_ref().map_or(0, |health| health.running)),
        destinations: destinations(health.map(|health| health.destinations).unwrap_or_default()),
        waiting: match messages {
            Some(messages) => big_count(messages.delayed),
            None => big_count(consumer.as_ref().map_or(0, |consumer| consumer.queued + consumer.waiting)),
        },
        letters_pending: big_count(consumer.as_ref().map_or(0, |consumer| consumer.dlq_pending)),
        lag,
        blocking: consumer.as_ref().and_then(blocking),
        done_total: big_count(totals.done),
        retried_total: big_count(totals.retried),
        letters_total: big_count(totals.letters),
        done_per_minute: per_minute(recent.counts.done),
        retried_per_minute: per_minute(recent.counts.retried),
        letters_per_minute: per_minute(recent.counts.letters),
    }
}

fn troubles(health: Option<&RunnerHealth>, consumer: Option<&ConsumerSnapshot>, since: Time) -> Vec<RouteTrouble> {
    let trouble = |kind: &str, since: Time, error: &str| RouteTrouble {
        kind: kind.to_owned(),
        since: Some(since.into()),
        error: error.to_owned(),
    };
    let mut troubles = Vec::new();
    if let Some(health) = health {
        if !health.is_responsive {
            troubles.push(trouble("unresponsive", since, "the runner does not answer"));
        }
        let of_runner = [
            ("claim", &health.claim_trouble),
            ("settle", &health.settle_trouble),
            ("hand_over", &health.hand_over_trouble),
        ];
        for (kind, found) in of_runner {
            if let Some(RunnerTrouble { since, error }) = found {
                troubles.push(trouble(kind, *since, error));
            }
        }
    }
    for found in consumer.into_iter().flat_map(|consumer| &consumer.troubles) {
        let kind = match found.kind {
            TroubleKind::Client => "client",
            TroubleKind::Denied => "denied",
            TroubleKind::Commit => "commit",
            TroubleKind::HandOver => "hand_over",
            TroubleKind::Fatal => "fatal",
        };
        if troubles.iter().all(|known| known.kind != kind) {
            troubles.push(trouble(kind, found.since, &found.error));
        }
    }
    troubles
}

fn blocking(consumer: &ConsumerSnapshot) -> Option<BlockingRecordInfo> {
    let blocking = |partition: &PartitionSnapshot| Some((partition.at.clone(), partition.blocking.clone()?));
    let longest = consumer.partitions.iter().filter_map(blocking).max_by_key(|(_, record)| record.age)?;
    let (at, BlockingRecord { offset, state, attempt, age, error, .. }) = longest;
    Some(BlockingRecordInfo {
        topic: at.topic.to_string(),
        partition: at.partition,
        offset,
        state: record_state(state).to_owned(),
        attempt: i32::try_from(attempt).unwrap_or(i32::MAX),
        age_ms: big_count(age.as_micros() / 1_000),
        error: error.unwrap_or_default(),
    })
}

const fn record_state(state: RecordState) -> &'static str {
    match state {
        RecordState::Queued => "queued",
        RecordState::Runnable => "runnable",
        RecordState::Running => "running",
        RecordState::Retry(_) => "retry",
        RecordState::HandingOver => "handing_over",
        RecordState::HandOverRetry(_) => "hand_over_retry",
        _ => "unknown",
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn per_minute(count: u64, recent: RouteRates) -> f64 {
    if recent.over.is_zero() {
        return 0.0;
    }
    count as f64 * 60e6 / recent.over.as_micros() as f64
}

//! Routes on the wire.

use redrive_core::Time;
use redrive_proto::redrive::v1::{BlockingRecordInfo, RouteInfo, RouteTrouble};
use redrive_routes::{BlockingWork, RouteId, RouteRates, RouteState, RouteStatus, SourceStatus};
use redrive_run::{RunnerHealth, RunnerTrouble};

use crate::status::destinations;
use crate::wire::big_count;

pub(crate) fn route_info(id: &RouteId, status: RouteStatus) -> RouteInfo {
    let is_healthy = status.is_healthy();
    let RouteStatus { definition, origin, intent, state, since, health, source, totals, recent } = status;
    let troubles = troubles(health.as_ref(), source.as_ref(), since);
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
        waiting: big_count(source.as_ref().map_or(0, |source| source.waiting)),
        letters_pending: big_count(source.as_ref().map_or(0, |source| source.letters_pending)),
        lag: source.as_ref().and_then(|source| source.lag),
        blocking: source.and_then(|source| source.blocking).map(blocking),
        done_total: big_count(totals.done),
        retried_total: big_count(totals.retried),
        letters_total: big_count(totals.letters),
        done_per_minute: per_minute(recent.counts.done),
        retried_per_minute: per_minute(recent.counts.retried),
        letters_per_minute: per_minute(recent.counts.letters),
    }
}

fn troubles(health: Option<&RunnerHealth>, source: Option<&SourceStatus>, since: Time) -> Vec<RouteTrouble> {
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
    for found in source.into_iter().flat_map(|source| &source.troubles) {
        if troubles.iter().all(|known| known.kind != found.kind) {
            troubles.push(trouble(found.kind, found.since, &found.error));
        }
    }
    troubles
}

fn blocking(work: BlockingWork) -> BlockingRecordInfo {
    BlockingRecordInfo {
        topic: work.topic,
        partition: work.partition,
        offset: work.offset,
        state: work.state.to_owned(),
        attempt: i32::try_from(work.attempt).unwrap_or(i32::MAX),
        age_ms: big_count(work.age.as_micros() / 1_000),
        error: work.error.unwrap_or_default(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn per_minute(count: u64, recent: RouteRates) -> f64 {
    if recent.over.is_zero() {
        return 0.0;
    }
    count as f64 * 60e6 / recent.over.as_micros() as f64
}

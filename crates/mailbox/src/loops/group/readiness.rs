//! Whether a group is ready, and how its dead letters are.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use redrive_core::Span;
use redrive_run::{HealthCheck, HealthReport, HealthState};
use serde_json::{Map, Value, json};

use super::supervisor::Supervised;
use crate::loops::{DlqDepthAlarm, DlqPolicy, metrics};

/// A mailbox that does not answer within this time is reported as unreachable.
const ANSWER_MAX: Duration = Duration::from_secs(2);

/// How often the depths of dead letters are measured, besides every health check.
const MEASURED_EVERY: Duration = Duration::from_secs(30);

/// The readiness of the loops of a group.
pub(super) struct GroupReadiness {
    pub(super) loops: Vec<Arc<Supervised>>,
    /// The greatest age of the heartbeat of a loop that is ready.
    pub(super) beat_age_max: Span,
}

#[async_trait]
impl HealthCheck for GroupReadiness {
    async fn check(&self) -> HealthReport {
        let (loops, dlqs) = tokio::join!(
            join_all(self.loops.iter().map(|one| self.check_loop(one))),
            join_all(self.alarms().into_iter().map(check_dlq)),
        );
        let state = loops.iter().chain(&dlqs).map(|part| part.state).max().unwrap_or(HealthState::Healthy);
        let list = |parts: Vec<Component>| parts.into_iter().map(|part| part.body).collect::<Value>();
        let fields = [("loops".to_owned(), list(loops)), ("dlq".to_owned(), list(dlqs))];
        HealthReport { state, fields: Map::from_iter(fields) }
    }
}

/// A part of the group, as health checks show it.
struct Component {
    state: HealthState,
    body: Value,
}

impl GroupReadiness {
    /// The mailboxes of letters of all loops, each once. The threshold of a policy takes precedence over the default,
    /// which a consumer has.
    fn alarms(&self) -> Vec<DlqDepthAlarm> {
        let mut alarms: Vec<DlqDepthAlarm> = self.loops.iter().filter_map(|one| one.runnable.dlq()).collect();
        let order = |alarm: &DlqDepthAlarm| (alarm.letters.name().clone(), alarm.threshold == DlqPolicy::DEPTH_ALARM);
        alarms.sort_by_cached_key(order);
        alarms.dedup_by(|later, first| {
            later.letters.name() == first.letters.name() && first.letters.is_atomic_with(&*later.letters)
        });
        alarms
    }

    /// Updates the metrics of all mailboxes of letters from time to time, until it is dropped.
    pub(super) async fn measure_depths(&self) {
        let mut measure = tokio::time::interval(MEASURED_EVERY);
        loop {
            measure.tick().await;
            join_all(self.alarms().into_iter().map(check_dlq)).await;
        }
    }

    async fn check_loop(&self, one: &Supervised) -> Component {
        let runnable = &one.runnable;
        let (is_running, age) = (runnable.is_running(), runnable.heartbeat().age());
        let problem = if !is_running {
            Some(one.report().error.clone().unwrap_or_else(|| "the loop does not run".to_owned()))
        } else if age > self.beat_age_max {
            Some(format!("no heartbeat for {age}"))
        } else {
            None
        };
        let (state, problem) = match problem {
            Some(problem) => (HealthState::Unhealthy, Some(problem)),
            None => match runnable.trouble().await {
                Some(trouble) => (HealthState::Degraded, Some(trouble)),
                None => (HealthState::Healthy, None),
            },
        };
        let body = json!({
            "name": runnable.name(),
            "running": is_running,
            "beat_age_seconds": age.as_micros() / 1_000_000,
            "restarts": one.report().restarts,
            "problem": problem,
        });
        Component { state, body }
    }
}

async fn check_dlq(alarm: DlqDepthAlarm) -> Component {
    let DlqDepthAlarm { letters, threshold } = alarm;
    let counted = tokio::time::timeout(ANSWER_MAX, letters.counts()).await;
    let (depth, problem) = match counted {
        Ok(Ok(counts)) => (Some(counts.total()), None),
        Ok(Err(error)) => (None, Some(error.to_string())),
        Err(_) => (None, Some("the mailbox does not answer".to_owned())),
    };
    if let Some(depth) = depth {
        metrics::depth(&*letters, depth);
    }
    let is_degraded = depth.is_none_or(|depth| depth >= threshold);
    let state = if is_degraded { HealthState::Degraded } else { HealthState::Healthy };
    let name = letters.name().as_str();
    let body = json!({ "name": name, "depth": depth, "threshold": threshold, "problem": problem });
    Component { state, body }
}

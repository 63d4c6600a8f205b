//! The pages that need no API key: health, metrics and the `OpenAPI` description.

use std::borrow::Cow;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::StatusCode;
use redrive_core::Status;
use redrive_model::{GetKey, GetStats, ListQueues};
use redrive_run::{HealthCheck, HealthFormat, HealthPage, HealthReport, HealthState};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::disk_space::DiskSpace;
use crate::http::{Answer, response};
use crate::letters::degraded;

/// Maximum number of queues that a health check looks at, in the order of their names.
const QUEUES_MAX: usize = 1_000;
/// A store that does not answer within this time is reported as failed.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

#[async_trait]
impl HealthCheck for App {
    async fn check(&self) -> HealthReport {
        let probe = self.store.key(GetKey { key: Bytes::from_static(b"health") });
        let answers = matches!(tokio::time::timeout(PROBE_TIMEOUT, probe).await, Ok(Ok(_)));
        let problem = self.store_problem(answers);
        let mut state = problem.as_ref().map_or(HealthState::Healthy, |(state, _)| *state);
        let mut check = json!({
            "componentType": "datastore",
            "status": FORMAT.word(state),
            "time": self.deadlines.now().to_string(),
        });
        if let (Some(check), Some((_, description))) = (check.as_object_mut(), problem) {
            check.insert("output".to_owned(), description.into());
        }
        let is_serving = state != HealthState::Unhealthy;
        let queues = if is_serving { self.queue_checks().await } else { QueueChecks::default() };
        let mut checks = Map::from_iter([("queues:storage".to_owned(), json!([check]))]);
        // Such a queue is still served: a warning, which does not take the server out of a load balancer.
        if queues.is_warning() {
            state = state.max(HealthState::Degraded);
        }
        let lists = [("queues:letters", queues.degraded), ("queues:targets", queues.without_target)];
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
        checks.extend(lists.map(|(name, list)| (name.to_owned(), list.into())));
        if let Some(space) = self.disk_space() {
            checks.insert("disk:free".to_owned(), json!([self.disk_check(&space)]));
            // Everything still works: an operator has time to act.
            if space.is_low() {
                state = state.max(HealthState::Degraded);
            }
        }
        if let Some(index) = self.index.get() {
            checks.insert("letters:index".to_owned(), json!([index.check(&self.deadlines.now().to_string())]));
            // The store works without the index: a warning, not a failure.
            if !index.is_up() {
                state = state.max(HealthState::Degraded);
            }
        }
        let version = env!("CARGO_PKG_VERSION");
        let fields = [("version".to_owned(), version.into()), ("checks".to_owned(), checks.into())];
        HealthReport { state, fields: Map::from_iter(fields) }
    }

    fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }
}

impl App {
    /// The page at a path, if there is one.
    pub(crate) async fn public_page(&self, path: &str) -> Option<Answer> {
        if let Some(page) = HealthPage::at(path) {
            return Some(page.answer(self, FORMAT).await);
        }
        match path {
            "/metrics" => {
                let (processor, index) = (self.processor.get().map(AsRef::as_ref), self.index.get());
                let routes = self.routes.get().map(|routes| &routes.running);
                let (space, now) = (self.disk_space(), self.deadlines.now());
                let page = self.metrics.render(&*self.store, space, now, processor, routes, index).await;
                Some(response(StatusCode::OK, METRICS, page))
            }
            "/openapi.json" => Some(response(StatusCode::OK, "application/json", redrive_proto::OPENAPI)),
            _ => None,
        }
    }

    /// The most severe problem of the store, if it has one: degraded if the store still accepts some writes.
    fn store_problem(&self, answers: bool) -> Option<(HealthState, Cow<'static, str>)> {
        let status = self.store.status().unwrap_or_default();
        if !answers {
            Some((HealthState::Unhealthy, "storage check failed".into()))
        } else if status.is_poisoned {
            let description = "the disk failed: only reads are answered until the server is started again";
            Some((HealthState::Unhealthy, description.into()))
        } else if status.is_full {
            // Consumers that complete items free disk space, so a load balancer must not send them elsewhere.
            Some((HealthState::Degraded, "the disk is full: only operations that free space are accepted".into()))
        } else if status.damaged > 0 {
            let description = format!("{} items or letters are damaged on disk and set aside", status.damaged);
            Some((HealthState::Degraded, description.into()))
        } else {
            None
        }
    }

    fn disk_check(&self, space: &DiskSpace) -> Value {
        let state = if space.is_low() { HealthState::Degraded } else { HealthState::Healthy };
        let mut check = json!({
            "componentType": "system",
            "observedValue": space.free,
            "observedUnit": "bytes",
            "status": FORMAT.word(state),
            "time": self.deadlines.now().to_string(),
        });
        if let (Some(check), true) = (check.as_object_mut(), space.is_low()) {
            let output = format!("the disk is low: less than {} bytes are free", space.low);
            check.insert("output".to_owned(), output.into());
        }
        check
    }

    /// The health checks of queues that are degraded, or whose pending letters have no target.
    async fn queue_checks(&self) -> QueueChecks {
        let now = self.deadlines.now();
        let list = ListQueues { limit: QUEUES_MAX, ..ListQueues::default() };
        let Ok(queues) = self.store.queues(list).await else { return QueueChecks::default() };
        let mut checks = QueueChecks::default();
        for queue in queues {
            // A queue that was deleted meanwhile is skipped.
            let Ok(stats) = self.store.stats(GetStats { queue: queue.name.clone() }).await else { continue };
            let check = |status: &str, output: String| {
                json!({
                    "componentId": queue.name.to_string(),
                    "componentType": "component",
                    "status": status,
                    "time": now.to_string(),
                    "output": output,
                })
            };
            let reasons = degraded(&stats, &self.settings, now);
            if !reasons.is_empty() {
                checks.degraded.push(check("warn", format!("degraded: {}", reasons.join(", "))));
            }
            let pending = stats.letters.of(Status::Pending);
            if pending > 0 && !self.has_target(&queue.name) {
                // Letters that wait for an operator need no target; letters with a scheduled retry do.
                let is_scheduled = stats.next_due_at.is_some();
                let letters = if pending == 1 { "letter" } else { "letters" };
                let output = format!("{pending} pending {letters} and no target in dlq.targets: none is retried");
                let status = if is_scheduled { "warn" } else { "pass" };
                checks.without_target.push(check(status, output));
                checks.has_unmade_retries |= is_scheduled;
            }
        }
        for queue in self.missing_target_queues().await.unwrap_or_default() {
            let output = "the queue of dlq.targets does not exist: create it, or restart the server";
            checks.without_target.push(json!({
                "componentId": queue.to_string(),
                "componentType": "component",
                "status": "warn",
                "time": now.to_string(),
                "output": output,
            }));
            checks.has_missing_queue = true;
        }
        checks
    }
}

#[derive(Default)]
struct QueueChecks {
    degraded: Vec<Value>,
    /// Queues with pending letters that no target retries.
    without_target: Vec<Value>,
    /// Whether one of their letters has a scheduled retry.
    has_unmade_retries: bool,
    /// Whether a queue of `dlq.targets` does not exist.
    has_missing_queue: bool,
}

impl QueueChecks {
    const fn is_warning(&self) -> bool {
        !self.degraded.is_empty() || self.has_unmade_retries || self.has_missing_queue
    }
}

const FORMAT: HealthFormat = HealthFormat::HealthJson;
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

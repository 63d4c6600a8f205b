//! The pages that need no API key: health, metrics and the `OpenAPI` description.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use redrive_core::Status;
use redrive_model::{GetKey, GetStats, ListQueues};
use serde_json::{Value, json};

use crate::app::App;
use crate::http::{Answer, response};
use crate::letters::degraded;

/// Maximum number of queues that a health check looks at, in the order of their names.
const QUEUES_MAX: usize = 1_000;
/// A store that does not answer within this time is reported as failed.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

impl App {
    /// The page at a path, if there is one.
    pub(crate) async fn public_page(&self, path: &str) -> Option<Answer> {
        match path {
            "/health" | "/health/ready" => Some(self.health(path).await),
            "/health/live" => Some(response(StatusCode::OK, HEALTH, json!({ "status": "pass" }).to_string())),
            "/metrics" => {
                let (processor, index) = (self.processor.get().map(AsRef::as_ref), self.index.get());
                let routes = self.routes.get().map(|routes| &routes.running);
                let page = self.metrics.render(&*self.store, self.deadlines.now(), processor, routes, index).await;
                Some(response(StatusCode::OK, METRICS, page))
            }
            "/openapi.json" => Some(response(StatusCode::OK, "application/json", redrive_proto::OPENAPI)),
            _ => None,
        }
    }

    /// A server that shuts down is healthy but not ready.
    async fn health(&self, path: &str) -> Answer {
        let probe = self.store.key(GetKey { key: Bytes::from_static(b"health") });
        let answers = matches!(tokio::time::timeout(PROBE_TIMEOUT, probe).await, Ok(Ok(_)));
        let problem = self.store_problem(answers);
        let is_serving = problem.as_ref().is_none_or(|problem| problem.still_serves);
        let is_open = path != "/health/ready" || !self.closing.is_cancelled();
        let mut state = if is_serving && is_open { "pass" } else { "fail" };
        let mut check = json!({
            "componentType": "datastore",
            "status": "pass",
            "time": self.deadlines.now().to_string(),
        });
        if let (Some(check), Some(problem)) = (check.as_object_mut(), &problem) {
            check.insert("status".to_owned(), if problem.still_serves { "warn" } else { "fail" }.into());
            check.insert("output".to_owned(), problem.description.as_ref().into());
            state = if state == "pass" { "warn" } else { state };
        }
        let queues = if is_serving { self.queue_checks().await } else { QueueChecks::default() };
        let mut checks = json!({ "queues:storage": [check] });
        if let Some(checks) = checks.as_object_mut() {
            // Such a queue is still served: a warning, which does not take the server out of a load balancer.
            state = if state == "pass" && queues.is_warning() { "warn" } else { state };
            let lists = [("queues:letters", queues.degraded), ("queues:targets", queues.without_target)];
            let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
            checks.extend(lists.map(|(name, list)| (name.to_owned(), list.into())));
        }
        if let (Some(checks), Some(index)) = (checks.as_object_mut(), self.index.get()) {
            checks.insert("letters:index".to_owned(), json!([index.check(&self.deadlines.now().to_string())]));
            // The store works without the index: a warning, not a failure.
            state = if state == "pass" && !index.is_up() { "warn" } else { state };
        }
        let document = json!({ "status": state, "version": env!("CARGO_PKG_VERSION"), "checks": checks });
        let status = if is_serving && is_open { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        response(status, HEALTH, document.to_string())
    }

    /// The most severe problem of the store, if it has one.
    fn store_problem(&self, answers: bool) -> Option<StoreProblem> {
        let status = self.store.status().unwrap_or_default();
        if !answers {
            Some(StoreProblem { description: "storage check failed".into(), still_serves: false })
        } else if status.is_poisoned {
            Some(StoreProblem {
                description: "the disk failed: only reads are answered until the server is started again".into(),
                still_serves: false,
            })
        } else if status.is_full {
            // Consumers that complete items free disk space, so a load balancer must not send them elsewhere.
            let description = "the disk is full: only operations that free space are accepted".into();
            Some(StoreProblem { description, still_serves: true })
        } else if status.damaged > 0 {
            let description = format!("{} items or letters are damaged on disk and set aside", status.damaged);
            Some(StoreProblem { description: description.into(), still_serves: true })
        } else {
            None
        }
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
}

impl QueueChecks {
    const fn is_warning(&self) -> bool {
        !self.degraded.is_empty() || self.has_unmade_retries
    }
}

struct StoreProblem {
    description: Cow<'static, str>,
    /// Whether the store still accepts some writes.
    still_serves: bool,
}

const HEALTH: &str = "application/health+json";
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

//! The pages that need no API key: health, metrics and the `OpenAPI` description.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
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
                let page = self.metrics.render(&*self.store, self.deadlines.now(), processor, index).await;
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
        let degraded = if is_serving { self.degraded_queues().await } else { Vec::new() };
        let mut checks = json!({ "queues:storage": [check] });
        if let (Some(checks), false) = (checks.as_object_mut(), degraded.is_empty()) {
            checks.insert("queues:letters".to_owned(), degraded.into());
            // A degraded queue is still served: a warning, which does not take the server out of a load balancer.
            state = if state == "pass" { "warn" } else { state };
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

    /// The health checks of degraded queues, one each.
    async fn degraded_queues(&self) -> Vec<Value> {
        let now = self.deadlines.now();
        let list = ListQueues { limit: QUEUES_MAX, ..ListQueues::default() };
        let Ok(queues) = self.store.queues(list).await else { return Vec::new() };
        let mut checks = Vec::new();
        for queue in queues {
            // A queue that was deleted meanwhile is skipped.
            let Ok(stats) = self.store.stats(GetStats { queue: queue.name.clone() }).await else { continue };
            let reasons = degraded(&stats, &self.settings, now);
            if !reasons.is_empty() {
                checks.push(json!({
                    "componentId": queue.name.to_string(),
                    "componentType": "component",
                    "status": "warn",
                    "time": now.to_string(),
                    "output": format!("degraded: {}", reasons.join(", ")),
                }));
            }
        }
        checks
    }
}

struct StoreProblem {
    description: Cow<'static, str>,
    /// Whether the store still accepts some writes.
    still_serves: bool,
}

const HEALTH: &str = "application/health+json";
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

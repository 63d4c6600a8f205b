//! What everybody may look at, without a key: health, metrics, the description of the API.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use redrive_model::{GetKey, GetStats, ListQueues};
use serde_json::{Value, json};

use crate::app::App;
use crate::door::{Answer, response};
use crate::letters::degraded;

/// So many queues are looked at, the first by name.
const QUEUES_MAX: usize = 1_000;
/// A store that does not answer in this time is not well.
const PROBE: Duration = Duration::from_secs(5);

impl App {
    /// The page at a path, if there is one.
    pub(crate) async fn open_page(&self, path: &str) -> Option<Answer> {
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

    /// A server that shuts down is healthy, and takes no more work.
    async fn health(&self, path: &str) -> Answer {
        let probe = self.store.key(GetKey { key: Bytes::from_static(b"health") });
        let answers = matches!(tokio::time::timeout(PROBE, probe).await, Ok(Ok(_)));
        let trouble = self.store_trouble(answers);
        let is_well = trouble.as_ref().is_none_or(|trouble| trouble.serves);
        let is_open = path != "/health/ready" || !self.closing.is_cancelled();
        let mut state = if is_well && is_open { "pass" } else { "fail" };
        let mut check = json!({
            "componentType": "datastore",
            "status": "pass",
            "time": self.deadlines.now().to_string(),
        });
        if let (Some(check), Some(trouble)) = (check.as_object_mut(), &trouble) {
            check.insert("status".to_owned(), if trouble.serves { "warn" } else { "fail" }.into());
            check.insert("output".to_owned(), trouble.what.as_ref().into());
            state = if state == "pass" { "warn" } else { state };
        }
        let degraded = if is_well { self.degraded_queues().await } else { Vec::new() };
        let mut checks = json!({ "queues:storage": [check] });
        if let (Some(checks), false) = (checks.as_object_mut(), degraded.is_empty()) {
            checks.insert("queues:letters".to_owned(), degraded.into());
            // What is degraded still serves: it is told, and nobody is sent elsewhere for it.
            state = if state == "pass" { "warn" } else { state };
        }
        if let (Some(checks), Some(index)) = (checks.as_object_mut(), self.index.get()) {
            checks.insert("letters:index".to_owned(), json!([index.check(&self.deadlines.now().to_string())]));
            // An index that is down is in nobody's way: it makes a server no worse than warned of.
            state = if state == "pass" && !index.is_well() { "warn" } else { state };
        }
        let document = json!({ "status": state, "version": env!("CARGO_PKG_VERSION"), "checks": checks });
        let status = if is_well && is_open { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        response(status, HEALTH, document.to_string())
    }

    /// What is wrong with the store, if anything is.
    fn store_trouble(&self, answers: bool) -> Option<StoreTrouble> {
        let status = self.store.status().unwrap_or_default();
        if !answers {
            Some(StoreTrouble { what: "storage check failed".into(), serves: false })
        } else if status.is_poisoned {
            Some(StoreTrouble {
                what: "the disk failed: only reads are answered until the server is started again".into(),
                serves: false,
            })
        } else if status.is_full {
            // Whoever completes something makes room, and must not be sent away.
            Some(StoreTrouble { what: "the disk is full: only what makes room is done".into(), serves: true })
        } else if status.damaged > 0 {
            let what = format!("{} items or letters are damaged on disk and set aside", status.damaged);
            Some(StoreTrouble { what: what.into(), serves: true })
        } else {
            None
        }
    }

    /// The queues whose letters are too many or wait for too long, as checks.
    async fn degraded_queues(&self) -> Vec<Value> {
        let now = self.deadlines.now();
        let list = ListQueues { limit: QUEUES_MAX, ..ListQueues::default() };
        let Ok(queues) = self.store.queues(list).await else { return Vec::new() };
        let mut checks = Vec::new();
        for queue in queues {
            // One that was deleted meanwhile is no trouble any more.
            let Ok(stats) = self.store.stats(GetStats { queue: queue.name.clone() }).await else { continue };
            let what = degraded(&stats, &self.settings, now);
            if !what.is_empty() {
                checks.push(json!({
                    "componentId": queue.name.to_string(),
                    "componentType": "component",
                    "status": "warn",
                    "time": now.to_string(),
                    "output": format!("degraded: {}", what.join(", ")),
                }));
            }
        }
        checks
    }
}

struct StoreTrouble {
    what: Cow<'static, str>,
    /// Whether there is still work that it does.
    serves: bool,
}

const HEALTH: &str = "application/health+json";
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

//! What everybody may look at, without a key: health, metrics, the description of the API.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use redrive_queue::GetKey;
use serde_json::json;

use crate::app::App;
use crate::door::{Answer, response};

/// A store that does not answer in this time is not well.
const PROBE: Duration = Duration::from_secs(5);

impl App {
    /// The page at a path, if there is one.
    pub(crate) async fn open_page(&self, path: &str) -> Option<Answer> {
        match path {
            "/health" | "/health/ready" => Some(self.health(path).await),
            "/health/live" => Some(response(StatusCode::OK, HEALTH, json!({ "status": "pass" }).to_string())),
            "/metrics" => Some(response(StatusCode::OK, METRICS, self.metrics.render(&*self.store).await)),
            "/openapi.json" => Some(response(StatusCode::OK, "application/json", redrive_proto::OPENAPI)),
            _ => None,
        }
    }

    /// A server that shuts down is healthy, and takes no more work.
    async fn health(&self, path: &str) -> Answer {
        let probe = self.store.key(GetKey { key: Bytes::from_static(b"health") });
        let is_well = matches!(tokio::time::timeout(PROBE, probe).await, Ok(Ok(_)));
        let is_open = path != "/health/ready" || !self.closing.is_cancelled();
        let word = |is_good: bool| if is_good { "pass" } else { "fail" };
        let mut check = json!({
            "componentType": "datastore",
            "status": word(is_well),
            "time": self.deadlines.now().to_string(),
        });
        if let (Some(check), false) = (check.as_object_mut(), is_well) {
            check.insert("output".to_owned(), "storage check failed".into());
        }
        let document = json!({
            "status": word(is_well && is_open),
            "version": env!("CARGO_PKG_VERSION"),
            "checks": { "queues:storage": [check] },
        });
        let status = if is_well && is_open { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        response(status, HEALTH, document.to_string())
    }
}

const HEALTH: &str = "application/health+json";
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

//! The pages of a health check.

use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Response, StatusCode};
use http_body_util::Full;
use serde_json::{Map, Value};

use super::{HealthCheck, HealthFormat, HealthReport, HealthState};

/// A check that takes longer is reported as unhealthy.
const CHECK_MAX: Duration = Duration::from_secs(10);

/// A page of a health check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealthPage {
    /// `/health`: the state of the process, also while it shuts down.
    Overall,
    /// `/health/live`: whether the process runs. It never waits for a check.
    Live,
    /// `/health/ready`: whether the process may get work.
    Ready,
}

impl HealthPage {
    /// The page at a path, if there is one.
    pub fn at(path: &str) -> Option<Self> {
        match path {
            "/health" => Some(Self::Overall),
            "/health/live" => Some(Self::Live),
            "/health/ready" => Some(Self::Ready),
            _ => None,
        }
    }

    /// The answer to a request for this page.
    pub async fn answer(self, check: &dyn HealthCheck, format: HealthFormat) -> Response<Full<Bytes>> {
        let mut report = HealthReport { state: HealthState::Healthy, fields: Map::new() };
        if self != Self::Live {
            report = tokio::time::timeout(CHECK_MAX, check.check()).await.unwrap_or_else(|_| {
                let problem = Value::from("the check did not end in time");
                let fields = Map::from_iter([("problem".to_owned(), problem)]);
                HealthReport { state: HealthState::Unhealthy, fields }
            });
        }
        if self == Self::Ready && check.is_closing() {
            report.state = HealthState::Unhealthy;
        }
        report.fields.insert("status".to_owned(), format.word(report.state).into());
        let mut response = Response::new(Full::new(Bytes::from(Value::Object(report.fields).to_string())));
        if report.state == HealthState::Unhealthy {
            *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        }
        response.headers_mut().insert(CONTENT_TYPE, format.content_type());
        response
    }
}

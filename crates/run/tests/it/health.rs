//! The pages of health checks.

use async_trait::async_trait;
use http::header::CONTENT_TYPE;
use http_body_util::BodyExt;
use redrive_run::{HealthCheck, HealthFormat, HealthPage, HealthReport, HealthState};
use serde_json::{Map, Value, json};

/// A process in this state; `None` for one whose check does not end.
struct Process {
    state: Option<HealthState>,
    is_closing: bool,
}

#[async_trait]
impl HealthCheck for Process {
    async fn check(&self) -> HealthReport {
        let Some(state) = self.state else { std::future::pending().await };
        HealthReport { state, fields: Map::from_iter([("loops".to_owned(), json!([]))]) }
    }

    fn is_closing(&self) -> bool {
        self.is_closing
    }
}

async fn page(path: &str, process: &Process, format: HealthFormat) -> (u16, String, Value) {
    let answer = HealthPage::at(path).unwrap().answer(process, format).await;
    let (status, media) = (answer.status().as_u16(), answer.headers()[CONTENT_TYPE].to_str().unwrap().to_owned());
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, media, serde_json::from_slice(&body).unwrap())
}

#[tokio::test]
async fn each_format_has_its_words_for_the_same_states() {
    for (state, code, word, health_word) in [
        (HealthState::Healthy, 200, "healthy", "pass"),
        (HealthState::Degraded, 200, "degraded", "warn"),
        (HealthState::Unhealthy, 503, "unhealthy", "fail"),
    ] {
        let process = Process { state: Some(state), is_closing: false };
        for path in ["/health", "/health/ready"] {
            let expected = (code, "application/json".to_owned(), json!({ "status": word, "loops": [] }));
            assert_eq!(page(path, &process, HealthFormat::Json).await, expected);
            let expected = (code, "application/health+json".to_owned(), json!({ "status": health_word, "loops": [] }));
            assert_eq!(page(path, &process, HealthFormat::HealthJson).await, expected);
        }
        let (code, _, body) = page("/health/live", &process, HealthFormat::HealthJson).await;
        assert_eq!((code, body), (200, json!({ "status": "pass" })));
    }
    for path in ["/", "/health/", "/health/lives", "/healthy"] {
        assert_eq!(HealthPage::at(path), None, "{path}");
    }
}

#[tokio::test]
async fn a_process_that_shuts_down_is_healthy_but_not_ready() {
    let process = Process { state: Some(HealthState::Healthy), is_closing: true };
    let (code, _, body) = page("/health/ready", &process, HealthFormat::Json).await;
    assert_eq!((code, &body["status"]), (503, &json!("unhealthy")));
    for path in ["/health", "/health/live"] {
        let (code, _, body) = page(path, &process, HealthFormat::Json).await;
        assert_eq!((code, &body["status"]), (200, &json!("healthy")), "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_check_that_does_not_end_is_unhealthy_and_the_process_still_lives() {
    let process = Process { state: None, is_closing: false };
    let (code, _, body) = page("/health/ready", &process, HealthFormat::Json).await;
    assert_eq!((code, body), (503, json!({ "status": "unhealthy", "problem": "the check did not end in time" })));
    assert_eq!(page("/health/live", &process, HealthFormat::Json).await.0, 200);
}

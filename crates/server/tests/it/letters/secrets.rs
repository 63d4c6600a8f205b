//! Confidential content of letters does not appear in logs, metrics, audit records or lists.

use std::fmt::Debug;
use std::sync::{LazyLock, Mutex};

use redrive_core::{Failure, Kind};
use redrive_run::Handled;
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Metadata, Subscriber};

use super::{captured, get};
use crate::audit::records;
use crate::harness::{Caller, on_each_store_with_target};

/// The text that all confidential fields contain, and no others.
const SECRET: &str = "hunter2-5c61f9";

/// A log subscriber that collects the events of all threads which contain the secret.
#[derive(Default)]
struct LeakDetector(Mutex<Vec<String>>);

/// One subscriber for the whole process: `tracing` would otherwise disable an event for all threads when a thread without
/// a subscriber reaches it first.
static LOG: LazyLock<Dispatch> = LazyLock::new(|| {
    let log = Dispatch::new(LeakDetector::default());
    tracing::dispatcher::set_global_default(log.clone()).unwrap();
    log
});

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0 += &format!("{}={value:?} ", field.name());
    }
}

impl LeakDetector {
    fn check(&self, of: &'static Metadata<'static>, record: impl FnOnce(&mut Fields)) {
        let mut fields = Fields(String::new());
        record(&mut fields);
        if fields.0.contains(SECRET) {
            self.0.lock().unwrap().push(format!("{} {}: {}", of.level(), of.target(), fields.0));
        }
    }
}

impl Subscriber for LeakDetector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("redrive")
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.check(span.metadata(), |fields| span.record(fields));
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        self.check(event.metadata(), |fields| event.record(fields));
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// A failure with the secret in every confidential field.
fn failure_with_secret(source_id: &str) -> Value {
    json!({
        "source_id": source_id, "utf8": SECRET, "key": encoded(), "retry_policy": "never",
        "headers": [{ "name": "authorization", "value": encoded() }], "metadata": { "token": SECRET },
        "fault": { "error": format!("HTTP 503: password {SECRET}"), "error_type": "Denied" },
    })
}

fn encoded() -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(SECRET)
}

/// Sends requests that contain the secret and are rejected, each for another reason.
async fn send_rejected_requests(caller: &mut Caller, id: &Value) {
    let of = |letter: Value| json!({ "queue_name": "dead", "letters": [letter] });
    let mut large = failure_with_secret("large");
    large["utf8"] = json!(SECRET.repeat(500_000));
    let mut odd = failure_with_secret("odd");
    odd["fault"]["error_type"] = json!(format!("{SECRET} / ?"));
    let mut wrong = failure_with_secret("wrong");
    wrong["max_retries"] = json!(SECRET);
    let mut other = failure_with_secret("a");
    other["utf8"] = json!(format!("another {SECRET}"));
    for (path, body) in [
        ("/v1/letters.capture", of(large)),
        ("/v1/letters.capture", of(odd)),
        ("/v1/letters.capture", of(wrong)),
        ("/v1/letters.capture", of(other)),
        ("/v1/letters.edit", json!({ "queue_name": "dead", "id": id, "payload": encoded(), "revision": "99" })),
        ("/v1/letters.edit", json!({ "queue_name": "dead", "id": id, "payload": encoded(), "priority": SECRET })),
        ("/v1/letters.list", json!({ "queue_name": "dead", "filter": format!("error == '{SECRET}' &&") })),
        ("/v1/letters.import", json!({ "queue_name": "dead", "lines": [] })),
        ("/v1/letters.configure", json!({ "queue_name": "dead", "set": { "custom_backoff": SECRET } })),
        ("/v1/letters.configure", json!({ "queue_name": "dead", "set": { "on_full": SECRET } })),
    ] {
        let response = caller.json(path, body).await;
        assert!(response.status.is_client_error(), "{path}: {}", response.text());
    }
    let unreadable = format!("{{\"queue_name\": \"dead\", \"letters\": [{{\"utf8\": \"{SECRET}\" \"{SECRET}\"}}]}}");
    assert!(caller.post("/v1/letters.capture", "application/json", unreadable).await.status.is_client_error());
    let line = format!("{{\"v\": 1, \"secret\": \"{SECRET}\"");
    caller.ok("/v1/letters.import", json!({ "queue_name": "dead", "lines": [line] })).await;
}

#[test]
fn confidential_content_is_in_no_log_metric_audit_record_or_list() {
    LazyLock::force(&LOG);
    on_each_store_with_target(async |server, mut caller, mut target| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let id = captured(&mut caller, failure_with_secret("a")).await;
        for ends in [
            |failure| Handled::failed(failure),
            |failure| Handled::failed(Failure { parts: vec!["x".to_owned()], ..failure }),
        ] {
            let call = server.spawn_call("/v1/letters.retry", json!({ "queue_name": "dead", "id": id })).await;
            let kind: Option<Kind> = "io.refused".parse().ok();
            let mut failure = Failure::new(format!("HTTP 503: password {SECRET}"));
            failure.error.kind = kind;
            target.next().await.answer(ends(failure));
            call.await.unwrap();
        }
        let call = server.spawn_call("/v1/letters.retry", json!({ "queue_name": "dead", "id": id })).await;
        target.next().await.panic_with(SECRET);
        call.await.unwrap();
        caller.ok("/v1/letters.edit", json!({ "queue_name": "dead", "id": id, "payload": encoded() })).await;
        caller.ok("/v1/letters.annotate", json!({ "queue_name": "dead", "id": id, "text": SECRET })).await;
        send_rejected_requests(&mut caller, &id).await;
        let exported = caller.ok("/v1/letters.export", json!({ "queue_name": "dead" })).await;
        assert!(exported.to_string().contains(&encoded()), "an export with a reason contains the payload");
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [id] })).await;
        caller.ok("/v1/letters.import", json!({ "queue_name": "dead", "lines": exported["lines"] })).await;

        let mut shown = vec![caller.page("/metrics").await.text(), format!("{:?}", records(&server).await)];
        for verb in ["list", "groups", "stats"] {
            shown.push(caller.ok(&format!("/v1/letters.{verb}"), json!({ "queue_name": "dead" })).await.to_string());
        }
        shown.push(get(&mut caller, &id).await["content"].to_string());
        for text in shown {
            assert!(!text.contains(SECRET) && !text.contains(&encoded()), "{text}");
        }
        let leaks = LOG.downcast_ref::<LeakDetector>().unwrap().0.lock().unwrap().clone();
        assert!(leaks.is_empty(), "{leaks:#?}");
    });
}

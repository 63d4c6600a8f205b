//! What letters carry is for those who may see it: it is in no log, no metric, no record of acts and no list.

use std::fmt::Debug;
use std::sync::{LazyLock, Mutex};

use http::Request;
use http_body_util::Full;
use redrive_core::{Failure, Kind};
use redrive_run::Handled;
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Metadata, Subscriber};

use super::{capture, get};
use crate::audit::records;
use crate::bed::{Caller, each_retrying};

/// Stands in everything that is confidential, and nowhere else.
const SECRET: &str = "hunter2-5c61f9";

/// Keeps what is logged of it, by whatever thread.
#[derive(Default)]
struct Leaks(Mutex<Vec<String>>);

/// One for all tests: what a thread without a subscriber meets first would otherwise be switched off for the others.
static LOG: LazyLock<Dispatch> = LazyLock::new(|| {
    let log = Dispatch::new(Leaks::default());
    tracing::dispatcher::set_global_default(log.clone()).unwrap();
    log
});

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0 += &format!("{}={value:?} ", field.name());
    }
}

impl Leaks {
    fn look(&self, of: &'static Metadata<'static>, record: impl FnOnce(&mut Fields)) {
        let mut fields = Fields(String::new());
        record(&mut fields);
        if fields.0.contains(SECRET) {
            self.0.lock().unwrap().push(format!("{} {}: {}", of.level(), of.target(), fields.0));
        }
    }
}

impl Subscriber for Leaks {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("redrive")
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.look(span.metadata(), |fields| span.record(fields));
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        self.look(event.metadata(), |fields| event.record(fields));
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// A failure that is full of it.
fn telling(source_id: &str) -> Value {
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

async fn metrics(caller: &mut Caller) -> String {
    caller.send(Request::get("/metrics").header("host", "localhost").body(Full::default()).unwrap()).await.text()
}

/// Requests that are refused, for reasons of their own.
async fn refused_ones(caller: &mut Caller, id: &Value) {
    let of = |letter: Value| json!({ "queue_name": "dead", "letters": [letter] });
    let mut large = telling("large");
    large["utf8"] = json!(SECRET.repeat(500_000));
    let mut odd = telling("odd");
    odd["fault"]["error_type"] = json!(format!("{SECRET} / ?"));
    let mut wrong = telling("wrong");
    wrong["max_retries"] = json!(SECRET);
    let mut other = telling("a");
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
        let heard = caller.json(path, body).await;
        assert!(heard.status.is_client_error(), "{path}: {}", heard.text());
    }
    let unreadable = format!("{{\"queue_name\": \"dead\", \"letters\": [{{\"utf8\": \"{SECRET}\" \"{SECRET}\"}}]}}");
    assert!(caller.post("/v1/letters.capture", "application/json", unreadable).await.status.is_client_error());
    let line = format!("{{\"v\": 1, \"secret\": \"{SECRET}\"");
    caller.ok("/v1/letters.import", json!({ "queue_name": "dead", "lines": [line] })).await;
}

#[tokio::test]
async fn what_is_confidential_is_in_no_log_no_metric_no_record_and_no_list() {
    LazyLock::force(&LOG);
    each_retrying(async |bed, mut target| {
        let mut caller = bed.caller().await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        caller.create("dead", json!({})).await;
        let id = capture(&mut caller, telling("a")).await["id"].clone();
        for ends in [
            |failure| Handled::failed(failure),
            |failure| Handled::failed(Failure { parts: vec!["x".to_owned()], ..failure }),
        ] {
            let asked = bed.calling("/v1/letters.retry", json!({ "queue_name": "dead", "id": id })).await;
            let kind: Option<Kind> = "io.refused".parse().ok();
            let mut failure = Failure::new(format!("HTTP 503: password {SECRET}"));
            failure.error.kind = kind;
            target.next().await.answer(ends(failure));
            asked.await.unwrap();
        }
        let asked = bed.calling("/v1/letters.retry", json!({ "queue_name": "dead", "id": id })).await;
        target.next().await.panic_with(SECRET);
        asked.await.unwrap();
        caller.ok("/v1/letters.edit", json!({ "queue_name": "dead", "id": id, "payload": encoded() })).await;
        caller.ok("/v1/letters.annotate", json!({ "queue_name": "dead", "id": id, "text": SECRET })).await;
        refused_ones(&mut caller, &id).await;
        let exported = caller.ok("/v1/letters.export", json!({ "queue_name": "dead" })).await;
        assert!(exported.to_string().contains(&encoded()), "whoever may see it, and says why, does");
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [id] })).await;
        caller.ok("/v1/letters.import", json!({ "queue_name": "dead", "lines": exported["lines"] })).await;

        let mut shown = vec![metrics(&mut caller).await, format!("{:?}", records(&bed).await)];
        for verb in ["list", "groups", "stats"] {
            shown.push(caller.ok(&format!("/v1/letters.{verb}"), json!({ "queue_name": "dead" })).await.to_string());
        }
        shown.push(get(&mut caller, &id).await["content"].to_string());
        for text in shown {
            assert!(!text.contains(SECRET) && !text.contains(&encoded()), "{text}");
        }
        let leaks = LOG.downcast_ref::<Leaks>().unwrap().0.lock().unwrap().clone();
        assert!(leaks.is_empty(), "{leaks:#?}");
    })
    .await;
}

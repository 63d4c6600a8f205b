//! How a queue treats its letters.

use redrive_core::Span;
use redrive_server::{AuthMode, Bootstrap, ConfigSource, Configured, Settings};
use serde_json::{Value, json};

use super::{capture, failure, get, refused};
use crate::bed::{Bed, Caller, Ground, each};
use crate::tenancy::{bind, key_of, namespace, role, user};

const CAPTURE: &str = "/v1/letters.capture";
const CONFIGURE: &str = "/v1/letters.configure";

async fn set(caller: &mut Caller, settings: Value) {
    caller.ok(CONFIGURE, json!({ "queue_name": "dead", "set": settings })).await;
}

/// Value and source of a setting.
async fn held(caller: &mut Caller, name: &str) -> (String, String) {
    let told = caller.ok(CONFIGURE, json!({ "queue_name": "dead" })).await;
    let found = told["settings"].as_array().unwrap().iter().find(|setting| setting["name"] == name).unwrap().clone();
    let text = |field: &str| found[field].as_str().unwrap().to_owned();
    (text("value"), text("source"))
}

fn told(value: &str, source: &str) -> (String, String) {
    (value.to_owned(), source.to_owned())
}

fn of(letter: &Value) -> Value {
    json!({ "queue_name": "dead", "letters": [letter] })
}

#[tokio::test]
async fn what_a_queue_says_goes_before_the_server_until_it_is_reset() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        assert_eq!(held(&mut caller, "default_max_retries").await, told("3", "default"));
        assert_eq!(held(&mut caller, "archive_retention_seconds").await, told("keep", "default"));
        set(&mut caller, json!({ "default_max_retries": "7", "dlq_on_full": "Overflow" })).await;
        set(&mut caller, json!({ "archive_retention_seconds": "60" })).await;
        assert_eq!(held(&mut caller, "default_max_retries").await, told("7", "queue"));
        assert_eq!(held(&mut caller, "on_full").await, told("overflow", "queue"), "what was set before stays");
        assert_eq!(held(&mut caller, "archive_retention_seconds").await, told("60", "queue"));
        caller.ok(CONFIGURE, json!({ "queue_name": "dead", "reset": ["default_max_retries"] })).await;
        assert_eq!(held(&mut caller, "default_max_retries").await, told("3", "default"));
        assert_eq!(held(&mut caller, "on_full").await, told("overflow", "queue"));
    })
    .await;
}

#[tokio::test]
async fn a_setting_that_cannot_be_changes_nothing() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        for (name, value) in [
            ("default_max_retries", "11"),
            ("default_max_retries", "-1"),
            ("max_size", "99"),
            ("max_size", "100001"),
            ("max_letter_bytes", "1023"),
            ("on_full", "evict"),
            ("integration_strategy", "sometimes"),
            ("default_retry_policy", "custom"),
            ("archive_retention_seconds", "never"),
            ("letters_expire", "perhaps"),
            ("auto_archive_exhausted_seconds", "-1"),
            ("auto_archive_exhausted_seconds", "keep"),
            ("on_lost_dependency", "forget"),
            ("max_sise", "500"),
        ] {
            let body = json!({ "queue_name": "dead", "set": { "completed_retention_seconds": "5", name: value } });
            assert_eq!(refused(&mut caller, CONFIGURE, body).await, (400, "invalid".into()), "{name}={value}");
        }
        let unknown = json!({ "queue_name": "dead", "reset": ["max_sise"] });
        assert_eq!(refused(&mut caller, CONFIGURE, unknown).await, (400, "invalid".into()));
        assert_eq!(held(&mut caller, "completed_retention_seconds").await, told("604800", "default"));
        let nowhere = json!({ "queue_name": "nowhere", "set": { "max_size": "500" } });
        assert_eq!(refused(&mut caller, CONFIGURE, nowhere).await, (404, "not_found".into()));
    })
    .await;
}

#[tokio::test]
async fn captures_go_by_what_their_queue_says() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let settings = json!({
            "default_max_retries": "5", "default_retry_policy": "linear", "on_duplicate": "reject",
            "max_letter_bytes": "1024",
        });
        set(&mut caller, settings).await;
        let of_queue = capture(&mut caller, failure("a")).await;
        assert_eq!((&of_queue["retry_policy"], &of_queue["max_retries"]), (&json!("linear"), &json!(5)));
        let letter = &get(&mut caller, &of_queue["id"]).await["letter"];
        assert_eq!(
            (&letter["policy_source"], &letter["next_retry_at"]),
            (&json!("default"), &json!("2026-11-15T12:05:00Z"))
        );
        let named = json!({ "source_id": "b", "fault": { "error": "HTTP 503", "category": "permission" } });
        let named = capture(&mut caller, named).await;
        assert_eq!(named["retry_policy"], "never", "a category that is named goes before the queue's default");
        let explicit = json!({ "source_id": "c", "retry_policy": "immediate", "max_retries": 9 });
        let explicit = capture(&mut caller, explicit).await;
        assert_eq!((&explicit["retry_policy"], &explicit["max_retries"]), (&json!("immediate"), &json!(9)));
        assert_eq!(refused(&mut caller, CAPTURE, of(&failure("a"))).await, (409, "duplicate".into()));
        let large = json!({ "source_id": "d", "utf8": "x".repeat(1_025) });
        assert_eq!(refused(&mut caller, CAPTURE, of(&large)).await, (400, "invalid".into()));
        capture(&mut caller, json!({ "source_id": "d", "utf8": "x".repeat(1_024) })).await;
    })
    .await;
}

#[tokio::test]
async fn the_strategy_of_a_queue_decides_what_it_keeps() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let caught = |source_id: &str, error: &str| {
            json!({ "source_id": source_id, "fault": { "error": error }, "metadata": { "enqueued_by": "automatic" } })
        };
        let skipped = || (409, "skipped_by_strategy".to_owned());
        set(&mut caller, json!({ "integration_strategy": "selective" })).await;
        assert_eq!(refused(&mut caller, CAPTURE, of(&caught("a", "permission denied"))).await, skipped());
        capture(&mut caller, caught("a", "timed out")).await;
        capture(&mut caller, json!({ "source_id": "b", "fault": { "error": "permission denied" } })).await;
        set(&mut caller, json!({ "integration_strategy": "manual" })).await;
        assert_eq!(refused(&mut caller, CAPTURE, of(&caught("c", "timed out"))).await, skipped());
        capture(&mut caller, failure("c")).await;
        set(&mut caller, json!({ "integration_strategy": "disabled" })).await;
        assert_eq!(refused(&mut caller, CAPTURE, of(&failure("d"))).await, (409, "disabled".into()));
    })
    .await;
}

#[tokio::test]
async fn a_queue_archives_what_is_exhausted_when_it_says_so() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let spent = |source_id: &str| json!({ "source_id": source_id, "max_retries": 0, "fault": { "error": "boom" } });
        assert_eq!(held(&mut caller, "auto_archive_exhausted_seconds").await, told("off", "default"));
        let before = capture(&mut caller, spent("a")).await["id"].clone();
        set(&mut caller, json!({ "auto_archive_exhausted_seconds": "60" })).await;
        let since = capture(&mut caller, spent("b")).await["id"].clone();
        bed.advance(Span::from_secs(60));
        for (id, status) in [(&before, "exhausted"), (&since, "archived")] {
            assert_eq!(get(&mut caller, id).await["letter"]["status"], status, "new settings are for what comes");
        }
        set(&mut caller, json!({ "auto_archive_exhausted_seconds": "off" })).await;
        assert_eq!(held(&mut caller, "auto_archive_exhausted_seconds").await, told("off", "queue"));
    })
    .await;
}

#[tokio::test]
async fn an_explanation_goes_by_what_the_queue_says() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let settings = json!({ "default_max_retries": "2", "integration_strategy": "selective" });
        set(&mut caller, settings).await;
        let asked = |queue: &str, error: &str| json!({ "queue_name": queue, "fault": { "error": error } });
        let told = caller.ok("/v1/letters.explain", asked("dead", "timed out")).await;
        assert_eq!((&told["max_retries"], &told["reason"]), (&json!(2), &json!("enqueued")));
        assert_eq!(told["schedule"].as_array().unwrap().len(), 2);
        let told = caller.ok("/v1/letters.explain", asked("dead", "permission denied")).await;
        assert_eq!(told["reason"], "skipped_by_strategy");
        let told = caller.ok("/v1/letters.explain", asked("", "timed out")).await;
        assert_eq!((&told["max_retries"], &told["schedule"].as_array().unwrap().len()), (&json!(3), &3));
        let nowhere = refused(&mut caller, "/v1/letters.explain", asked("nowhere", "timed out")).await;
        assert_eq!(nowhere, (404, "not_found".into()));
    })
    .await;
}

#[tokio::test]
async fn letters_that_wait_for_a_person_expire_with_a_queue_that_says_so() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        set(&mut caller, json!({ "letters_expire": "true" })).await;
        let never = |source: &str| json!({ "source_id": source, "retry_policy": "never" });
        let expiring = capture(&mut caller, never("expires")).await["id"].clone();
        let retried = capture(&mut caller, failure("is retried first")).await["id"].clone();
        assert_eq!(get(&mut caller, &expiring).await["letter"]["expire_deadline"], "2026-11-16T12:00:00Z");
        set(&mut caller, json!({ "letters_expire": "false" })).await;
        let kept = capture(&mut caller, never("kept")).await["id"].clone();
        bed.advance(Span::from_hours(25));
        let gone = json!({ "queue_name": "dead", "id": expiring });
        assert_eq!(refused(&mut caller, "/v1/letters.get", gone).await, (404, "not_found".into()));
        for id in [retried, kept] {
            assert_eq!(get(&mut caller, &id).await["letter"]["status"], "pending");
        }
    })
    .await;
}

/// Where the server keeps its index is the business of those who run it.
#[tokio::test]
async fn the_servers_own_index_is_shown_only_to_whoever_may_configure_the_server() {
    let configured = |name: &str, value: &str| Configured {
        name: name.to_owned(),
        value: value.to_owned(),
        source: ConfigSource::File,
    };
    let settings = Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        auth: AuthMode::Internal,
        bootstrap: Bootstrap::Anonymous,
        configured: vec![configured("opensearch_url", "https://index.internal"), configured("max_parallel", "7")],
        ..Settings::default()
    };
    let bed = Bed::with(Ground::Memory, settings).await;
    let mut anybody = bed.caller().await;
    namespace(&mut anybody, "shop").await;
    let queue = json!({ "queue_name": "dead", "lease_timeout": "1m", "expire_timeout": "1h",
        "requested_partitions": 1, "namespace": "shop" });
    anybody.ok("/v1/queues.create", queue).await;
    role(&mut anybody, "shop", "owner", &["letters.configure"]).await;
    let (ann, root) = (user(&mut anybody, "ann").await, user(&mut anybody, "root").await);
    bind(&mut anybody, "shop", "owner", &ann).await;
    bind(&mut anybody, "_system", "Admin", &root).await;
    for (user, sees_index) in [(ann, false), (root, true)] {
        let (_, key) = key_of(&mut anybody, &user).await;
        let mut caller = bed.caller().await.with_key(&key);
        for body in [json!({ "queue_name": "dead" }), json!({ "queue_name": "dead", "set": { "max_size": "500" } })] {
            let told = caller.ok(CONFIGURE, body).await;
            let is_told = |name: &str| told["settings"].as_array().unwrap().iter().any(|told| told["name"] == name);
            assert_eq!((is_told("opensearch_url"), is_told("max_parallel")), (sees_index, true));
            assert_eq!(told.to_string().contains("index.internal"), sees_index);
        }
    }
}

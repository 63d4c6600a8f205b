//! `letters.configure`: the letter settings of a queue.

use redrive_core::Span;
use redrive_server::{ConfigSource, ConfiguredSetting, Settings};
use serde_json::{Value, json};

use super::{capture, captured, failure, get, rejection};
use crate::auth::anonymous_settings;
use crate::harness::{Caller, on_each_store_with_queue, on_each_store_with_target, with_settings};
use crate::tenancy::{bind, key_of, namespace, role, user};

const CAPTURE: &str = "/v1/letters.capture";
const CONFIGURE: &str = "/v1/letters.configure";

async fn set(caller: &mut Caller, settings: Value) {
    caller.ok(CONFIGURE, json!({ "queue_name": "dead", "set": settings })).await;
}

/// The value and source of a setting, as the server reports them.
async fn setting(caller: &mut Caller, name: &str) -> (String, String) {
    let shown = caller.ok(CONFIGURE, json!({ "queue_name": "dead" })).await;
    let found = shown["settings"].as_array().unwrap().iter().find(|setting| setting["name"] == name).unwrap().clone();
    let text = |field: &str| found[field].as_str().unwrap().to_owned();
    (text("value"), text("source"))
}

/// The expected value and source of a setting.
fn expected(value: &str, source: &str) -> (String, String) {
    (value.to_owned(), source.to_owned())
}

fn of(letter: &Value) -> Value {
    json!({ "queue_name": "dead", "letters": [letter] })
}

#[test]
fn a_setting_of_the_queue_overrides_the_default_until_it_is_reset() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        assert_eq!(setting(&mut caller, "default_max_retries").await, expected("3", "default"));
        assert_eq!(setting(&mut caller, "archive_retention_seconds").await, expected("keep", "default"));
        set(&mut caller, json!({ "default_max_retries": "7", "dlq_on_full": "Overflow" })).await;
        set(&mut caller, json!({ "archive_retention_seconds": "60" })).await;
        assert_eq!(setting(&mut caller, "default_max_retries").await, expected("7", "queue"));
        assert_eq!(setting(&mut caller, "on_full").await, expected("overflow", "queue"), "earlier settings stay");
        assert_eq!(setting(&mut caller, "archive_retention_seconds").await, expected("60", "queue"));
        caller.ok(CONFIGURE, json!({ "queue_name": "dead", "reset": ["default_max_retries"] })).await;
        assert_eq!(setting(&mut caller, "default_max_retries").await, expected("3", "default"));
        assert_eq!(setting(&mut caller, "on_full").await, expected("overflow", "queue"));
    });
}

#[test]
fn an_invalid_setting_changes_nothing() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
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
            assert_eq!(rejection(&mut caller, CONFIGURE, body).await, (400, "invalid".into()), "{name}={value}");
        }
        let unknown = json!({ "queue_name": "dead", "reset": ["max_sise"] });
        assert_eq!(rejection(&mut caller, CONFIGURE, unknown).await, (400, "invalid".into()));
        assert_eq!(setting(&mut caller, "completed_retention_seconds").await, expected("604800", "default"));
        let nowhere = json!({ "queue_name": "nowhere", "set": { "max_size": "500" } });
        assert_eq!(rejection(&mut caller, CONFIGURE, nowhere).await, (404, "not_found".into()));
    });
}

#[test]
fn captures_use_the_settings_of_their_queue() {
    on_each_store_with_target(async |_server, mut caller, _target| {
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
        assert_eq!(named["retry_policy"], "never", "an explicit category takes precedence over the queue's default");
        let explicit = json!({ "source_id": "c", "retry_policy": "immediate", "max_retries": 9 });
        let explicit = capture(&mut caller, explicit).await;
        assert_eq!((&explicit["retry_policy"], &explicit["max_retries"]), (&json!("immediate"), &json!(9)));
        assert_eq!(rejection(&mut caller, CAPTURE, of(&failure("a"))).await, (409, "duplicate".into()));
        let large = json!({ "source_id": "d", "utf8": "x".repeat(1_025) });
        assert_eq!(rejection(&mut caller, CAPTURE, of(&large)).await, (400, "invalid".into()));
        capture(&mut caller, json!({ "source_id": "d", "utf8": "x".repeat(1_024) })).await;
    });
}

#[test]
fn the_strategy_of_a_queue_decides_which_failures_are_captured() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let caught = |source_id: &str, error: &str| json!({ "source_id": source_id, "fault": { "error": error }, "metadata": { "enqueued_by": "automatic" } });
        let skipped = || (409, "skipped_by_strategy".to_owned());
        set(&mut caller, json!({ "integration_strategy": "selective" })).await;
        assert_eq!(rejection(&mut caller, CAPTURE, of(&caught("a", "permission denied"))).await, skipped());
        capture(&mut caller, caught("a", "timed out")).await;
        capture(&mut caller, json!({ "source_id": "b", "fault": { "error": "permission denied" } })).await;
        set(&mut caller, json!({ "integration_strategy": "manual" })).await;
        assert_eq!(rejection(&mut caller, CAPTURE, of(&caught("c", "timed out"))).await, skipped());
        capture(&mut caller, failure("c")).await;
        set(&mut caller, json!({ "integration_strategy": "disabled" })).await;
        assert_eq!(rejection(&mut caller, CAPTURE, of(&failure("d"))).await, (409, "disabled".into()));
    });
}

#[test]
fn exhausted_letters_are_archived_after_the_configured_time() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        let spent = |source_id: &str| json!({ "source_id": source_id, "max_retries": 0, "fault": { "error": "boom" } });
        assert_eq!(setting(&mut caller, "auto_archive_exhausted_seconds").await, expected("off", "default"));
        let before = captured(&mut caller, spent("a")).await;
        set(&mut caller, json!({ "auto_archive_exhausted_seconds": "60" })).await;
        let since = captured(&mut caller, spent("b")).await;
        server.advance(Span::from_secs(60));
        for (id, status) in [(&before, "exhausted"), (&since, "archived")] {
            assert_eq!(
                get(&mut caller, id).await["letter"]["status"],
                status,
                "new settings apply to later letters only"
            );
        }
        set(&mut caller, json!({ "auto_archive_exhausted_seconds": "off" })).await;
        assert_eq!(setting(&mut caller, "auto_archive_exhausted_seconds").await, expected("off", "queue"));
    });
}

#[test]
fn explain_uses_the_settings_of_the_queue() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let settings = json!({ "default_max_retries": "2", "integration_strategy": "selective" });
        set(&mut caller, settings).await;
        let request = |queue: &str, error: &str| json!({ "queue_name": queue, "fault": { "error": error } });
        let explained = caller.ok("/v1/letters.explain", request("dead", "timed out")).await;
        assert_eq!((&explained["max_retries"], &explained["reason"]), (&json!(2), &json!("enqueued")));
        assert_eq!(explained["schedule"].as_array().unwrap().len(), 2);
        let explained = caller.ok("/v1/letters.explain", request("dead", "permission denied")).await;
        assert_eq!(explained["reason"], "skipped_by_strategy");
        let explained = caller.ok("/v1/letters.explain", request("", "timed out")).await;
        assert_eq!((&explained["max_retries"], &explained["schedule"].as_array().unwrap().len()), (&json!(3), &3));
        let nowhere = rejection(&mut caller, "/v1/letters.explain", request("nowhere", "timed out")).await;
        assert_eq!(nowhere, (404, "not_found".into()));
    });
}

#[test]
fn letters_without_automatic_retries_expire_if_letters_expire_is_set() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        set(&mut caller, json!({ "letters_expire": "true" })).await;
        let never = |source: &str| json!({ "source_id": source, "retry_policy": "never" });
        let expiring = captured(&mut caller, never("expires")).await;
        let retried = captured(&mut caller, failure("is retried first")).await;
        assert_eq!(get(&mut caller, &expiring).await["letter"]["expire_deadline"], "2026-11-16T12:00:00Z");
        set(&mut caller, json!({ "letters_expire": "false" })).await;
        let kept = captured(&mut caller, never("kept")).await;
        server.advance(Span::from_hours(25));
        let gone = json!({ "queue_name": "dead", "id": expiring });
        assert_eq!(rejection(&mut caller, "/v1/letters.get", gone).await, (404, "not_found".into()));
        for id in [retried, kept] {
            assert_eq!(get(&mut caller, &id).await["letter"]["status"], "pending");
        }
    });
}

/// The address of the search index is shown only to administrators of the server.
#[test]
fn the_address_of_the_index_is_shown_to_server_administrators_only() {
    let configured = |name: &str, value: &str| ConfiguredSetting {
        name: name.to_owned(),
        value: value.to_owned(),
        source: ConfigSource::File,
    };
    let settings = Settings {
        configured: vec![configured("opensearch_url", "https://index.internal"), configured("max_parallel", "7")],
        ..anonymous_settings()
    };
    with_settings(settings, async |server, mut anonymous| {
        namespace(&mut anonymous, "shop").await;
        anonymous.create("dead", json!({ "namespace": "shop" })).await;
        role(&mut anonymous, "shop", "owner", &["letters.configure"]).await;
        let (ann, root) = (user(&mut anonymous, "ann").await, user(&mut anonymous, "root").await);
        bind(&mut anonymous, "shop", "owner", &ann).await;
        bind(&mut anonymous, "_system", "Admin", &root).await;
        for (user, sees_index) in [(ann, false), (root, true)] {
            let (_, key) = key_of(&mut anonymous, &user).await;
            let mut caller = server.caller().await.with_key(&key);
            for body in [json!({ "queue_name": "dead" }), json!({ "queue_name": "dead", "set": { "max_size": "500" } })]
            {
                let shown = caller.ok(CONFIGURE, body).await;
                let is_shown =
                    |name: &str| shown["settings"].as_array().unwrap().iter().any(|setting| setting["name"] == name);
                assert_eq!((is_shown("opensearch_url"), is_shown("max_parallel")), (sees_index, true));
                assert_eq!(shown.to_string().contains("index.internal"), sees_index);
            }
        }
    });
}

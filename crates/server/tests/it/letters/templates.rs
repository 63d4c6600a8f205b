//! Templates: category, policy, delay, route and note for failures that match a pattern.

use redrive_core::{Failure, Span};
use redrive_run::Handled;
use serde_json::{Value, json};

use super::{capture, failure, get, rejection};
use crate::harness::{Caller, on_each_store_with_queue, on_each_store_with_target};

const TEMPLATES: &str = "/v1/letters.templates";
const PREVIEW: &str = "/v1/letters.preview";

async fn set(caller: &mut Caller, template: Value) -> Value {
    caller.ok(TEMPLATES, json!({ "queue_name": "dead", "set": template })).await
}

fn bank() -> Value {
    json!({ "name": "bank", "regex": "bank .* out", "retry_policy": "linear", "max_retries": 9, "route": "bank",
        "note": "call them first" })
}

fn of_bank(source_id: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "x", "fault": { "error": "the bank timed out" } })
}

#[test]
fn the_first_matching_template_applies() {
    on_each_store_with_target(async |mut server, mut caller, _target| {
        set(&mut caller, bank()).await;
        let any = json!({ "name": "any", "when": "true", "retry_policy": "never" });
        assert_eq!(set(&mut caller, any).await["version"], "2");
        let captured = capture(&mut caller, of_bank("a")).await;
        assert_eq!((&captured["retry_policy"], &captured["max_retries"]), (&json!("linear"), &json!(9)));
        assert_eq!((&captured["template"], &captured["rule"]), (&json!("bank@1"), &json!("phrase:timed out")));
        let shown = get(&mut caller, &captured["id"]).await;
        let letter = &shown["letter"];
        assert_eq!((&letter["destination"], &letter["policy_source"]), (&json!("bank"), &json!("explicit")));
        assert_eq!(letter["next_retry_at"], "2026-11-15T12:05:00Z");
        assert_eq!(shown["metadata"]["matched_template"], "bank@1");
        assert_eq!(
            (&shown["notes"][0]["text"], &shown["notes"][0]["author"]),
            (&json!("call them first"), &json!("template"))
        );
        let other = capture(&mut caller, failure("b")).await;
        assert_eq!((&other["retry_policy"], &other["template"]), (&json!("never"), &json!("any@2")));
        server.restart().await;
        let mut caller = server.caller().await;
        if server.store_kind() == crate::harness::StoreKind::Journal {
            assert_eq!(capture(&mut caller, of_bank("c")).await["template"], "bank@1", "templates survive a restart");
        }
    });
}

#[test]
fn explicit_fields_of_a_capture_take_precedence_over_a_template() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        set(&mut caller, bank()).await;
        let mut letter = of_bank("a");
        letter["retry_policy"] = json!("immediate");
        letter["max_retries"] = json!(1);
        letter["destination"] = json!("elsewhere");
        letter["metadata"] = json!({ "matched_template": "a lie" });
        let captured = capture(&mut caller, letter).await;
        assert_eq!((&captured["retry_policy"], &captured["max_retries"]), (&json!("immediate"), &json!(1)));
        let shown = get(&mut caller, &captured["id"]).await;
        assert_eq!(shown["letter"]["destination"], "elsewhere");
        assert_eq!(shown["metadata"]["matched_template"], "bank@1");
        let mut other = failure("b");
        other["metadata"] = json!({ "matched_template": "a lie" });
        let captured = capture(&mut caller, other).await;
        assert!(get(&mut caller, &captured["id"]).await["metadata"].get("matched_template").is_none());
    });
}

#[test]
fn templates_are_listed_moved_and_removed() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        set(&mut caller, bank()).await;
        set(&mut caller, json!({ "name": "disk", "regex": "disk", "note": "buy one", "position": 1 })).await;
        let listed = caller.ok(TEMPLATES, json!({ "queue_name": "dead" })).await;
        let names: Vec<_> = listed["templates"].as_array().unwrap().iter().map(|template| &template["name"]).collect();
        assert_eq!((json!(names), &listed["version"]), (json!(["disk", "bank"]), &json!("2")));
        let stale = json!({ "queue_name": "dead", "remove": "disk", "version": "1" });
        assert_eq!(rejection(&mut caller, TEMPLATES, stale).await, (409, "stale_revision".into()));
        let removed = caller.ok(TEMPLATES, json!({ "queue_name": "dead", "remove": "disk", "version": "2" })).await;
        assert_eq!((removed["templates"].as_array().unwrap().len(), &removed["version"]), (1, &json!("3")));
        let again = json!({ "queue_name": "dead", "remove": "disk" });
        assert_eq!(rejection(&mut caller, TEMPLATES, again).await, (404, "not_found".into()));
        for wrong in [
            json!({ "name": "x", "regex": "(", "note": "n" }),
            json!({ "name": "x", "when": "n > 1", "note": "n" }),
            json!({ "name": "x", "regex": "x" }),
            json!({ "name": "", "regex": "x", "note": "n" }),
            json!({ "name": "x", "regex": "x", "retry_policy": "custom" }),
            json!({ "name": "x", "regex": "x", "max_retries": 101 }),
            json!({ "name": "x", "regex": "x", "category": "bad luck" }),
            json!({ "name": "x", "regex": "x", "delay": "soon" }),
            json!({ "name": "x", "regex": "x", "delay": "721h" }),
            json!({ "name": "x", "regex": "x", "delay": "1m", "retry_policy": "linear" }),
            json!({ "name": "x", "regex": "x", "note": "n", "position": -1 }),
        ] {
            let body = json!({ "queue_name": "dead", "set": wrong });
            assert_eq!(rejection(&mut caller, TEMPLATES, body).await, (400, "invalid".into()), "{wrong}");
        }
        let nowhere = json!({ "queue_name": "nowhere", "set": bank() });
        assert_eq!(rejection(&mut caller, TEMPLATES, nowhere).await, (404, "not_found".into()));
        assert_eq!(caller.ok(TEMPLATES, json!({ "queue_name": "dead" })).await["version"], "3", "nothing has changed");
    });
}

#[test]
fn a_preview_counts_what_would_change_and_changes_nothing() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let derived = capture(&mut caller, of_bank("a")).await;
        let mut explicit = of_bank("b");
        explicit["retry_policy"] = json!("never");
        explicit["max_retries"] = json!(9);
        explicit["destination"] = json!("elsewhere");
        capture(&mut caller, explicit).await;
        capture(&mut caller, failure("c")).await;
        let before = get(&mut caller, &derived["id"]).await;
        let counted = caller.ok(PREVIEW, json!({ "queue_name": "dead", "template": bank() })).await;
        assert_eq!(
            (&counted["looked_at"], &counted["matches"], &counted["policy_changes"]),
            (&json!("3"), &json!("2"), &json!("1"))
        );
        assert_eq!((&counted["max_retries_changes"], &counted["route_changes"]), (&json!("1"), &json!("1")));
        assert_eq!((&counted["sample"][0], counted.get("next")), (&derived["id"], None));
        assert_eq!(get(&mut caller, &derived["id"]).await, before);
        assert_eq!(
            caller.ok(TEMPLATES, json!({ "queue_name": "dead" })).await,
            json!({}),
            "a preview stores no template"
        );
        let behind = json!({ "queue_name": "dead", "template": bank(), "after": derived["id"] });
        assert_eq!(caller.ok(PREVIEW, behind).await["matches"], "1");
        set(&mut caller, json!({ "name": "any", "regex": ".", "note": "n" })).await;
        let second = caller.ok(PREVIEW, json!({ "queue_name": "dead", "template": bank() })).await;
        assert!(second.get("matches").is_none(), "an earlier template matches first: {second}");
        let any = caller.ok(PREVIEW, json!({ "queue_name": "dead", "name": "any" })).await;
        assert_eq!(any["matches"], "3");
        let unknown = json!({ "queue_name": "dead", "name": "unknown" });
        assert_eq!(rejection(&mut caller, PREVIEW, unknown).await, (404, "not_found".into()));
    });
}

#[test]
fn explain_names_the_template() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        set(&mut caller, bank()).await;
        let request = json!({ "queue_name": "dead", "fault": { "error": "the bank timed out" } });
        let explained = caller.ok("/v1/letters.explain", request).await;
        assert_eq!(
            (&explained["template"], &explained["policy"], &explained["max_retries"]),
            (&json!("bank@1"), &json!("linear"), &json!(9))
        );
        let request = json!({ "queue_name": "dead", "fault": { "error": "boom" } });
        assert!(caller.ok("/v1/letters.explain", request).await.get("template").is_none());
    });
}

#[test]
fn explain_and_capture_agree_on_a_category_that_the_caller_knows() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let fault = json!({ "error": "HTTP 503 Service Unavailable", "category": "validation" });
        let request = json!({ "queue_name": "dead", "fault": fault });
        let explained = caller.ok("/v1/letters.explain", request).await;
        let captured = capture(&mut caller, json!({ "source_id": "a", "fault": fault })).await;
        assert_eq!((&explained["category"], &explained["policy"]), (&captured["category"], &captured["retry_policy"]));
        assert_eq!(captured["category"], "validation");
        let wrong = json!({ "queue_name": "dead", "fault": { "error": "boom", "category": "none" } });
        assert_eq!(rejection(&mut caller, "/v1/letters.explain", wrong).await.0, 400);
    });
}

#[test]
fn a_template_that_cannot_be_evaluated_is_skipped_and_reported() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let tenants =
            json!({ "name": "tenants", "when": "metadata.tenant == 'secret-tenant'", "retry_policy": "never" });
        set(&mut caller, tenants).await;
        set(&mut caller, bank()).await;
        let captured = capture(&mut caller, of_bank("a")).await;
        assert_eq!(captured["template"], "bank@2", "the broken template is skipped");
        let broken = captured["broken_template"].as_str().unwrap().to_owned();
        assert!(broken.starts_with("tenants@1: ") && !broken.contains("secret-tenant"), "{broken}");
        let metadata = &get(&mut caller, &captured["id"]).await["metadata"];
        assert_eq!(metadata["broken_template"], broken.as_str());
        let request = json!({ "queue_name": "dead", "fault": { "error": "boom" } });
        assert_eq!(caller.ok("/v1/letters.explain", request).await["broken_template"], broken.as_str());
        let mut whole = of_bank("b");
        whole["metadata"] = json!({ "tenant": "other", "broken_template": "a lie" });
        let whole = capture(&mut caller, whole).await;
        assert_eq!(whole.get("broken_template"), None);
        assert_eq!(get(&mut caller, &whole["id"]).await["metadata"].get("broken_template"), None);
        let counted = caller.ok(PREVIEW, json!({ "queue_name": "dead", "name": "tenants" })).await;
        assert_eq!((&counted["looked_at"], &counted["broken"]), (&json!("2"), &json!("1")));
        let counted = caller.ok(PREVIEW, json!({ "queue_name": "dead", "name": "bank" })).await;
        assert_eq!((&counted["matches"], counted.get("broken")), (&json!("2"), None));
    });
}

/// A template for errors that the built-in rules classify as a mistake of the caller.
fn closed() -> Value {
    json!({ "name": "closed", "when": "metadata.bank == 'gone' && message.contains('invalid')", "category": "resource" })
}

fn of_closed(source_id: &str) -> Value {
    json!({ "source_id": source_id, "utf8": "x", "metadata": { "bank": "gone" }, "fault": { "error": "invalid account" } })
}

#[test]
fn a_template_sets_the_category_of_captures_and_of_failed_retries() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let listed = set(&mut caller, closed()).await;
        assert_eq!(listed["templates"][0]["category"], "resource");
        let captured = capture(&mut caller, of_closed("a")).await;
        assert_eq!((&captured["category"], &captured["rule"]), (&json!("resource"), &json!("user:closed")));
        assert_eq!((&captured["template"], &captured["retry_policy"]), (&json!("closed@1"), &json!("linear")));
        let letter = &get(&mut caller, &captured["id"]).await["letter"];
        assert_eq!((&letter["category"], &letter["policy_source"]), (&json!("resource"), &json!("derived")));
        assert_eq!(letter["next_retry_at"], "2026-11-15T12:05:00Z");

        let id = &captured["id"];
        for (error, category, rule, due) in [
            ("invalid account", "resource", "user:closed", Some("2026-11-15T12:10:00Z")),
            ("invalid by another mistake", "resource", "user:closed", Some("2026-11-15T12:15:00Z")),
            ("Field is required", "permanent", "default", None),
        ] {
            let call = server.spawn_call("/v1/letters.retry", json!({ "queue_name": "dead", "id": id })).await;
            target.next().await.answer(Handled::failed(Failure::new(error)));
            call.await.unwrap();
            let whole = get(&mut caller, id).await;
            assert_eq!((&whole["letter"]["category"], &whole["matched_rule"]), (&json!(category), &json!(rule)));
            let next = whole["letter"].get("next_retry_at").and_then(Value::as_str);
            assert!(next == due || whole["letter"]["status"] == "exhausted", "{error}: {next:?}");
        }
    });
}

#[test]
fn an_explicit_category_takes_precedence_over_a_template() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        set(&mut caller, closed()).await;
        let mut named = of_closed("a");
        named["fault"]["category"] = json!("permission");
        let captured = capture(&mut caller, named).await;
        assert_eq!((&captured["category"], &captured["retry_policy"]), (&json!("permission"), &json!("never")));
        assert_eq!(captured["template"], "closed@1");
    });
}

#[test]
fn a_template_sets_the_retry_delay() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let listed = set(&mut caller, json!({ "name": "bank", "regex": "bank", "delay": "90s" })).await;
        assert_eq!(listed["templates"][0]["delay"], "1m30s");
        let captured = capture(&mut caller, of_bank("a")).await;
        assert_eq!((&captured["rule"], &captured["category"]), (&json!("phrase:timed out"), &json!("network")));
        let due = async |caller: &mut Caller| get(caller, &captured["id"]).await["letter"]["next_retry_at"].clone();
        assert_eq!(due(&mut caller).await, "2026-11-15T12:01:30Z");
        server.advance(Span::from_secs(60));
        let retry = json!({ "queue_name": "dead", "id": captured["id"] });
        let call = server.spawn_call("/v1/letters.retry", retry).await;
        target.next().await.answer(Handled::failed(Failure::new("the bank timed out again")));
        call.await.unwrap();
        assert_eq!(due(&mut caller).await, "2026-11-15T12:02:30Z");
        let request = json!({ "queue_name": "dead", "fault": { "error": "the bank timed out" }, "max_retries": 2 });
        let explained = caller.ok("/v1/letters.explain", request).await;
        let delays: Vec<_> = explained["schedule"].as_array().unwrap().iter().map(|retry| &retry["delay"]).collect();
        assert_eq!(json!(delays), json!(["1m30s", "1m30s"]));
    });
}

#[test]
fn explain_uses_the_category_of_the_template() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        set(&mut caller, json!({ "name": "closed", "regex": "invalid", "category": "resource" })).await;
        let request = json!({ "queue_name": "dead", "fault": { "error": "invalid account" }, "max_retries": 1 });
        let explained = caller.ok("/v1/letters.explain", request).await;
        assert_eq!((&explained["category"], &explained["rule"]), (&json!("resource"), &json!("user:closed")));
        assert_eq!(
            (&explained["policy"], &explained["evidence"]),
            (&json!("linear"), &json!("\"invalid\" in the error"))
        );
        assert_eq!(explained["schedule"], json!([{ "attempt": 1, "delay": "5m0s", "after": "5m0s" }]));
    });
}

#[test]
fn a_preview_counts_letters_whose_category_would_change() {
    on_each_store_with_queue("dead", async |server, mut caller| {
        capture(&mut caller, of_closed("a")).await;
        let mut named = of_closed("b");
        named["fault"]["category"] = json!("resource");
        capture(&mut caller, named).await;
        capture(&mut caller, of_closed("c")).await;
        server.advance(Span::from_secs(5));
        capture(&mut caller, of_closed("c")).await;
        let counted = caller.ok(PREVIEW, json!({ "queue_name": "dead", "template": closed() })).await;
        let changes = (&counted["matches"], &counted["category_changes"], &counted["policy_changes"]);
        assert_eq!(
            changes,
            (&json!("3"), &json!("1"), &json!("1")),
            "one has the category, one has failed again since"
        );
    });
}

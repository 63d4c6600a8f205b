//! What letters of failures of known kinds get.

use serde_json::{Value, json};

use super::{capture, failure, get, refused};
use crate::bed::{Caller, each};

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

#[tokio::test]
async fn a_failure_gets_what_the_first_template_says_that_matches_it() {
    each(async |mut bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
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
        bed.restart().await;
        let mut caller = bed.caller().await;
        if bed.ground() == crate::bed::Ground::Journal {
            assert_eq!(capture(&mut caller, of_bank("c")).await["template"], "bank@1", "they are kept");
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_capture_says_itself_goes_before_a_template() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
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
    })
    .await;
}

#[tokio::test]
async fn templates_are_listed_moved_and_removed() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        set(&mut caller, bank()).await;
        set(&mut caller, json!({ "name": "disk", "regex": "disk", "note": "buy one", "position": 1 })).await;
        let listed = caller.ok(TEMPLATES, json!({ "queue_name": "dead" })).await;
        let names: Vec<_> = listed["templates"].as_array().unwrap().iter().map(|template| &template["name"]).collect();
        assert_eq!((json!(names), &listed["version"]), (json!(["disk", "bank"]), &json!("2")));
        let stale = json!({ "queue_name": "dead", "remove": "disk", "version": "1" });
        assert_eq!(refused(&mut caller, TEMPLATES, stale).await, (409, "stale_revision".into()));
        let removed = caller.ok(TEMPLATES, json!({ "queue_name": "dead", "remove": "disk", "version": "2" })).await;
        assert_eq!((removed["templates"].as_array().unwrap().len(), &removed["version"]), (1, &json!("3")));
        let again = json!({ "queue_name": "dead", "remove": "disk" });
        assert_eq!(refused(&mut caller, TEMPLATES, again).await, (404, "not_found".into()));
        for wrong in [
            json!({ "name": "x", "regex": "(", "note": "n" }),
            json!({ "name": "x", "when": "n > 1", "note": "n" }),
            json!({ "name": "x", "regex": "x" }),
            json!({ "name": "", "regex": "x", "note": "n" }),
            json!({ "name": "x", "regex": "x", "retry_policy": "custom" }),
            json!({ "name": "x", "regex": "x", "max_retries": 101 }),
            json!({ "name": "x", "regex": "x", "note": "n", "position": -1 }),
        ] {
            let body = json!({ "queue_name": "dead", "set": wrong });
            assert_eq!(refused(&mut caller, TEMPLATES, body).await, (400, "invalid".into()), "{wrong}");
        }
        let nowhere = json!({ "queue_name": "nowhere", "set": bank() });
        assert_eq!(refused(&mut caller, TEMPLATES, nowhere).await, (404, "not_found".into()));
        assert_eq!(caller.ok(TEMPLATES, json!({ "queue_name": "dead" })).await["version"], "3", "nothing was changed");
    })
    .await;
}

#[tokio::test]
async fn a_preview_counts_what_would_be_otherwise_and_changes_nothing() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let derived = capture(&mut caller, of_bank("a")).await;
        let mut asked_for = of_bank("b");
        asked_for["retry_policy"] = json!("never");
        asked_for["max_retries"] = json!(9);
        asked_for["destination"] = json!("elsewhere");
        capture(&mut caller, asked_for).await;
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
        assert_eq!(caller.ok(TEMPLATES, json!({ "queue_name": "dead" })).await, json!({}), "it was not set");
        let behind = json!({ "queue_name": "dead", "template": bank(), "after": derived["id"] });
        assert_eq!(caller.ok(PREVIEW, behind).await["matches"], "1");
        set(&mut caller, json!({ "name": "any", "regex": ".", "note": "n" })).await;
        let second = caller.ok(PREVIEW, json!({ "queue_name": "dead", "template": bank() })).await;
        assert!(second.get("matches").is_none(), "one before it takes them: {second}");
        let any = caller.ok(PREVIEW, json!({ "queue_name": "dead", "name": "any" })).await;
        assert_eq!(any["matches"], "3");
        let unknown = json!({ "queue_name": "dead", "name": "unknown" });
        assert_eq!(refused(&mut caller, PREVIEW, unknown).await, (404, "not_found".into()));
    })
    .await;
}

#[tokio::test]
async fn an_explanation_names_the_template() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        set(&mut caller, bank()).await;
        let asked = json!({ "queue_name": "dead", "fault": { "error": "the bank timed out" } });
        let told = caller.ok("/v1/letters.explain", asked).await;
        assert_eq!(
            (&told["template"], &told["policy"], &told["max_retries"]),
            (&json!("bank@1"), &json!("linear"), &json!(9))
        );
        let asked = json!({ "queue_name": "dead", "fault": { "error": "boom" } });
        assert!(caller.ok("/v1/letters.explain", asked).await.get("template").is_none());
    })
    .await;
}

#[tokio::test]
async fn a_template_that_cannot_be_evaluated_says_so() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("dead", json!({})).await;
        let tenants =
            json!({ "name": "tenants", "when": "metadata.tenant == 'secret-tenant'", "retry_policy": "never" });
        set(&mut caller, tenants).await;
        set(&mut caller, bank()).await;
        let captured = capture(&mut caller, of_bank("a")).await;
        assert_eq!(captured["template"], "bank@2", "it is passed over");
        let broken = captured["broken_template"].as_str().unwrap().to_owned();
        assert!(broken.starts_with("tenants@1: ") && !broken.contains("secret-tenant"), "{broken}");
        let metadata = &get(&mut caller, &captured["id"]).await["metadata"];
        assert_eq!(metadata["broken_template"], broken.as_str());
        let asked = json!({ "queue_name": "dead", "fault": { "error": "boom" } });
        assert_eq!(caller.ok("/v1/letters.explain", asked).await["broken_template"], broken.as_str());
        let mut whole = of_bank("b");
        whole["metadata"] = json!({ "tenant": "other", "broken_template": "a lie" });
        let whole = capture(&mut caller, whole).await;
        assert_eq!(whole.get("broken_template"), None);
        assert_eq!(get(&mut caller, &whole["id"]).await["metadata"].get("broken_template"), None);
        let counted = caller.ok(PREVIEW, json!({ "queue_name": "dead", "name": "tenants" })).await;
        assert_eq!((&counted["looked_at"], &counted["broken"]), (&json!("2"), &json!("1")));
        let counted = caller.ok(PREVIEW, json!({ "queue_name": "dead", "name": "bank" })).await;
        assert_eq!((&counted["matches"], counted.get("broken")), (&json!("2"), None));
    })
    .await;
}

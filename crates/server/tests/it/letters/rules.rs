//! Classification rules of the server's configuration, which take precedence over the built-in rules.

use std::sync::Arc;

use redrive_core::{Classifier, Policy, RuleSpec};
use redrive_server::Settings;
use serde_json::{Value, json};

use super::{capture, get};
use crate::harness::{StoreKind, TestServer, local_settings};

fn rule(name: &str, when: &str, change: impl FnOnce(&mut RuleSpec)) -> RuleSpec {
    let mut rule = RuleSpec { name: name.to_owned(), when: Some(when.to_owned()), ..RuleSpec::default() };
    change(&mut rule);
    rule
}

/// A server with configured rules and the queue `dead`.
async fn with_rules(store_kind: StoreKind) -> TestServer {
    let rules = [
        rule("tenant", "metadata.tenant == 'acme'", |rule| rule.max_retries = Some("9".to_owned())),
        rule("bank-closed", "message.contains('bank is closed')", |rule| {
            rule.category = Some("resource".to_owned());
            rule.delay = Some("7m".to_owned());
        }),
        rule("not-ours", "code == 'NOT_OURS'", |rule| rule.category = Some("permission".to_owned())),
        rule("stubborn", "chain.exists(link, link.contains('stubborn'))", |rule| {
            rule.policy = Some("immediate".to_owned());
            rule.max_retries = Some("5".to_owned());
        }),
    ];
    let classifier = Arc::new(Classifier::with_rules(&rules).unwrap());
    let settings = Settings { policy: Policy::builder().classifier(classifier).build().unwrap(), ..local_settings() };
    let server = TestServer::with_target(store_kind, settings).await;
    server.caller().await.create("dead", json!({})).await;
    server
}

fn of(source_id: &str, fault: &Value) -> Value {
    json!({ "source_id": source_id, "utf8": "x", "metadata": { "tenant": "shop" }, "fault": fault })
}

#[tokio::test]
async fn a_configured_rule_takes_precedence_over_the_built_in_rules() {
    // The fault; then of its letter: category, rule, policy, policy source, maximum retries, and time of the first retry.
    let closed = json!({ "error": "HTTP 503: the bank is closed" });
    let cases = [
        (closed, "resource", "user:bank-closed", "linear", "derived", 3, Some("2026-11-15T12:07:00Z")),
        (json!({ "error": "no", "code": "NOT_OURS" }), "permission", "user:not-ours", "never", "derived", 3, None),
        (
            json!({ "error": "Read timed out", "causes": [{ "error": "stubborn" }] }),
            "network",
            "user:stubborn",
            "immediate",
            "explicit",
            5,
            Some("2026-11-15T12:00:00Z"),
        ),
        (
            json!({ "error": "Read timed out" }),
            "network",
            "phrase:timed out",
            "exponential",
            "default",
            3,
            Some("2026-11-15T12:01:00Z"),
        ),
    ];
    for store_kind in StoreKind::ALL {
        let server = with_rules(store_kind).await;
        let mut caller = server.caller().await;
        for (number, (fault, category, rule, policy, source, retries, due)) in cases.iter().enumerate() {
            let captured = capture(&mut caller, of(&format!("f-{number}"), fault)).await;
            assert_eq!((&captured["category"], &captured["rule"]), (&json!(category), &json!(rule)));
            let whole = get(&mut caller, &captured["id"]).await;
            let letter = &whole["letter"];
            let terms = (&letter["retry_policy"], &letter["policy_source"], &letter["max_retries"]);
            assert_eq!(terms, (&json!(policy), &json!(source), &json!(retries)), "{fault}");
            assert_eq!(letter.get("next_retry_at").and_then(Value::as_str), *due, "{fault}");
            assert_eq!((&whole["matched_rule"], &letter["category"]), (&json!(rule), &json!(category)));
            let explained = caller.ok("/v1/letters.explain", json!({ "queue_name": "dead", "fault": fault })).await;
            assert_eq!((&explained["category"], &explained["rule"]), (&json!(category), &json!(rule)));
        }
    }
}

#[tokio::test]
async fn an_explicit_category_and_policy_take_precedence_over_a_rule() {
    let server = with_rules(StoreKind::Memory).await;
    let mut caller = server.caller().await;
    let mut explicit = of("a", &json!({ "error": "the bank is closed", "category": "transient" }));
    explicit["retry_policy"] = json!("exponential");
    let captured = capture(&mut caller, explicit).await;
    assert_eq!((&captured["category"], &captured["retry_policy"]), (&json!("transient"), &json!("exponential")));
    assert_eq!(get(&mut caller, &captured["id"]).await["letter"]["next_retry_at"], "2026-11-15T12:01:00Z");
}

#[tokio::test]
async fn a_rule_that_cannot_be_evaluated_is_skipped_and_reported() {
    let server = with_rules(StoreKind::Memory).await;
    let mut caller = server.caller().await;
    let fault = json!({ "error": "the bank is closed" });
    let bare = json!({ "source_id": "bare", "utf8": "x", "fault": fault });
    let captured = capture(&mut caller, bare).await;
    assert_eq!(captured["rule"], "user:bank-closed", "the next rule is evaluated");
    assert!(captured["broken_rule"].as_str().unwrap().starts_with("user:tenant: a key is missing"), "{captured}");
    assert_eq!(capture(&mut caller, of("whole", &fault)).await.get("broken_rule"), None);
    let explained = caller.ok("/v1/letters.explain", json!({ "fault": fault })).await;
    assert_eq!(explained["broken_rule"], captured["broken_rule"]);
}

//! The evidence of a failure besides its text: codes, statuses, I/O error kinds and causes.

use serde_json::{Value, json};

use super::{capture, get};
use crate::harness::{on_each_store_with_queue, on_each_store_with_target};

fn of(source_id: &str, fault: &Value) -> Value {
    json!({ "source_id": source_id, "utf8": "x", "fault": fault })
}

#[test]
fn capture_and_explain_classify_evidence_in_the_same_way() {
    let faults = [
        (json!({ "error": "no", "io_kind": "TimedOut" }), "network", "io:TimedOut"),
        (json!({ "error": "no", "io_kind": "storagefull" }), "resource", "io:StorageFull"),
        (json!({ "error": "no", "code": "RATE_LIMIT_EXCEEDED" }), "transient", "name:rate limit*"),
        (json!({ "error": "no", "http_status": 403 }), "permission", "http:403"),
        (json!({ "error": "no", "http_status": 403, "rate_limited": true }), "transient", "http:403"),
        (json!({ "error": "no", "causes": [{ "error": "hm" }, { "http_status": 507 }] }), "resource", "http:507"),
        (json!({ "error": "no", "causes": [{ "grpc_status": 14 }] }), "transient", "grpc:14"),
        (json!({ "error": "no", "causes": [{ "sqlstate": "23505" }] }), "validation", "sqlstate:23505"),
        (json!({ "error": "no", "causes": [{ "io_kind": "PermissionDenied" }] }), "permission", "io:PermissionDenied"),
        (json!({ "error": "no", "causes": [{ "error_type": "TimeoutError" }] }), "network", "name:timeout*"),
        (
            json!({ "error": "no", "causes": [{ "code": "EXTERNAL_SERVICE_UNAVAILABLE" }] }),
            "transient",
            "name:unavailable",
        ),
        (json!({ "error": "no", "causes": [{ "error": "disk quota" }] }), "resource", "word:disk"),
        // The outermost evidence takes precedence.
        (json!({ "error": "no", "http_status": 404, "causes": [{ "http_status": 503 }] }), "permanent", "http:404"),
    ];
    on_each_store_with_queue("dead", async |_server, mut caller| {
        for (number, (fault, category, rule)) in faults.iter().enumerate() {
            let captured = capture(&mut caller, of(&format!("f-{number}"), fault)).await;
            assert_eq!((&captured["category"], &captured["rule"]), (&json!(category), &json!(rule)), "{fault}");
            let body = json!({ "queue_name": "dead", "fault": fault });
            let explained = caller.ok("/v1/letters.explain", body).await;
            assert_eq!((&explained["category"], &explained["rule"]), (&json!(category), &json!(rule)), "{fault}");
            let letter = &get(&mut caller, &captured["id"]).await["letter"];
            assert_eq!((&letter["category"], &letter["fingerprint"]), (&json!(category), &explained["fingerprint"]));
        }
    });
}

#[test]
fn causes_change_the_fingerprint_and_are_visible_to_templates() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        for template in [
            json!({ "name": "by-code", "when": "code == 'BANK_DOWN'", "max_retries": 7 }),
            json!({ "name": "by-chain", "when": "chain.exists(link, link.contains('no route'))", "max_retries": 8 }),
            json!({ "name": "by-cause", "regex": "ledger", "max_retries": 9 }),
        ] {
            caller.ok("/v1/letters.templates", json!({ "queue_name": "dead", "set": template })).await;
        }
        let faults = [
            json!({ "error": "no" }),
            json!({ "error": "no", "code": "BANK_DOWN" }),
            json!({ "error": "no", "causes": [{ "code": "BANK_DOWN" }] }),
            json!({ "error": "no", "causes": [{ "error": "hm" }, { "error": "no route to it" }] }),
            json!({ "error": "no", "causes": [{ "error": "the ledger is closed" }] }),
        ];
        let (mut retries, mut fingerprints) = (Vec::new(), Vec::new());
        for (number, fault) in faults.iter().enumerate() {
            let captured = capture(&mut caller, of(&format!("f-{number}"), fault)).await;
            retries.push(captured["max_retries"].clone());
            let fingerprint = get(&mut caller, &captured["id"]).await["letter"]["fingerprint"].clone();
            assert!(!fingerprints.contains(&fingerprint), "{fault}");
            fingerprints.push(fingerprint);
        }
        assert_eq!(json!(retries), json!([3, 7, 7, 8, 9]));
    });
}

#[test]
fn the_first_retry_waits_at_least_for_retry_after() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        let waits = [
            ("90s", "2026-11-15T12:01:30Z"),
            ("5s", "2026-11-15T12:01:00Z"),
            // At most one day: a longer `retry_after` is assumed to be a mistake.
            ("1000h", "2026-11-16T12:00:00Z"),
        ];
        for (wait, due) in waits {
            let fault = json!({ "error": "HTTP 429 Too Many Requests", "retry_after": wait });
            let captured = capture(&mut caller, of(wait, &fault)).await;
            assert_eq!(get(&mut caller, &captured["id"]).await["letter"]["next_retry_at"], due, "{wait}");
        }
        let body = json!({ "fault": { "http_status": 429, "retry_after": "90s" }, "max_retries": 1 });
        let explained = caller.ok("/v1/letters.explain", body).await;
        assert_eq!(explained["schedule"], json!([{ "attempt": 1, "delay": "1m30s", "after": "1m30s" }]));
    });
}

#[test]
fn an_invalid_fault_is_rejected_with_the_name_of_its_field() {
    let causes = |count: usize| json!({ "causes": vec![json!({ "error": "x" }); count] });
    let wrong = [
        (json!({ "io_kind": "Nothing" }), "io_kind is invalid; 'Nothing' is not known"),
        (json!({ "causes": [{}, { "io_kind": "Nothing" }] }), "causes[1].io_kind is invalid; 'Nothing' is not known"),
        (json!({ "causes": [{ "http_status": 99 }] }), "causes[0].http_status is invalid; must be 100 to 599"),
        (json!({ "causes": [{ "grpc_status": 0 }] }), "causes[0].grpc_status is invalid; must be 1 to 16"),
        (json!({ "causes": [{ "sqlstate": "?" }] }), "causes[0].sqlstate is invalid; '?' is not known"),
        (json!({ "causes": [{ "error_type": "a b" }] }), "causes[0].error_type is invalid; 'a b' is not known"),
        (
            json!({ "io_kind": "TimedOut", "http_status": 503 }),
            "fault is invalid; only one of http_status, grpc_status",
        ),
        (
            json!({ "causes": [{ "io_kind": "TimedOut", "sqlstate": "40P01" }] }),
            "causes[0] is invalid; only one of http_status, grpc_status",
        ),
        (json!({ "rate_limited": true }), "rate_limited is invalid; it needs an http_status"),
        (json!({ "retry_after": "soon" }), "retry_after is invalid; "),
        (causes(33), "causes is invalid; must be at most 32, but 33 were given"),
    ];
    on_each_store_with_queue("dead", async |_server, mut caller| {
        for (fault, message) in &wrong {
            let capture = json!({ "queue_name": "dead", "letters": [of("x", fault)] });
            let explain = json!({ "queue_name": "dead", "fault": fault });
            for (path, body) in [("/v1/letters.capture", capture), ("/v1/letters.explain", explain)] {
                let response = caller.json(path, body).await;
                let error = response.value();
                assert_eq!(
                    (response.status.as_u16(), &error["details"]["reason"]),
                    (400, &json!("invalid")),
                    "{fault}"
                );
                assert!(error["message"].as_str().unwrap().starts_with(message), "{error}");
            }
        }
        capture(&mut caller, of("y", &causes(32))).await;
    });
}

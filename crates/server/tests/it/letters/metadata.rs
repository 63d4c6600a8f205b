//! The metadata of letters.

use redrive_proto::redrive::v1::{CaptureLetter, LettersCaptureRequest};
use serde_json::{Value, json};

use super::{capture, captured, failure, failure_with, found, get, rejection};
use crate::harness::on_each_store_with_queue;

const CAPTURE: &str = "/v1/letters.capture";

fn with_metadata(source_id: &str, metadata: &Value) -> Value {
    failure_with(source_id, json!({ "metadata": metadata }))
}

#[test]
fn metadata_keeps_any_json_exactly() {
    on_each_store_with_queue("dead", async |mut server, mut caller| {
        let metadata = json!({
            "text": "x", "whole": 2, "huge": u64::MAX, "minus": i64::MIN, "part": 0.1, "point": 2.0, "flag": true,
            "nothing": null, "list": [1, "a", [], {}], "order": { "id": 17, "lines": [{ "sku": "x" }] }, "": { "": "" },
        });
        let id = captured(&mut caller, with_metadata("a", &metadata)).await;
        if server.store_kind() == crate::harness::StoreKind::Journal {
            server.restart().await;
            caller = server.caller().await;
        }
        let mut kept = get(&mut caller, &id).await["metadata"].take();
        for own in ["enqueued_at", "enqueued_by"] {
            assert!(kept.as_object_mut().unwrap().remove(own).unwrap().is_string(), "{own}");
        }
        // Compared as text, since `2` and `2.0` must stay different.
        assert_eq!(kept.to_string(), metadata.to_string());
    });
}

#[test]
fn metadata_can_be_sent_as_protobuf() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let metadata = json!({ "a": 2, "b": { "c": [null, 0.5, "x"] } });
        let sent = metadata.as_object().unwrap().iter().map(|(name, value)| (name.clone(), value.clone().into()));
        let letter = CaptureLetter { source_id: "a".to_owned(), metadata: sent.collect(), ..CaptureLetter::default() };
        let request = LettersCaptureRequest { queue_name: "dead".to_owned(), letters: vec![letter] };
        assert_eq!(caller.post_protobuf(CAPTURE, &request).await.status, 200);
        let kept = get(&mut caller, &json!("a")).await;
        assert_eq!((&kept["metadata"]["a"], &kept["metadata"]["b"]), (&metadata["a"], &metadata["b"]));
        assert_eq!(kept["metadata"]["a"].to_string(), "2");
    });
}

#[test]
fn too_large_metadata_is_rejected_and_no_letter_is_stored() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let nested = |depth: usize| (1..depth).fold(json!({}), |inner, _| json!({ "a": inner }));
        let many = json!({ "a": vec![0; 1_000] });
        let large = json!({ "a": "x".repeat(70_000) });
        for (metadata, message) in [
            (nested(17), "metadata is invalid; it is nested 17 deep, and at most 16 levels are kept"),
            (nested(100), "metadata is invalid; it is nested 100 deep, and at most 16 levels are kept"),
            (many, "metadata is invalid; it has 1003 keys and list entries, and at most 1000 are kept"),
            (large, "metadata is invalid; it takes 70072 bytes as JSON, and at most 65536 are kept"),
        ] {
            let body = json!({ "queue_name": "dead", "letters": [failure("good"), with_metadata("bad", &metadata)] });
            let response = caller.json(CAPTURE, body).await;
            assert_eq!((response.status.as_u16(), &response.value()["message"]), (400, &json!(message)));
            assert_eq!(response.value()["details"]["reason"], "invalid");
        }
        let no_object = json!({ "queue_name": "dead", "letters": [with_metadata("bad", &json!(["a"]))] });
        assert_eq!(rejection(&mut caller, CAPTURE, no_object).await.0, 455);
        assert_eq!(caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await["total"], "0");
        capture(&mut caller, with_metadata("deep", &nested(16))).await;
        capture(&mut caller, with_metadata("many", &json!({ "a": vec![0; 990] }))).await;
        capture(&mut caller, with_metadata("large", &json!({ "a": "x".repeat(65_000) }))).await;
    });
}

#[test]
fn a_filter_can_use_nested_metadata() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        for (id, metadata) in [
            ("a", json!({ "tenant": "acme", "amount": 250, "order": { "lines": [{ "sku": "x" }, { "sku": "y" }] } })),
            ("b", json!({ "tenant": "acme", "amount": 99.5, "tags": ["vip"] })),
            ("c", json!({ "tenant": "zeta" })),
        ] {
            capture(&mut caller, with_metadata(id, &metadata)).await;
        }
        for (filter, expected) in [
            ("metadata.tenant == 'acme'", &["a", "b"][..]),
            ("'order' in metadata && metadata.order.lines[0].sku == 'x'", &["a"]),
            ("'amount' in metadata && metadata.amount > 100", &["a"]),
            ("'amount' in metadata && metadata.amount < 100", &["b"]),
            ("has(metadata.tags) && metadata.tags.exists(tag, tag == 'vip')", &["b"]),
            ("has(metadata.order) && metadata.order.lines.exists(line, line.sku == 'y')", &["a"]),
            ("!('amount' in metadata)", &["c"]),
            ("metadata.order.lines[0].sku == 'x'", &["a"]),
            ("metadata.amount == null", &["c"]),
        ] {
            assert_eq!(found(&mut caller, filter).await, expected, "{filter}");
        }
        for missing in ["metadata.amount > 100", "metadata.tenant > 1"] {
            let body = json!({ "queue_name": "dead", "filter": missing });
            assert_eq!(rejection(&mut caller, "/v1/letters.list", body).await, (400, "invalid".into()), "{missing}");
        }
    });
}

#[test]
fn a_template_can_use_nested_metadata() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let when = "has(metadata.order) && metadata.order.lines[0].sku == 'x' && metadata.amount > 100";
        let set = json!({ "name": "dear", "when": when, "retry_policy": "linear" });
        caller.ok("/v1/letters.templates", json!({ "queue_name": "dead", "set": set })).await;
        let order = |amount: Value| json!({ "amount": amount, "order": { "lines": [{ "sku": "x" }] } });
        assert_eq!(capture(&mut caller, with_metadata("a", &order(json!(101)))).await["template"], "dear@1");
        assert_eq!(capture(&mut caller, with_metadata("b", &order(json!(99.5)))).await.get("template"), None);
        assert_eq!(capture(&mut caller, with_metadata("c", &json!({}))).await.get("template"), None);
        let broken = capture(&mut caller, with_metadata("d", &order(json!("101")))).await;
        assert_eq!(broken["broken_template"], "dear@1: values of different types were combined");
        let preview = caller.ok("/v1/letters.preview", json!({ "queue_name": "dead", "name": "dear" })).await;
        assert_eq!((&preview["matches"], &preview["broken"]), (&json!("1"), &json!("1")));
    });
}

#[test]
fn metadata_can_set_the_priority() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        for (number, (field, in_metadata, expected)) in [
            ("", json!("high"), "high"),
            ("", json!("LOW"), "low"),
            ("medium", json!("high"), "medium"),
            ("low", json!(null), "low"),
            ("", json!("urgent"), "medium"),
            ("", json!(1), "medium"),
            ("", json!({ "level": "high" }), "medium"),
        ]
        .into_iter()
        .enumerate()
        {
            let mut letter = with_metadata(&number.to_string(), &json!({ "priority": in_metadata }));
            letter["priority"] = json!(field);
            let id = captured(&mut caller, letter).await;
            let kept = get(&mut caller, &id).await;
            assert_eq!(kept["letter"]["priority"], expected, "{field} {in_metadata}");
            assert_eq!(kept["metadata"]["priority"], in_metadata, "the caller's value is unchanged");
        }
    });
}

//! `letters.export` and `letters.import`.

use serde_json::{Value, json};

use super::{capture, failure, rejection, revealed, with_letters};
use crate::harness::{Caller, StoreKind, on_each_store_with_queue, on_store_with_queue};

const EXPORT: &str = "/v1/letters.export";
const IMPORT: &str = "/v1/letters.import";

async fn exported(caller: &mut Caller) -> Vec<Value> {
    let page = caller.ok(EXPORT, json!({ "queue_name": "dead" })).await;
    page["lines"].as_array().cloned().unwrap_or_default()
}

#[test]
fn an_imported_letter_equals_the_exported_one() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let ids = with_letters(&mut caller, &["a", "b"]).await;
        let of = |id: &Value| json!({ "queue_name": "dead", "id": id });
        let mut edit = of(&ids[0]);
        edit["payload"] = json!("bWVuZGVk");
        caller.ok("/v1/letters.edit", edit).await;
        let mut note = of(&ids[0]);
        note["text"] = json!("seen");
        caller.ok("/v1/letters.annotate", note).await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [ids[1]] })).await;
        let before = [revealed(&mut caller, &ids[0]).await, revealed(&mut caller, &ids[1]).await];
        let lines = exported(&mut caller).await;
        assert_eq!(lines.len(), 2);
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": ids })).await;
        let import = json!({ "queue_name": "dead", "lines": lines });
        assert_eq!(caller.ok(IMPORT, import.clone()).await, json!({ "imported": "2" }));
        let after = [revealed(&mut caller, &ids[0]).await, revealed(&mut caller, &ids[1]).await];
        assert_eq!(after, before, "id, original content, attempts and notes are kept");
        assert_eq!(caller.ok(IMPORT, import).await, json!({ "there": "2" }), "a second import changes nothing");
        assert_eq!(exported(&mut caller).await.len(), 2);
    });
}

#[test]
fn an_invalid_line_is_reported_by_number_and_does_not_stop_the_import() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        let ids = with_letters(&mut caller, &["a", "b"]).await;
        let lines = exported(&mut caller).await;
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": ids })).await;
        capture(&mut caller, failure("a")).await;
        let import = json!({ "queue_name": "dead", "lines": ["{\"secret\"", lines[0], lines[1], "{\"v\":99}"] });
        let report = caller.ok(IMPORT, import).await;
        let wrong: Vec<_> =
            report["refused"].as_array().unwrap().iter().map(|line| (&line["line"], &line["reason"])).collect();
        let [invalid, duplicate] = [json!("invalid"), json!("duplicate")];
        let expected = [(&json!(1), &invalid), (&json!(2), &duplicate), (&json!(4), &invalid)];
        assert_eq!((wrong, &report["imported"]), (expected.to_vec(), &json!("1")));
        assert!(!report.to_string().contains("secret"), "{report}");
    });
}

#[test]
fn an_export_needs_a_reason_and_goes_in_pages() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        with_letters(&mut caller, &["a", "b", "c"]).await;
        let first = caller.ok(EXPORT, json!({ "queue_name": "dead", "limit": 2 })).await;
        assert_eq!(first["lines"].as_array().unwrap().len(), 2);
        let second = json!({ "queue_name": "dead", "limit": 2, "after": first["next"] });
        assert_eq!(caller.ok(EXPORT, second).await["lines"].as_array().unwrap().len(), 1);
        caller.headers.clear();
        let answer = rejection(&mut caller, EXPORT, json!({ "queue_name": "dead" })).await;
        assert_eq!(answer, (400, "reason_required".to_owned()));
        for lines in [json!([]), json!(vec!["x"; 1_001])] {
            let answer = rejection(&mut caller, IMPORT, json!({ "queue_name": "dead", "lines": lines })).await;
            assert_eq!(answer, (400, "invalid".to_owned()));
        }
    });
}

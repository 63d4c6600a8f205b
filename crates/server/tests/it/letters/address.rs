//! Every call accepts a letter's id or its source id.

use serde_json::{Value, json};

use super::{captured, failure, failure_with, get, rejection, with_letters};
use crate::audit::records;
use crate::harness::{on_each_store_with_queue, on_each_store_with_target, with};

#[test]
fn every_letter_call_accepts_a_source_id() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let id = with_letters(&mut caller, &["order-17"]).await.remove(0);
        let one = |more: Value| with(json!({ "queue_name": "dead", "id": "order-17" }), more);
        let all = || json!({ "queue_name": "dead", "ids": ["order-17"] });
        for reveal in [false, true] {
            assert_eq!(caller.ok("/v1/letters.get", one(json!({ "reveal": reveal }))).await["letter"]["id"], id);
        }
        let edited = caller.ok("/v1/letters.edit", one(json!({ "max_retries": 7 }))).await;
        assert_eq!((&edited["letter"]["id"], &edited["letter"]["max_retries"]), (&id, &json!(7)));
        caller.ok("/v1/letters.annotate", one(json!({ "text": "seen" }))).await;
        let waits = captured(&mut caller, failure_with("order-18", json!({ "depends_on": ["order-17"] }))).await;
        assert_eq!(get(&mut caller, &waits).await["depends_on"], json!([id]));
        for path in ["/v1/letters.archive", "/v1/letters.restore"] {
            assert_eq!(caller.ok(path, all()).await, json!({ "changed": "1" }), "{path}");
        }
        assert_eq!(caller.ok("/v1/letters.resume", all()).await, json!({}), "it is not exhausted");
        let (retried, ()) = tokio::join!(caller.ok("/v1/letters.retry", one(json!({}))), async {
            target.next().await.done();
        });
        assert_eq!((&retried["success"], &retried["letter"]["id"]), (&json!(true), &id));
        assert_eq!(
            caller.ok("/v1/letters.purge", all()).await,
            json!({ "changed": "1" }),
            "a source id also names the only letter that is no longer live"
        );
        let letter = format!("letter={}", id.as_str().unwrap());
        let recorded = records(&server).await.into_iter().filter(|record| record.action.starts_with("letters."));
        for record in recorded {
            let targets: Vec<_> =
                record.targets.iter().map(|target| format!("{}={}", target.kind, target.name)).collect();
            assert!(targets.contains(&letter), "{}: {targets:?}", record.action);
        }
    });
}

#[test]
fn an_id_takes_precedence_over_an_equal_source_id() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let first = with_letters(&mut caller, &["order-17"]).await.remove(0);
        let second = captured(&mut caller, failure(first.as_str().unwrap())).await;
        assert_eq!(get(&mut caller, &first).await["letter"]["id"], first);
        caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [first] })).await;
        assert_eq!(get(&mut caller, &first).await["letter"]["id"], second, "now the text is only a source id");
    });
}

#[test]
fn a_source_id_names_the_live_letter_and_is_ambiguous_if_none_is_live() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let archive = |id: &Value| json!({ "queue_name": "dead", "ids": [id] });
        let mut generations = Vec::new();
        for _ in 0..12 {
            let id = captured(&mut caller, failure("order-17")).await;
            caller.ok("/v1/letters.archive", archive(&id)).await;
            generations.push(id);
        }
        let body = json!({ "queue_name": "dead", "id": "order-17" });
        let response = caller.json("/v1/letters.get", body.clone()).await;
        assert_eq!((response.status.as_u16(), &response.value()["details"]["reason"]), (409, &json!("ambiguous")));
        let message = response.value()["message"].as_str().unwrap().to_owned();
        assert!(
            message.contains(generations[0].as_str().unwrap()) && message.ends_with("and more; name one by its id")
        );
        let live = captured(&mut caller, failure("order-17")).await;
        assert_eq!(caller.ok("/v1/letters.get", body).await["letter"]["id"], live);
        let unknown = json!({ "queue_name": "dead", "id": "order-18" });
        assert_eq!(rejection(&mut caller, "/v1/letters.get", unknown).await, (404, "not_found".into()));
    });
}

#[test]
fn a_forced_retry_is_recorded_with_force() {
    on_each_store_with_target(async |server, mut caller, mut target| {
        let id = with_letters(&mut caller, &["order-17"]).await.remove(0);
        let body = json!({ "queue_name": "dead", "id": id, "force": true });
        tokio::join!(caller.ok("/v1/letters.retry", body), async { target.next().await.done() });
        let record = records(&server).await.pop().unwrap();
        assert!(record.targets.iter().any(|target| (target.kind.as_str(), target.name.as_str()) == ("force", "true")));
    });
}

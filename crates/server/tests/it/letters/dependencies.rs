//! Letters that depend on other letters.

use serde_json::{Value, json};

use super::{captured, failure, failure_with, found, get, rejection};
use crate::harness::{Caller, on_each_store_with_queue, on_each_store_with_target};

const CAPTURE: &str = "/v1/letters.capture";
const ARCHIVE: &str = "/v1/letters.archive";

/// A failure that depends on other letters.
fn depending_on(source_id: &str, letters: &[&Value]) -> Value {
    failure_with(source_id, json!({ "depends_on": letters }))
}

/// Captures two letters of which the second depends on the first; returns their ids.
async fn two_letters(caller: &mut Caller) -> (Value, Value) {
    let first = captured(caller, failure_with("first", json!({ "retry_policy": "never" }))).await;
    let second = captured(caller, depending_on("second", &[&first])).await;
    (first, second)
}

/// The source ids of the blocked letters, and their number by the statistics.
async fn blocked(caller: &mut Caller) -> (Vec<String>, u64) {
    let ids = found(caller, "blocked == true").await;
    let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
    (ids, stats["blocked"].as_u64().unwrap())
}

async fn set_on_lost_dependency(caller: &mut Caller, then: &str) {
    let set = json!({ "queue_name": "dead", "set": { "on_lost_dependency": then } });
    caller.ok("/v1/letters.configure", set).await;
}

#[test]
fn a_letter_is_blocked_until_its_dependency_is_completed() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        let (first, second) = two_letters(&mut caller).await;
        assert_eq!(blocked(&mut caller).await, (vec!["second".to_owned()], 1));
        let whole = get(&mut caller, &second).await;
        assert_eq!((&whole["letter"]["blocked"], &whole["depends_on"]), (&json!(true), &json!([first])));
        assert_eq!(whole["letter"].get("next_retry_at"), None);
        let lease = json!({ "queue_name": "dead", "batch_size": 1, "client_id": "me", "request_timeout": "1m" });
        let leased = caller.ok("/v1/queue.lease", lease).await;
        let done = json!({ "queue_name": "dead", "partition": leased["partition"], "request_timeout": "1m",
            "ids": [leased["items"][0]["id"]] });
        caller.ok("/v1/queue.complete", done).await;
        assert_eq!(blocked(&mut caller).await, (Vec::new(), 0));
        assert!(get(&mut caller, &second).await["letter"]["next_retry_at"].is_string());
    });
}

#[test]
fn on_lost_dependency_decides_about_letters_whose_dependency_is_lost() {
    on_each_store_with_target(async |_server, mut caller, _target| {
        let (first, second) = two_letters(&mut caller).await;
        caller.ok(ARCHIVE, json!({ "queue_name": "dead", "ids": [first] })).await;
        assert_eq!(blocked(&mut caller).await, (vec!["second".to_owned()], 1), "by default the letter stays blocked");
        let third = captured(&mut caller, depending_on("third", &[&second])).await;
        set_on_lost_dependency(&mut caller, "exhaust").await;
        for (id, lost, became) in [(&second, &first, "archived"), (&third, &second, "exhausted")] {
            let whole = get(&mut caller, id).await;
            assert_eq!((&whole["letter"]["status"], whole["letter"].get("blocked")), (&json!("exhausted"), None));
            let newest = whole["attempts"].as_array().unwrap().last().unwrap()["attempt"].clone();
            assert_eq!(newest["cause"], "lost_dependency");
            let why = format!("letter {}, which it waited for, is {became}", lost.as_str().unwrap());
            assert_eq!(newest["error"], why.as_str());
        }
        set_on_lost_dependency(&mut caller, "release").await;
        let fourth = captured(&mut caller, depending_on("fourth", &[&first])).await;
        let whole = get(&mut caller, &fourth).await;
        assert!(whole["letter"].get("blocked").is_none() && whole["letter"]["next_retry_at"].is_string(), "{whole}");
    });
}

#[test]
fn an_invalid_dependency_is_rejected_and_no_letter_is_stored() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        let (first, _) = two_letters(&mut caller).await;
        let unknown = json!("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
        for letters in [vec![&unknown], vec![&first; 33]] {
            let request = json!({ "queue_name": "dead", "letters": [failure("x"), depending_on("y", &letters)] });
            assert_eq!(rejection(&mut caller, CAPTURE, request).await, (400, "invalid".into()));
        }
        let wrong = json!({ "queue_name": "dead", "set": { "on_lost_dependency": "forget" } });
        assert_eq!(rejection(&mut caller, "/v1/letters.configure", wrong).await, (400, "invalid".into()));
        let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!(stats["queue_size"], 2);
    });
}

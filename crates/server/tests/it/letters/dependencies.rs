//! Letters that wait for others.

use serde_json::{Value, json};

use super::{capture, failure, get, refused};
use crate::bed::{Caller, each};

const CAPTURE: &str = "/v1/letters.capture";
const ARCHIVE: &str = "/v1/letters.archive";

/// A failure that comes after others.
fn after(source_id: &str, letters: &[&Value]) -> Value {
    let mut letter = failure(source_id);
    letter["depends_on"] = json!(letters);
    letter
}

/// Two letters of which the second waits for the first; their ids.
async fn two(caller: &mut Caller) -> (Value, Value) {
    caller.create("dead", json!({})).await;
    let mut first = failure("first");
    first["retry_policy"] = json!("never");
    let first = capture(caller, first).await["id"].clone();
    let second = capture(caller, after("second", &[&first])).await["id"].clone();
    (first, second)
}

async fn blocked(caller: &mut Caller) -> (Vec<String>, u64) {
    let list = caller.ok("/v1/letters.list", json!({ "queue_name": "dead", "filter": "blocked == true" })).await;
    let letters = list["letters"].as_array().cloned().unwrap_or_default();
    let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
    let ids = letters.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()).collect();
    (ids, stats["blocked"].as_u64().unwrap())
}

async fn say(caller: &mut Caller, then: &str) {
    let set = json!({ "queue_name": "dead", "set": { "on_lost_dependency": then } });
    caller.ok("/v1/letters.configure", set).await;
}

#[tokio::test]
async fn a_letter_is_told_as_blocked_until_what_it_waits_for_is_completed() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let (first, second) = two(&mut caller).await;
        assert_eq!(blocked(&mut caller).await, (vec!["second".to_owned()], 1));
        let told = get(&mut caller, &second).await;
        assert_eq!((&told["letter"]["blocked"], &told["depends_on"]), (&json!(true), &json!([first])));
        assert_eq!(told["letter"].get("next_retry_at"), None);
        let lease = json!({ "queue_name": "dead", "batch_size": 1, "client_id": "me", "request_timeout": "1m" });
        let leased = caller.ok("/v1/queue.lease", lease).await;
        let done = json!({ "queue_name": "dead", "partition": leased["partition"], "request_timeout": "1m",
            "ids": [leased["items"][0]["id"]] });
        caller.ok("/v1/queue.complete", done).await;
        assert_eq!(blocked(&mut caller).await, (Vec::new(), 0));
        assert!(get(&mut caller, &second).await["letter"]["next_retry_at"].is_string());
    })
    .await;
}

#[tokio::test]
async fn what_a_letter_gets_that_waits_for_a_lost_one_is_said_by_its_queue() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let (first, second) = two(&mut caller).await;
        caller.ok(ARCHIVE, json!({ "queue_name": "dead", "ids": [first] })).await;
        assert_eq!(blocked(&mut caller).await, (vec!["second".to_owned()], 1), "by default it waits");
        let third = capture(&mut caller, after("third", &[&second])).await["id"].clone();
        say(&mut caller, "exhaust").await;
        for (id, lost, became) in [(&second, &first, "archived"), (&third, &second, "exhausted")] {
            let told = get(&mut caller, id).await;
            assert_eq!((&told["letter"]["status"], told["letter"].get("blocked")), (&json!("exhausted"), None));
            let newest = told["attempts"].as_array().unwrap().last().unwrap()["attempt"].clone();
            assert_eq!(newest["cause"], "lost_dependency");
            let why = format!("letter {}, which it waited for, is {became}", lost.as_str().unwrap());
            assert_eq!(newest["error"], why.as_str());
        }
        say(&mut caller, "release").await;
        let fourth = capture(&mut caller, after("fourth", &[&first])).await["id"].clone();
        let told = get(&mut caller, &fourth).await;
        assert!(told["letter"].get("blocked").is_none() && told["letter"]["next_retry_at"].is_string(), "{told}");
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_waited_for_is_refused_and_nothing_is_kept() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        let (first, _) = two(&mut caller).await;
        let unknown = json!("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
        for letters in [vec![&unknown], vec![&first; 33]] {
            let request = json!({ "queue_name": "dead", "letters": [failure("x"), after("y", &letters)] });
            assert_eq!(refused(&mut caller, CAPTURE, request).await, (400, "invalid".into()));
        }
        let wrong = json!({ "queue_name": "dead", "set": { "on_lost_dependency": "forget" } });
        assert_eq!(refused(&mut caller, "/v1/letters.configure", wrong).await, (400, "invalid".into()));
        let stats = caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await;
        assert_eq!(stats["queue_size"], 2);
    })
    .await;
}

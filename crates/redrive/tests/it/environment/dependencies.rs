//! Letters that wait for one that is lost.

use serde_json::{Value, json};

use super::{capture, get, letter, parked, serve, stats};
use crate::bed::Bed;
use crate::retries::ok;

/// A failure that comes after another.
fn after(source_id: &str, lost: &Value) -> Value {
    json!({ "source_id": source_id, "retry_policy": "exponential", "depends_on": [lost], "fault": { "error": "timed out" } })
}

/// A chain of three, whose first is archived by the command line.
fn lost(bed: &Bed) -> [Value; 3] {
    let first = capture(bed, &[parked("a")]).remove(0);
    let second = capture(bed, &[after("b", &first)]).remove(0);
    let third = capture(bed, &[after("c", &second)]).remove(0);
    assert_eq!(stats(bed)["blocked"], 2);
    bed.done(&["letters", "archive", "dead", first.as_str().unwrap()]);
    [first, second, third]
}

#[test]
fn dlq_on_lost_dependency_exhausts_a_chain() {
    let bed = serve(&[("REDRIVE_DLQ_ON_LOST_DEPENDENCY", "exhaust")]);
    let [first, second, third] = lost(&bed);
    for (id, lost, became) in [(&second, &first, "archived"), (&third, &second, "exhausted")] {
        assert_eq!(letter(&bed, id)["status"], "exhausted");
        let attempts = get(&bed, id)["attempts"].clone();
        let newest = &attempts.as_array().unwrap().last().unwrap()["attempt"];
        let why = format!("letter {}, which it waited for, is {became}", lost.as_str().unwrap());
        assert_eq!((&newest["cause"], &newest["error"]), (&json!("lost_dependency"), &json!(why)));
    }
    assert_eq!(stats(&bed)["blocked"], 0);
    let shown = bed.done(&["letters", "show", "dead", second.as_str().unwrap()]);
    assert!(shown.contains("lost_dependency"), "{shown}");
}

#[test]
fn dlq_on_lost_dependency_releases_the_next_one() {
    let bed = serve(&[("REDRIVE_DLQ_ON_LOST_DEPENDENCY", "release")]);
    let [_, second, third] = lost(&bed);
    assert_eq!(letter(&bed, &second)["next_retry_at"], "2026-11-15T12:01:00Z");
    assert_eq!(letter(&bed, &third)["blocked"], true, "what that one waits for is not lost");
}

#[test]
fn a_queue_is_told_otherwise_by_the_command_line() {
    let bed = serve(&[]);
    let [_, second, _] = lost(&bed);
    assert_eq!(letter(&bed, &second)["blocked"], true, "by default it waits");
    let list = ok(&bed, "letters.list", &json!({ "queue_name": "dead", "filter": "blocked == true" }));
    assert_eq!(list["letters"].as_array().unwrap().len(), 2);
    bed.done(&["letters", "configure", "dead", "on_lost_dependency=exhaust"]);
    assert_eq!(letter(&bed, &second)["status"], "exhausted", "also those who wait already");
}

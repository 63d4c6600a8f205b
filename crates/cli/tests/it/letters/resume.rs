use serde_json::{Value, json};

use super::{captured, show, with_target};
use crate::retries::ok;
use crate::test_server::TestServer;

/// An exhausted letter of `dead`: its only retry failed.
fn exhausted(server: &TestServer, source_id: &str, destination: &str, error: &str) -> String {
    let letter = [source_id, "--source-id", source_id, "--destination", destination, "--error", error];
    let id = captured(server, &[&letter[..], &["--max-retries", "1", "--retry-policy", "never"]].concat());
    for item in server.objects(&["lease", "dead", "--count", "100"]) {
        let mut settled = json!({ "id": item["id"], "release": {} });
        if item["payload"] == source_id {
            settled = json!({ "id": item["id"], "retry": {}, "fault": { "error": error } });
        }
        ok(server, "queue.settle", &json!({ "queue_name": "dead", "items": [settled] }));
    }
    assert_eq!(show(server, &id)["status"], "exhausted");
    id
}

fn status(server: &TestServer, id: &str) -> Value {
    show(server, id)["status"].clone()
}

#[test]
fn named_letters_get_their_retries_back() {
    let server = with_target("resume-named");
    let ids = ["a", "b"].map(|source_id| exhausted(&server, source_id, "bank", "HTTP 503"));
    let pending = captured(&server, &["order", "--source-id", "c", "--error", "HTTP 503"]);
    let ran = server.run(&["letters", "resume", "dead", &ids[0], &pending]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "resumed 1 letter of 'dead'\n"));
    let resumed = show(&server, &ids[0]);
    assert_eq!((&resumed["status"], &resumed["retry_count"]), (&json!("pending"), &json!(0)));
    assert_eq!(resumed["total_attempts"], 2);
    let last = resumed["attempts"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["cause"], &last["actor"]), (&json!("resumed"), &json!("anonymous")));
    let shown = server.run_ok(&["letters", "show", "dead", &ids[0]]);
    assert!(shown.contains("deferred (resumed)"), "{shown}");
    let listed = server.run_ok(&["letters", "list", "dead", "-s", "exhausted", "-j"]);
    let ran = server.run_with(&["letters", "resume", "dead", "-", "-j"], listed.as_bytes());
    let data: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(data, json!({ "queue_name": "dead", "resumed": 1 }));
    assert_eq!(status(&server, &ids[1]), "pending");
    assert_eq!(server.run(&["letters", "resume", "dead", super::UNKNOWN]).code, 3);
}

#[test]
fn the_letters_of_a_destination_group_or_filter_are_resumed_after_a_plan() {
    let server = with_target("resume-planned");
    let bank = exhausted(&server, "a", "bank", "HTTP 503");
    let shop = exhausted(&server, "b", "the \"shop\"", "HTTP 503");
    let slow = exhausted(&server, "c", "bank", "timed out");
    let resume = |more: &[&str]| server.run(&[&["letters", "resume", "dead"], more].concat());
    let ran = resume(&["--destination", "bank", "--dry-run"]);
    let plan = "2 letters of 'dead' to resume (2 exhausted); nothing was changed\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (0, plan));
    resume(&["--destination", "bank", "--yes"]).fails(2, "--reason");
    let ran = resume(&["--destination", "the \"shop\"", "--yes", "--reason", "it is back"]).succeeded();
    assert!(ran.stderr.ends_with("resumed 1 letter of 'dead', skipped 0, failed 0\n"), "{}", ran.stderr);
    assert_eq!(
        ["exhausted", "pending", "exhausted"].map(Value::from),
        [&bank, &shop, &slow].map(|id| status(&server, id))
    );
    let group = show(&server, &slow)["fingerprint"].as_str().unwrap().to_owned();
    let data = server.objects(&["letters", "resume", "dead", "--group", &group, "--yes", "--reason", "why"]).remove(0);
    assert_eq!((&data["planned"], &data["resumed"], &data["failed"]), (&json!(1), &json!(1), &json!(0)));
    let filter = ["--filter", "source_id == 'a'", "--yes", "--reason", "why"];
    assert_eq!(resume(&filter).code, 0);
    assert_eq!(status(&server, &bank), "pending");
    for wrong in [&[][..], &["--all", "--destination", "bank"], &[&bank, "--all"], &[&bank, "--dry-run"]] {
        assert_eq!(resume(wrong).code, 2, "{wrong:?}");
    }
}

#[test]
fn a_letter_without_retries_is_named_with_what_to_do() {
    let server = with_target("resume-none");
    let id = captured(&server, &["order", "--source-id", "a", "--error", "HTTP 503", "--max-retries", "0"]);
    let ran = server.run(&["letters", "bulk", "resume", "dead", "--all", "--yes", "--reason", "why"]).succeeded();
    let skipped = "resumed 0 letters of 'dead', skipped 1, failed 0\n  1 skipped: max_retries is 0; set it with letters edit --max-retries\n";
    assert!(ran.stderr.contains(skipped), "{}", ran.stderr);
    assert_eq!(status(&server, &id), "exhausted");
}

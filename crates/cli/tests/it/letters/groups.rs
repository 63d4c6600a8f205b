use serde_json::{Value, json};

use super::{UNKNOWN, captured, show, with_dead};
use crate::identity::SecuredServer;
use crate::test_server::{TestServer, words};

/// Two letters about missing orders, one of them exhausted, and one about a time-out.
fn with_groups() -> (TestServer, String) {
    let server = with_dead();
    let bank = ["--destination", "bank"];
    captured(&server, &[&["x", "--source-id", "a", "--error", "order 1 not found"][..], &bank].concat());
    server.advance("5m");
    captured(&server, &["x", "--source-id", "b", "--error", "order 2 not found", "--max-retries", "0"]);
    captured(&server, &["x", "--source-id", "c", "--error", "timed out"]);
    let groups = server.objects(&["letters", "groups", "dead"]);
    let group = groups.iter().find(|group| group["count"] == 2).unwrap();
    let fingerprint = group["fingerprint"].as_str().unwrap().to_owned();
    (server, fingerprint)
}

fn statuses(server: &TestServer) -> Vec<Value> {
    ["a", "b", "c"].iter().map(|source_id| show(server, source_id)["status"].clone()).collect()
}

#[test]
fn a_group_has_a_sample_its_statuses_and_its_times() {
    let (server, fingerprint) = with_groups();
    let groups = server.objects(&["letters", "groups", "dead"]);
    assert_eq!(groups.len(), 2);
    let group = groups.iter().find(|group| group["fingerprint"] == json!(fingerprint)).unwrap();
    let sample = show(&server, group["sample_id"].as_str().unwrap());
    assert_eq!(
        *group,
        json!({ "queue_name": "dead", "fingerprint": fingerprint, "count": 2, "pending": 1, "retrying": 0,
            "exhausted": 1, "completed": 0, "archived": 0, "arrived": null, "arrived_before": null, "is_new": null,
            "first_seen": "2026-11-15T12:00:00Z", "last_seen": "2026-11-15T12:05:00Z",
            "sample_id": sample["id"], "sample_error": sample["last_error"], "category": sample["category"],
            "destination": sample["destination"] })
    );
    assert_eq!(sample["fingerprint"], json!(fingerprint));
    let table = server.run(&["letters", "groups", "dead"]);
    assert!(table.stdout.lines().nth(1).unwrap().starts_with(&fingerprint), "the largest first: {}", table.stdout);
    assert_eq!(table.stderr, "2 groups of 3 live letters\n");
    let one = server.run(&["letters", "groups", "dead", "--limit", "1"]);
    assert_eq!(one.stdout.lines().count(), 2);
    assert_eq!(one.stderr, "the largest 1 of 2 groups of 3 live letters; list more with --limit COUNT\n");
    assert_eq!(server.objects(&["letters", "groups", "dead", "-l", "1"]).len(), 1);
}

#[test]
fn groups_of_a_time_and_of_all_queues_have_a_trend() {
    let server = with_dead();
    server.run_ok(&["queue", "create", "bills-dead"]);
    let capture = |queue: &str, source_id: &str, error: &str| {
        server.run_ok(&["letters", "capture", queue, "x", "--source-id", source_id, "--error", error]);
    };
    capture("dead", "a", "timed out");
    server.advance("50m");
    for source_id in ["b", "c"] {
        capture("dead", source_id, "timed out");
    }
    capture("bills-dead", "d", "order 1 not found");
    server.advance("10m");
    let lines = server.objects(&["letters", "groups", "--since", "30m"]);
    let trends: Vec<Value> = lines
        .iter()
        .map(|line| json!([line["queue_name"], line["count"], line["arrived"], line["arrived_before"], line["is_new"]]))
        .collect();
    assert_eq!(trends, [json!(["dead", 2, 2, 1, false]), json!(["bills-dead", 1, 1, 0, true])]);
    let table = server.run(&["letters", "groups", "--since", "30m"]);
    let rows: Vec<Vec<&str>> = table.stdout.lines().map(|line| words(line)[1..6].to_vec()).collect();
    assert_eq!(
        rows,
        [
            ["QUEUE", "LETTERS", "ARRIVED", "BEFORE", "TREND"],
            ["dead", "2", "2", "1", "up"],
            ["bills-dead", "1", "1", "0", "new"]
        ]
    );
    assert_eq!(table.stderr, "2 groups of 3 live letters\n");
    let one = server.run(&["letters", "groups", "--limit", "1"]);
    assert_eq!((one.stdout.lines().count(), one.stdout.contains("TREND")), (2, false));
    assert_eq!(one.stderr, "the largest 1 of 2 groups of 4 live letters; list more with --limit COUNT\n");
    let filtered = ["letters", "groups", "dead", "--filter", "source_id == 'b'", "--status", "pending,exhausted"];
    assert_eq!(server.objects(&filtered)[0]["count"], 1);
    assert_eq!(server.objects(&["letters", "groups", "--namespace", "shop"]).len(), 0);
    assert_eq!(server.run(&["letters", "groups", "dead", "--namespace", "shop"]).code, 2);
}

#[test]
fn a_capture_into_a_full_queue_names_the_limit_and_the_command_that_raises_it() {
    let server = with_dead();
    server.run_ok(&["letters", "configure", "dead", "max_size=100"]);
    let lines = "x\n".repeat(101);
    let ran = server.run_with(&["letters", "capture", "dead", "--error", "timed out"], lines.as_bytes());
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(ran.stderr.contains("Dead letter queue is full (max_size=100)\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("redrive letters configure dead max_size=N"), "{}", ran.stderr);
}

#[test]
fn a_group_is_named_by_the_beginning_of_its_fingerprint() {
    let (server, fingerprint) = with_groups();
    for name in [&fingerprint, &fingerprint[..12], &fingerprint[..4], &fingerprint.to_uppercase()] {
        let listed = server.objects(&["letters", "list", "dead", "--group", name]);
        let sources: Vec<&Value> = listed.iter().map(|letter| &letter["source_id"]).collect();
        assert_eq!(sources, [&json!("b"), &json!("a")], "{name}");
    }
    let filter = ["--filter", "status == 'exhausted' || status == 'archived'"];
    let both = server.objects(&[&["letters", "list", "dead", "--group", &fingerprint][..], &filter].concat());
    assert_eq!(both.len(), 1, "with another filter");
    let unknown = server.run(&["letters", "list", "dead", "--group", "ffffffffffff"]);
    assert_eq!(unknown.code, 3, "{}", unknown.stderr);
    assert!(unknown.stderr.starts_with("error: no group of 'dead' begins with 'ffffffffffff'\n"), "{}", unknown.stderr);
    assert_eq!(server.objects(&["letters", "list", "dead", "--group", &"f".repeat(32)]).len(), 0);
}

#[test]
fn every_act_takes_a_group() {
    let (server, fingerprint) = with_groups();
    let act =
        |act: &str, more: &[&str]| server.run(&[&["letters", act, "dead", "--group", &fingerprint][..], more].concat());
    let confirmed = ["--yes", "--reason", "account closed"];
    assert_eq!(act("archive", &["--yes"]).code, 2, "a reason is missing");
    assert_eq!(act("archive", &["--reason", "r"]).code, 2, "a confirmation is missing");
    assert_eq!(act("archive", &["a"]).code, 2, "either ids or a group");
    assert_eq!(act("retry", &["--force", "--yes", "--reason", "r"]).code, 2);
    let dry = act("purge", &["--dry-run"]);
    assert_eq!(
        (dry.code, dry.stderr.as_str()),
        (0, "2 letters of 'dead' to purge (1 pending, 1 exhausted); nothing was changed\n")
    );
    let archived = act("archive", &confirmed);
    assert_eq!((archived.code, archived.stdout.as_str()), (0, ""), "{}", archived.stderr);
    assert!(archived.stderr.ends_with("archived 2 letters of 'dead', skipped 0, failed 0\n"), "{}", archived.stderr);
    assert_eq!(statuses(&server), ["archived", "archived", "pending"]);
    assert_eq!(act("restore", &confirmed).code, 0, "a group without live letters, by its whole fingerprint");
    assert_eq!(statuses(&server), ["pending", "exhausted", "pending"]);

    assert_eq!(act("note", &["asked the bank", "--yes"]).code, 2, "a reason is missing");
    assert_eq!(act("edit", &["--max-retries", "7", "--yes"]).code, 2, "a reason is missing");
    let noted = act("note", &["asked the bank", "--tag", "bank", "--yes", "--reason", "r", "-j"]);
    let noted: Value = serde_json::from_str(&noted.stdout).unwrap();
    assert_eq!((&noted["annotated"], &noted["failed"]), (&json!(2), &json!(0)));
    let notes = |source_id: &str| show(&server, source_id)["notes"].as_array().unwrap().len();
    assert_eq!((notes("a"), notes("b"), notes("c")), (1, 1, 0));
    assert_eq!(act("note", &["--yes"]).code, 2, "a note needs a text or a tag");
    assert_eq!(act("note", &["an-id", "text", "--yes"]).code, 2, "either an id or a group");

    let edited = act("edit", &["--max-retries", "7", "--priority", "high", "--yes", "--reason", "r"]);
    assert_eq!(edited.stderr, "2 letters of 'dead' to edit\nedited 2 letters of 'dead', failed 0\n");
    let letters = ["a", "b", "c"].map(|source_id| show(&server, source_id));
    let retries: Vec<&Value> = letters.iter().map(|letter| &letter["max_retries"]).collect();
    assert_eq!(retries, [&json!(7), &json!(7), &json!(3)]);
    assert_eq!(act("edit", &["--yes"]).code, 2, "no change is given");
    assert_eq!(act("edit", &["--payload", "x", "--yes"]).code, 2);

    let lines = server.run_ok(&["letters", "export", "dead", "--group", &fingerprint[..8], "--reason", "a move"]);
    assert_eq!(lines.lines().count(), 2);
    assert_eq!(act("purge", &confirmed).code, 0);
    assert_eq!(server.run(&["letters", "show", "dead", "a"]).code, 3);
    assert_eq!(server.objects(&["letters", "list", "dead", "--all"]).len(), 1);
}

#[test]
fn an_act_on_a_group_names_the_letters_that_failed() {
    let server = with_dead();
    for source_id in ["a", "b"] {
        captured(&server, &["x", "--source-id", source_id, "--error", "timed out"]);
    }
    let fingerprint = show(&server, "a")["fingerprint"].as_str().unwrap().to_owned();
    // The policy needs a custom_backoff, which the queue does not have.
    let edit = format!("letters edit dead --group {fingerprint} --retry-policy custom --yes --reason r");
    let ran = server.run(&words(&edit));
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for source_id in ["a", "b"] {
        let id = show(&server, source_id)["id"].as_str().unwrap().to_owned();
        let named = ran.stderr.lines().find(|line| line.starts_with(&id)).unwrap();
        assert!(named.contains(": failed: ") && named.contains("custom_backoff"), "{named}");
    }
    assert!(ran.stderr.ends_with("error: 2 of 2 letters failed\n"), "{}", ran.stderr);
    assert_eq!(server.run(&["letters", "note", "dead", UNKNOWN, "x"]).code, 3);
}

#[test]
fn an_act_on_a_group_has_no_limit_of_letters() {
    let server = with_dead();
    let lines = "x\n".repeat(1_001);
    server.run_with(&["letters", "capture", "dead", "--error", "timed out"], lines.as_bytes());
    let group = server.objects(&["letters", "groups", "dead"]).remove(0);
    let fingerprint = group["fingerprint"].as_str().unwrap();
    let dry = server.run(&["letters", "note", "dead", "--group", fingerprint, "x", "--dry-run"]);
    assert_eq!(dry.stderr, "1001 letters of 'dead' to annotate; nothing was changed\n");
    let note = ["letters", "note", "dead", "--group", fingerprint, "x", "--yes", "--reason", "r"];
    let ran = server.run(&note);
    assert!(ran.stderr.ends_with("annotated 1001 letters of 'dead', failed 0\n"), "{}", ran.stderr);
}

#[test]
fn a_denial_ends_an_act_on_a_group() {
    let server = SecuredServer::new("group-denied");
    server.ok(&["queue", "create", "dead"]);
    for source_id in ["a", "b"] {
        server.ok(&["letters", "capture", "dead", "x", "--source-id", source_id, "--error", "timed out"]);
    }
    server.ok(&["role", "create", "reader", "--permission", "letters.read", "--namespace", "_system"]);
    server.user("ann", &[("_system", "reader")]);
    let letter = server.objects_as("ann", &["letters", "list", "dead"]).remove(0);
    let fingerprint = letter["fingerprint"].as_str().unwrap();
    let note = ["letters", "note", "dead", "--group", fingerprint, "x", "--yes", "--reason", "r"];
    let ran = server.run_as("ann", &note);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("lacks the permission").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("\nannotated 0 letters before the error\n"), "{}", ran.stderr);
}

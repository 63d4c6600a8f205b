//! `redrive audit list`, `show` and `export`.

use serde_json::{Value, json};

use crate::identity::SecuredServer;
use crate::test_server::{TestServer, folder, words};

fn actions(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["action"].as_str().unwrap()).collect()
}

/// A server on which `ann` and the administrator did something.
fn with_acts(name: &str) -> SecuredServer {
    let server = SecuredServer::new(name);
    server.user("ann", &[("_system", "Admin")]);
    assert_eq!(server.run_as("ann", &["queue", "create", "orders"]).code, 0);
    assert_eq!(server.run_as("ann", &["queue", "pause", "orders"]).code, 0);
    server.ok(&["namespace", "create", "shop", "--reason", "a new team"]);
    server
}

#[test]
fn records_are_listed_newest_first_and_filtered() {
    let server = with_acts("audit-list");
    let all = server.objects(&["audit", "list"]);
    let expected = "namespaces.create queue.pause queues.create apikeys.create rolebindings.create users.create \
                    server.bootstrap server.start";
    assert_eq!(actions(&all), words(expected));
    let mut oldest = server.objects(&["audit", "list", "--oldest-first"]);
    oldest.reverse();
    assert_eq!(oldest, all);
    let times: Vec<&str> = all.iter().map(|record| record["time"].as_str().unwrap()).collect();
    for (filter, expected) in [
        (&["--actor", "ann"][..], &["queue.pause", "queues.create"][..]),
        (&["--actor", "admin", "--action", "namespaces"], &["namespaces.create"]),
        (&["--action", "queue.pause"], &["queue.pause"]),
        (&["--queue", "orders"], &["queue.pause", "queues.create"]),
        (&["--target", "namespace=shop"], &["namespaces.create"]),
        (&["--target", "shop"], &["namespaces.create"]),
        (&["--since", times[1]], &["namespaces.create", "queue.pause"]),
        (&["--until", times[6]], &["server.start"]),
        (&["--since", "1d", "--actor", "ann"], &["queue.pause", "queues.create"]),
        (&["--until", "1h"], &[]),
        (&["--limit", "2"], &["namespaces.create", "queue.pause"]),
    ] {
        let listed = server.objects(&[&["audit", "list"], filter].concat());
        assert_eq!(actions(&listed), expected, "{filter:?}");
    }
}

#[test]
fn a_table_shows_actor_action_targets_and_reason() {
    let server = with_acts("audit-table");
    let ran = server.run(&["audit", "list", "--limit", "2"]);
    let lines: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["TIME", "ACTOR", "ACTION", "RESULT", "NAMESPACE", "TARGETS", "REASON", "ID"]);
    assert_eq!(lines[1][1..9], ["admin", "namespaces.create", "200", "_system", "namespace=shop", "a", "new", "team"]);
    assert_eq!(lines[2][1..7], ["ann", "queue.pause", "200", "_system", "queue=orders", "-"]);
    assert_eq!(ran.stderr, "there may be more; list more with --limit, or fewer with a filter\n");
}

#[test]
fn a_record_is_shown_by_its_id() {
    let server = with_acts("audit-show");
    let newest = server.objects(&["audit", "list", "--limit", "1"]).remove(0);
    let id = newest["id"].as_str().unwrap();
    assert_eq!(server.objects(&["audit", "show", id]).first(), Some(&newest));
    for (field, expected) in [
        ("username", json!("admin")),
        ("reason", json!("a new team")),
        ("code", json!(200)),
        ("targets", json!([{ "kind": "namespace", "name": "shop" }])),
        ("namespace", json!("_system")),
        ("problem", json!(null)),
    ] {
        assert_eq!(newest[field], expected, "{field}");
    }
    let fields = server.ok(&["audit", "get", id]);
    for expected in ["action     namespaces.create\n", "result     200, executed\n", "reason     a new team\n"] {
        assert!(fields.contains(expected), "{fields}");
    }
    let (chain, _) = id.split_once('-').unwrap();
    server.fails(&["audit", "show", &format!("{chain}-999")], 3, "no such audit record: '");
}

#[test]
fn a_denied_act_is_in_the_log_and_reading_the_log_is_denied_without_its_permission() {
    let server = SecuredServer::new("audit-denied");
    server.user("eve", &[]);
    server.denied("eve", &["audit", "list"], "audit.read");
    server.denied("eve", &["audit", "show", "x-1"], "audit.read");
    server.denied("eve", &["audit", "export"], "audit.read");
    server.denied("eve", &["audit", "verify"], "audit.read");
    server.denied("eve", &["user", "create", "mallory"], "user.create");
    let record = server.objects(&["audit", "list", "--limit", "1"]).remove(0);
    assert_eq!(
        (&record["username"], &record["code"], &record["message"]),
        (&json!("eve"), &json!(403), &json!("access denied"))
    );
    assert!(
        server
            .ok(&["audit", "show", record["id"].as_str().unwrap()])
            .contains("result     403, rejected: access denied\n")
    );
    server.ok(&["role", "create", "auditor", "--permission", "audit.read"]);
    server.user("otto", &[("_system", "auditor")]);
    assert_eq!(server.run_as("otto", &["audit", "verify"]).code, 0);
}

#[test]
fn wrong_values_are_reported_in_one_sentence() {
    let server = SecuredServer::new("audit-wrong");
    let time = "expected a time, as in 2026-11-15T12:00:00Z, or how long ago it is, as in 2h or 3d";
    server.fails(
        &["audit", "list", "--since", "soon"],
        2,
        &format!("invalid value 'soon' for '--since <TIME>': {time}"),
    );
    server.fails(&["audit", "list", "--until", "-1h"], 2, "");
    server.fails(
        &["audit", "list", "--limit", "0"],
        2,
        "invalid value '0' for '--limit <COUNT>': expected a whole number, 1 or more",
    );
    let id = "an id has the form INCARNATION-NUMBER, as in 3M928yx0UrfVbDwCKPpjAHbKnmG-17";
    server.fails(&["audit", "show", "seventeen"], 2, &format!("invalid value 'seventeen' for '<ID>': {id}"));
    server.fails(
        &["audit", "verify", "--head", "abc"],
        2,
        "invalid value 'abc' for '--head <SHA256>': expected a SHA-256: 64 hexadecimal digits",
    );
    server.fails(
        &["audit", "verify", "--file", "/nowhere"],
        2,
        "invalid value '/nowhere' for '--file <FILE>': expected a file that exists",
    );
    server.fails(
        &["audit", "list", "--namespace", "a", "--all-namespaces"],
        2,
        "the argument '--namespace <NAME>' cannot be used with",
    );
    let reversed = ["audit", "list", "--since", "2026-11-15T12:00:00Z", "--until", "2026-11-15T11:00:00Z"];
    server.fails(&reversed, 4, "until is invalid; 2026-11-15T11:00:00Z is not after 2026-11-15T12:00:00Z\n");
}

#[test]
fn an_export_has_every_record_and_a_filtered_one_has_the_fields_of_a_list() {
    let server = TestServer::new();
    for name in ["a", "b", "c"] {
        server.run_ok(&["queue", "create", name]);
    }
    let folder = folder("audit-export");
    let file = folder.path().join("audit.jsonl");
    let ran = server.run(&["audit", "export", "--file", file.to_str().unwrap()]);
    let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&file).unwrap());
    assert_eq!(mode & 0o777, 0o600, "only its owner may read it");
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", "exported 5 audit records\n"));
    let lines = std::fs::read_to_string(&file).unwrap();
    let numbers: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["sequence"].clone()).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
    let ran = server.run(&["audit", "export", "--file", file.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "an existing file is kept");
    assert!(ran.stderr.starts_with("error: cannot create the file "), "{}", ran.stderr);
    let filtered = server.run_ok(&["audit", "export", "--action", "queues.create"]);
    let mut listed = server.objects(&["audit", "list", "--action", "queues.create"]);
    listed.reverse();
    let filtered: Vec<Value> = filtered.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(filtered, listed);
}

#[test]
fn an_age_is_by_the_clock_of_the_server() {
    // This machine's clock is days away from that of the server.
    let server = TestServer::frozen();
    server.run_ok(&["queue", "create", "orders"]);
    let records = |arguments: &[&str]| server.objects(&[&["audit", "list"], arguments].concat()).len();
    let all = records(&[]);
    assert!(all > 0);
    assert_eq!((records(&["--since", "1m"]), records(&["--until", "1m"])), (all, 0));
}

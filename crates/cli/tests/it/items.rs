//! `redrive items`.

use crate::test_server::{TestServer, folder};

/// Lines without the fields that an import sets.
fn imported_fields(lines: &str) -> Vec<String> {
    let without = |line: &str| {
        let mut item: serde_json::Value = serde_json::from_str(line).unwrap();
        let fields = item.as_object_mut().unwrap();
        fields.remove("id").unwrap();
        fields.remove("created_at").unwrap();
        item.to_string()
    };
    lines.lines().map(without).collect()
}

#[test]
fn an_export_is_imported_byte_for_byte() {
    let server = TestServer::new();
    let folder = folder("items-round-trip");
    let (first, second) = (folder.path().join("first.jsonl"), folder.path().join("second.jsonl"));
    let (first, second) = (first.to_str().unwrap(), second.to_str().unwrap());
    for queue in ["from", "to"] {
        server.run_ok(&["queue", "create", queue, "--partitions", "3", "--lease-timeout", "1h", "--max-attempts", "9"]);
    }
    // Small requests, so that all partitions get items.
    let lines: Vec<u8> =
        (0..4_000u32).flat_map(|number| [&number.to_be_bytes()[1..], b"-\xfe \"'\\\n"].concat()).collect();
    server.run_with(&["produce", "from", "--batch", "100", "--kind", "k", "--encoding", "e"], &lines);
    let scheduled: String = (0..1_000).map(|number| format!("scheduled {number} ü\n")).collect();
    let later = ["--at", "2099-01-01T00:00:00.000001Z", "--reference", "r"];
    server.run_with(&[&["produce", "from", "--batch", "90"][..], &later].concat(), scheduled.as_bytes());
    for _ in 0..3 {
        assert!(!server.run_ok(&["lease", "from", "--count", "200", "--output", "json"]).is_empty());
    }
    let total = server.objects(&["queue", "stats", "from"]).remove(0);
    let count = |name: &str| total[name].as_u64().unwrap();
    assert!(count("leased") > 200 && count("scheduled") == 1_000, "{total}");
    let all = count("ready") + count("leased") + count("scheduled");
    assert!(all >= 5_000, "{total}");

    let exported = server.run(&["items", "export", "from", "--file", first]);
    assert_eq!((exported.code, exported.stderr), (0, format!("exported {all} items from 'from'\n")));
    let imported = server.run(&["items", "import", "to", "--file", first]);
    assert_eq!((imported.code, imported.stderr), (0, format!("imported {all} items into 'to', skipped 0\n")));
    server.run_ok(&["items", "export", "to", "--file", second]);
    let [before, after] = [first, second].map(|file| std::fs::read_to_string(file).unwrap());
    assert_eq!(imported_fields(&before), imported_fields(&after));
    assert_eq!(server.run_ok(&["items", "export", "from"]), before, "stdout has the same lines as the file");
    assert_eq!(server.run_ok(&["items", "list", "from", "--output", "json"]), before, "list prints the same lines");

    let again = server.run(&["items", "export", "to", "--file", second]);
    assert_eq!(again.code, 1, "an existing file is not overwritten");
}

#[test]
fn an_existing_item_is_skipped_and_counted() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["produce", "orders", "named", "--message-id", "m-1"]);
    server.run_ok(&["produce", "orders", "nameless"]);
    let exported = server.run_ok(&["items", "export", "orders"]);
    let ran = server.run_with(&["items", "import", "orders", "--output", "json"], exported.as_bytes());
    assert_eq!(ran.stdout, "{\"imported\":1,\"queue_name\":\"orders\",\"skipped\":1}\n");
}

#[test]
fn an_import_continues_where_it_stopped() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let good = |number: u32| format!("{{\"state\":\"ready\",\"payload\":\"{number}\"}}\n");
    let secret = "{\"state\":\"ready\",\"payload\":[\"secret\"]}\n";
    let lines: String = (1..=1_500).map(good).collect::<String>() + secret + &good(1_502);
    let ran = server.run_with(&["items", "import", "orders"], lines.as_bytes());
    assert_eq!(ran.code, 1);
    let expected = "imported the lines up to 1000; continue with --skip-lines 1000\n";
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: line 1501 is not an item"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("secret"), "payloads are not printed: {}", ran.stderr);

    let corrected = lines.replace(secret, &good(1_501));
    let ran = server.run_with(&["items", "import", "orders", "--skip-lines", "1000"], corrected.as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "imported 502 items into 'orders', skipped 0\n"));
    let items = server.objects(&["items", "list", "orders"]);
    let payloads: Vec<u32> = items.iter().map(|item| item["payload"].as_str().unwrap().parse().unwrap()).collect();
    assert_eq!(payloads, (1..=1_502).collect::<Vec<_>>());
}

#[test]
fn an_invalid_line_is_rejected_with_its_number() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let wrong = [
        "nonsense",
        r#"{"state":"ready","colour":"red"}"#,
        r#"{"state":"asleep"}"#,
        r#"{"payload":"no state"}"#,
        r#"{"state":"ready","payload":"a","payload_base64":"YQ=="}"#,
        r#"{"state":"ready","payload_base64":"%"}"#,
    ];
    for line in wrong {
        let ran = server.run_with(&["items", "import", "orders"], line.as_bytes());
        assert_eq!(ran.code, 1, "{line}");
        assert!(ran.stderr.contains("error: line 1 is not an item"), "{line}: {}", ran.stderr);
    }
    assert!(server.objects(&["items", "list", "orders"]).is_empty());
}

#[test]
fn items_are_selected_by_partition_state_and_limit() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders", "--partitions", "2"]);
    for payload in ["a", "b", "c"] {
        server.run_ok(&["produce", "orders", payload]);
    }
    server.run_ok(&["lease", "orders"]);
    let count = |arguments: &[&str]| server.objects(&[&["items", "list", "orders"], arguments].concat()).len();
    assert_eq!((count(&[]), count(&["--state", "leased"]), count(&["--state", "ready"])), (3, 1, 2));
    assert_eq!((count(&["--state", "scheduled"]), count(&["--limit", "2"])), (0, 2));
    assert_eq!(count(&["--partition", "0"]) + count(&["--partition", "1"]), 3);
    assert_eq!(server.run(&["items", "list", "orders", "--partition", "7"]).code, 3);
}

#[test]
fn items_are_deleted_by_id_or_by_the_output_of_list() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders", "--partitions", "2"]);
    server.run_with(&["produce", "orders"], b"a\nb\n");
    server.run_ok(&["produce", "orders", "c", "--delay", "1h"]);
    let items = server.objects(&["items", "list", "orders"]);
    let (id, partition) = (items[0]["id"].as_str().unwrap(), items[0]["partition"].to_string());
    server.run_ok(&["items", "delete", "orders", id, "--partition", &partition, "--yes"]);
    let left = server.run_ok(&["items", "list", "orders", "--output", "json"]);
    assert_eq!(left.lines().count(), 2);
    let ran = server.run_with(&["items", "delete", "orders", "-", "--yes", "--output", "json"], left.as_bytes());
    assert_eq!(ran.stdout, "{\"deleted\":2,\"queue_name\":\"orders\"}\n", "{}", ran.stderr);
    assert!(server.objects(&["items", "list", "orders"]).is_empty());
}

#[test]
fn a_long_table_keeps_its_column_widths() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_with(&["produce", "orders"], "x\n".repeat(1_200).as_bytes());
    let table = server.run_ok(&["items", "list", "orders"]);
    let columns = table.lines().map(|line| line.find("ready").or(line.find("STATE")).unwrap());
    assert_eq!(columns.collect::<std::collections::BTreeSet<_>>().len(), 1);
    assert_eq!(table.lines().count(), 1_201);
}

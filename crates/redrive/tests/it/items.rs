//! `redrive items`.

use crate::bed::{Bed, folder};

/// Lines without what an import gives anew.
fn kept(lines: &str) -> Vec<String> {
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
fn what_is_exported_is_imported_byte_for_byte() {
    let bed = Bed::new();
    let folder = folder("items-round-trip");
    let (first, second) = (folder.join("first.jsonl"), folder.join("second.jsonl"));
    let (first, second) = (first.to_str().unwrap(), second.to_str().unwrap());
    for queue in ["from", "to"] {
        bed.done(&["queue", "create", queue, "--partitions", "3", "--lease-timeout", "1h", "--max-attempts", "9"]);
    }
    // Small requests, so that all partitions get some.
    let lines: Vec<u8> =
        (0..4_000u32).flat_map(|number| [&number.to_be_bytes()[1..], b"-\xfe \"'\\\n"].concat()).collect();
    bed.run_with(&["produce", "from", "--batch", "100", "--kind", "k", "--encoding", "e"], &lines);
    let scheduled: String = (0..1_000).map(|number| format!("scheduled {number} ü\n")).collect();
    let later = ["--at", "2099-01-01T00:00:00.000001Z", "--reference", "r"];
    bed.run_with(&[&["produce", "from", "--batch", "90"][..], &later].concat(), scheduled.as_bytes());
    for _ in 0..3 {
        assert!(!bed.done(&["lease", "from", "--count", "200", "--output", "json"]).is_empty());
    }
    let total = bed.objects(&["queue", "stats", "from"]).remove(0);
    let count = |name: &str| total[name].as_u64().unwrap();
    assert!(count("leased") > 200 && count("scheduled") == 1_000, "{total}");
    let all = count("ready") + count("leased") + count("scheduled");
    assert!(all >= 5_000, "{total}");

    let exported = bed.run(&["items", "export", "from", "--file", first]);
    assert_eq!((exported.code, exported.stderr), (0, format!("wrote {all} items of 'from'\n")));
    let imported = bed.run(&["items", "import", "to", "--file", first]);
    assert_eq!((imported.code, imported.stderr), (0, format!("put {all} items into 'to', passed over 0\n")));
    bed.done(&["items", "export", "to", "--file", second]);
    let [before, after] = [first, second].map(|file| std::fs::read_to_string(file).unwrap());
    assert_eq!(kept(&before), kept(&after));
    assert_eq!(bed.done(&["items", "export", "from"]), before, "to stdout as to a file");
    assert_eq!(bed.done(&["items", "list", "from", "--output", "json"]), before, "a list is the same lines");

    let again = bed.run(&["items", "export", "to", "--file", second]);
    assert_eq!(again.code, 1, "what is there is not written over");
}

#[test]
fn an_item_that_is_there_already_is_passed_over_and_counted() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    bed.done(&["produce", "orders", "named", "--message-id", "m-1"]);
    bed.done(&["produce", "orders", "nameless"]);
    let exported = bed.done(&["items", "export", "orders"]);
    let ran = bed.run_with(&["items", "import", "orders", "--output", "json"], exported.as_bytes());
    assert_eq!(ran.stdout, "{\"imported\":1,\"queue_name\":\"orders\",\"skipped\":1}\n");
}

#[test]
fn an_import_goes_on_where_it_stopped() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let good = |number: u32| format!("{{\"state\":\"ready\",\"payload\":\"{number}\"}}\n");
    let secret = "{\"state\":\"ready\",\"payload\":[\"secret\"]}\n";
    let lines: String = (1..=1_500).map(good).collect::<String>() + secret + &good(1_502);
    let ran = bed.run_with(&["items", "import", "orders"], lines.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.starts_with("the lines up to 1000 are in for certain; go on after them with --skip-lines 1000\n")
    );
    assert!(ran.stderr.contains("error: line 1501 is no item"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("secret"), "payloads are not told: {}", ran.stderr);

    let mended = lines.replace(secret, &good(1_501));
    let ran = bed.run_with(&["items", "import", "orders", "--skip-lines", "1000"], mended.as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "put 502 items into 'orders', passed over 0\n"));
    let items = bed.objects(&["items", "list", "orders"]);
    let payloads: Vec<u32> = items.iter().map(|item| item["payload"].as_str().unwrap().parse().unwrap()).collect();
    assert_eq!(payloads, (1..=1_502).collect::<Vec<_>>());
}

#[test]
fn what_is_no_item_is_refused_by_its_line() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let wrong = [
        "nonsense",
        r#"{"state":"ready","colour":"red"}"#,
        r#"{"state":"asleep"}"#,
        r#"{"payload":"no state"}"#,
        r#"{"state":"ready","payload":"a","payload_base64":"YQ=="}"#,
        r#"{"state":"ready","payload_base64":"%"}"#,
    ];
    for line in wrong {
        let ran = bed.run_with(&["items", "import", "orders"], line.as_bytes());
        assert_eq!(ran.code, 1, "{line}");
        assert!(ran.stderr.contains("error: line 1 is no item"), "{line}: {}", ran.stderr);
    }
    assert!(bed.objects(&["items", "list", "orders"]).is_empty());
}

#[test]
fn items_are_chosen_by_partition_state_and_count() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders", "--partitions", "2"]);
    for payload in ["a", "b", "c"] {
        bed.done(&["produce", "orders", payload]);
    }
    bed.done(&["lease", "orders"]);
    let count = |arguments: &[&str]| bed.objects(&[&["items", "list", "orders"], arguments].concat()).len();
    assert_eq!((count(&[]), count(&["--state", "leased"]), count(&["--state", "ready"])), (3, 1, 2));
    assert_eq!((count(&["--state", "scheduled"]), count(&["--limit", "2"])), (0, 2));
    assert_eq!(count(&["--partition", "0"]) + count(&["--partition", "1"]), 3);
    assert_eq!(bed.run(&["items", "list", "orders", "--partition", "7"]).code, 3);
}

#[test]
fn items_are_removed_by_their_ids_or_by_what_list_prints() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders", "--partitions", "2"]);
    bed.run_with(&["produce", "orders"], b"a\nb\n");
    bed.done(&["produce", "orders", "c", "--delay", "1h"]);
    let items = bed.objects(&["items", "list", "orders"]);
    let (id, partition) = (items[0]["id"].as_str().unwrap(), items[0]["partition"].to_string());
    bed.done(&["items", "delete", "orders", id, "--partition", &partition, "--yes"]);
    let left = bed.done(&["items", "list", "orders", "--output", "json"]);
    assert_eq!(left.lines().count(), 2);
    let ran = bed.run_with(&["items", "delete", "orders", "-", "--yes", "--output", "json"], left.as_bytes());
    assert_eq!(ran.stdout, "{\"deleted\":2,\"queue_name\":\"orders\"}\n", "{}", ran.stderr);
    assert!(bed.objects(&["items", "list", "orders"]).is_empty());
}

#[test]
fn a_table_longer_than_memory_should_hold_keeps_its_columns() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    bed.run_with(&["produce", "orders"], "x\n".repeat(1_200).as_bytes());
    let table = bed.done(&["items", "list", "orders"]);
    let columns = table.lines().map(|line| line.find("ready").or(line.find("STATE")).unwrap());
    assert_eq!(columns.collect::<std::collections::BTreeSet<_>>().len(), 1);
    assert_eq!(table.lines().count(), 1_201);
}

//! `redrive produce`, `lease`, `complete` and `retry`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::outcome;
use crate::test_server::{TestServer, folder, without_ids};

fn payloads(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["payload"].as_str().unwrap()).collect()
}

#[test]
fn leased_items_are_printed_as_a_table_or_as_json() {
    let server = TestServer::frozen();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["produce", "orders", "one\nbook", "--kind", "order", "--encoding", "text", "--reference", "r-1"]);
    let folder = folder("cycle");
    let binary = folder.path().join("payload.bin");
    std::fs::write(&binary, [0xff, 0x00, 0x1b]).unwrap();
    server.run_ok(&["produce", "orders", "--file", binary.to_str().unwrap()]);
    let table = server.run_ok(&["lease", "orders", "--count", "2", "--client-id", "me"]);
    assert_eq!(
        without_ids(&table),
        "\
ID                           PARTITION  ATTEMPTS  LEASED UNTIL          KIND   PAYLOAD
<id-1>---------------------          0         1  2026-11-15T12:01:00Z  order  one\\nbook
<id-2>---------------------          0         1  2026-11-15T12:01:00Z  -      base64:/wAb
"
    );
    let items = server.run_ok(&["items", "list", "orders", "--output", "json"]);
    server.run_with(&["retry", "orders", "-"], items.as_bytes());
    let lines = server.run_ok(&["lease", "orders", "--count", "2", "--output", "json"]);
    assert_eq!(
        without_ids(&lines),
        concat!(
            r#"{"id":"<id-1>---------------------","partition":0,"attempts":2,"lease_deadline":"2026-11-15T12:01:00Z","#,
            r#""reference":"r-1","encoding":"text","kind":"order","payload":"one\nbook"}"#,
            "\n",
            r#"{"id":"<id-2>---------------------","partition":0,"attempts":2,"lease_deadline":"2026-11-15T12:01:00Z","#,
            r#""reference":"","encoding":"","kind":"","payload_base64":"/wAb"}"#,
            "\n",
        )
    );
}

#[test]
fn each_line_of_stdin_is_an_item_byte_for_byte() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let ran = server.run_with(&["produce", "orders", "--output", "json"], b"first\n\n\xfe\r\nlast");
    assert_eq!(ran.stdout, "{\"duplicates\":0,\"produced\":4,\"queue_name\":\"orders\"}\n");
    let items = server.objects(&["items", "list", "orders"]);
    let shown = items.iter().map(|item| item.get("payload").or(item.get("payload_base64")).unwrap().as_str().unwrap());
    assert_eq!(shown.collect::<Vec<_>>(), ["first", "", "/g0=", "last"]);
}

#[test]
fn large_input_is_sent_in_several_requests() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let lines: String = (0..2_500).map(|number| format!("line {number} {}\n", "x".repeat(4_000))).collect();
    let ran = server.run_with(&["produce", "orders"], lines.as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "put 2500 items into 'orders'\n"));
    let items = server.objects(&["items", "list", "orders"]);
    assert_eq!(payloads(&items), lines.lines().collect::<Vec<_>>(), "all lines, in order");
}

#[test]
fn a_line_is_sent_before_the_next_one_is_written() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let mut producer = server.command(&["produce", "orders"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = producer.stdin.take().unwrap();
    for payload in ["first", "second"] {
        writeln!(stdin, "{payload}").unwrap();
        assert_eq!(payloads(&server.objects(&["lease", "orders", "--wait", "1m"])), [payload]);
    }
    drop(stdin);
    assert_eq!(outcome(producer).code, 0);
}

#[test]
fn an_item_is_stored_with_all_options() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let extras = ["--message-id", "order-17", "--key", "k", "--header", "trace=abc", "--priority", "high"];
    let produce = [&["produce", "orders", "x", "--kind", "order"][..], &extras].concat();
    server.run_ok(&produce);
    let again = server.run(&produce);
    assert_eq!(
        (again.code, again.stderr.as_str()),
        (0, "nothing was stored: 'orders' has, or remembers, an item with this message id\n")
    );
    let items = server.objects(&["items", "list", "orders"]);
    assert_eq!((items.len(), items[0]["source_id"].as_str()), (1, Some("order-17")));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let queue = redrive_client::Client::new(&server.address).unwrap().queue("orders");
    let leased = runtime.block_on(queue.lease(&redrive_client::LeaseOptions::default())).unwrap();
    let (info, content) = (&leased.items[0].info, &leased.items[0].content);
    assert_eq!((content.key.as_deref(), info.priority.to_string().as_str()), (Some(&b"k"[..]), "high"));
    assert_eq!((content.headers[0].name.as_str(), &content.headers[0].value[..]), ("trace", &b"abc"[..]));

    let several = server.run_with(&["produce", "orders", "--message-id", "x"], b"a\nb\n");
    assert_eq!(several.code, 2, "one id cannot identify two items: {}", several.stderr);
}

#[test]
fn scheduled_items_are_listed_with_their_time() {
    let server = TestServer::frozen();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["produce", "orders", "later", "--at", "2026-11-15T14:00:00+01:00"]);
    assert_eq!(server.objects(&["items", "list", "orders"])[0]["enqueue_at"], "2026-11-15T13:00:00Z");
    let table = server.run_ok(&["items", "list", "orders"]);
    assert_eq!(
        without_ids(&table),
        "\
ID                           PARTITION  STATE      UNTIL                 ATTEMPTS  KIND  PAYLOAD
<id-1>---------------------          0  scheduled  2026-11-15T13:00:00Z         0  -     later
"
    );
}

#[test]
fn a_lease_without_an_item_has_its_own_exit_code() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    for (format, error) in [
        ("table", "error: no item became available in time\n"),
        ("json", "{\"error\":\"no item became available in time\",\"exit_code\":6,"),
    ] {
        let ran = server.run(&["lease", "orders", "--wait", "0s", "--output", format]);
        assert_eq!((ran.code, ran.stdout.as_str()), (6, ""));
        assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
    }
}

#[test]
fn complete_and_retry_read_the_output_of_lease() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead", "--partitions", "3"]);
    for batch in ["a\nb\n", "c\nd\n", "e\nf\n"] {
        server.run_with(&["produce", "orders"], batch.as_bytes());
    }
    let lease = || server.run_ok(&["lease", "orders", "--count", "2", "--output", "json"]);
    let completed = server.run_with(&["complete", "orders", "-", "--output", "json"], lease().as_bytes());
    assert_eq!(completed.stdout, "{\"completed\":2,\"queue_name\":\"orders\"}\n", "{}", completed.stderr);
    let retried = server.run_with(&["retry", "orders", "-", "--delay", "1h"], lease().as_bytes());
    assert_eq!((retried.code, retried.stderr.as_str()), (0, "requeued 2 items\n"));
    let dead = server.run_with(&["retry", "orders", "-", "--dead"], lease().as_bytes());
    assert_eq!((dead.code, dead.stderr.as_str()), (0, "moved 2 items to 'dead'\n"));
    assert_eq!(server.objects(&["items", "list", "orders", "--state", "scheduled"]).len(), 2);
    assert_eq!(server.objects(&["items", "list", "orders"]).len(), 2);
    assert_eq!(server.objects(&["items", "list", "dead"]).len(), 2);
}

#[test]
fn a_retry_reports_the_outcome_of_each_item() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead", "--max-attempts", "2"]);
    server.run_ok(&["queue", "create", "lost", "--max-attempts", "1"]);
    for queue in ["orders", "lost"] {
        server.run_with(&["produce", queue], b"a\nb\n");
    }
    let lease = |queue: &str| server.run_ok(&["lease", queue, "--count", "2", "--output", "json"]);
    let retry = |queue: &str, output: &str| {
        server.run_with(&["retry", queue, "-", "--output", output], lease(queue).as_bytes()).succeeded()
    };
    assert_eq!(retry("orders", "table").stderr, "requeued 2 items\n");
    let moved = retry("orders", "json");
    let lines: Vec<serde_json::Value> = moved.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    for line in &lines {
        assert_eq!(
            (&line["outcome"], &line["moved_to"], &line["queue_name"]),
            (&"moved".into(), &"dead".into(), &"orders".into())
        );
        assert_eq!((line["id"].as_str().unwrap().len(), &line["at"]), (27, &serde_json::Value::Null));
    }
    assert_eq!(retry("lost", "table").stderr, "dropped 2 items: queue 'lost' has no dead queue\n");
    assert_eq!(server.objects(&["items", "list", "lost"]).len(), 0);
}

#[test]
fn a_rejected_retry_reports_the_items_before_it() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_with(&["produce", "orders"], b"a\nb\nc\n");
    let leased = server.objects(&["lease", "orders", "--count", "3"]);
    let id = |at: usize| leased[at]["id"].as_str().unwrap();
    server.run_ok(&["complete", "orders", id(1)]);
    let ran = server.run(&["retry", "orders", id(0), id(1), id(2)]);
    assert_eq!(ran.code, 3);
    let expected = format!("requeued 1 item\nerror: no such item: '{}'\n", id(1));
    assert!(ran.stderr.starts_with(&expected), "{}", ran.stderr);
    let items = server.objects(&["items", "list", "orders"]);
    let states: Vec<_> = items.iter().map(|item| item["state"].clone()).collect();
    assert_eq!(states, ["leased", "ready"], "the item after it is unchanged");
}

#[test]
fn an_id_is_enough_if_the_queue_has_one_partition() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "one"]);
    server.run_ok(&["queue", "create", "two", "--partitions", "2"]);
    for queue in ["one", "two"] {
        server.run_ok(&["produce", queue, "x"]);
    }
    let leased = |queue: &str| {
        let item = server.objects(&["lease", queue]).remove(0);
        (item["id"].as_str().unwrap().to_owned(), item["partition"].to_string())
    };
    let (id, _) = leased("one");
    server.run_ok(&["complete", "one", &id]);
    server.run(&["complete", "one", &id]).fails(3, &format!("no such item: '{id}'"));

    let (id, partition) = leased("two");
    server.run(&["retry", "two", &id]).fails(2, "--partition");
    server.run_ok(&["retry", "two", &id, "--partition", &partition]);

    let ready = server.objects(&["items", "list", "two"])[0]["id"].as_str().unwrap().to_owned();
    server.run(&["complete", "two", &ready, "--partition", &partition]).fails(4, "is not marked as leased");
    assert_eq!(server.run(&["complete", "two", "nonsense", "--partition", "0"]).code, 4);
    let wrong = server.run_with(&["complete", "two", "-"], b"{\"partition\": 0}\n");
    assert_eq!((wrong.code, wrong.stderr.lines().next()), (1, Some("error: line 1 is not an item: it has no id")));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let lines = "0123456789abcdef\n".repeat(20_000);
    server.run_with(&["produce", "orders"], lines.as_bytes());
    for arguments in [&["items", "list", "orders"][..], &["items", "export", "orders"]] {
        let mut child = server.command(arguments).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ran = outcome(child);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn an_interrupted_command_reports_its_progress() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let interrupt = |child: &std::process::Child| {
        let pid = rustix::process::Pid::from_child(child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    };
    let waiting = server.command(&["lease", "orders", "--wait", "10m"]).spawn().unwrap();
    while server.objects(&["queue", "stats", "orders"])[0]["lease_waiting"] != 1 {}
    interrupt(&waiting);
    assert_eq!(outcome(waiting).code, 130);
    while server.objects(&["queue", "stats", "orders"])[0]["lease_waiting"] != 0 {}

    let mut producer = server.command(&["produce", "orders"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = producer.stdin.take().unwrap();
    writeln!(stdin, "first").unwrap();
    server.run_ok(&["lease", "orders", "--wait", "1m"]);
    interrupt(&producer);
    let ran = outcome(producer);
    assert_eq!(ran.code, 130);
    assert_eq!(ran.stderr, "put 1 item into 'orders': the first items of the input\nerror: interrupted\n");
    drop(stdin);
}

/// The letter of an item that died shows what failed, in each of its attempts.
#[test]
fn a_retry_records_what_failed() {
    let server = TestServer::frozen();
    server.run_ok(&["queue", "create", "dead"]);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead", "--max-attempts", "3"]);
    server.run_ok(&["produce", "orders", "order 17"]);
    let retry = |more: &[&str]| {
        let leased = server.objects(&["lease", "orders"]);
        server.run(&[&["retry", "orders", leased[0]["id"].as_str().unwrap()], more].concat()).stderr
    };
    assert_eq!(retry(&["--error", "no such customer", "--http", "422"]), "requeued 1 item\n");
    assert_eq!(retry(&[]), "requeued 1 item\n");
    let last = ["--error", "the bank is closed", "--error-type", "BankError", "--http", "503"];
    assert_eq!(retry(&last), "moved 1 item to 'dead'\n");
    let id = server.objects(&["letters", "list", "dead"])[0]["id"].as_str().unwrap().to_owned();
    let letter = server.objects(&["letters", "show", "dead", &id]).remove(0);
    assert_eq!((letter["total_attempts"].as_u64(), letter["death"]["attempts"].as_u64()), (Some(3), Some(3)));
    assert_eq!((letter["category"].as_str(), letter["matched_rule"].as_str()), (Some("transient"), Some("http:503")));
    assert_eq!(letter["last_error"], "the bank is closed");
    let attempts = letter["attempts"].as_array().unwrap();
    let of = |name: &str| attempts.iter().map(|attempt| attempt[name].as_str()).collect::<Vec<_>>();
    assert_eq!(of("error"), [Some("no such customer"), Some(""), Some("the bank is closed")]);
    assert_eq!(of("category"), [Some("validation"), None, Some("transient")]);
    assert_eq!(of("error_type"), [None, None, Some("BankError")]);
    let explained = server.objects(&[&["explain"], &last[1..2], &["--type", "BankError", "--http", "503"]].concat());
    assert_eq!(letter["fingerprint"], explained[0]["fingerprint"], "it is grouped with the same failure of a capture");
    let shown = server.run_ok(&["letters", "show", "dead", &id]);
    assert!(shown.contains("(no error was reported)"), "{shown}");
    assert!(shown.contains("in 'orders', partition 0, after 3 attempts: max_attempts"), "{shown}");
    for (wrong, form) in
        [(["--http", "99"], "100 to 599"), (["--error-type", "a b"], "as in connection.reset or TimeoutError")]
    {
        let ran = server.run(&[&["retry", "orders", &id][..], &wrong].concat());
        assert!(ran.code == 2 && ran.stderr.starts_with("error: invalid value '"), "{}", ran.stderr);
        assert!(ran.stderr.contains(form), "{form}: {}", ran.stderr);
    }
}

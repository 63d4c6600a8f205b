//! `redrive produce`, `lease`, `complete` and `retry`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::bed::{Bed, folder, without_ids};
use crate::outcome;

fn payloads(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["payload"].as_str().unwrap()).collect()
}

#[test]
fn what_is_leased_is_shown_as_a_table_and_as_objects() {
    let bed = Bed::frozen();
    bed.done(&["queue", "create", "orders"]);
    bed.done(&["produce", "orders", "one\nbook", "--kind", "order", "--encoding", "text", "--reference", "r-1"]);
    let binary = folder("cycle-shown").join("payload.bin");
    std::fs::write(&binary, [0xff, 0x00, 0x1b]).unwrap();
    bed.done(&["produce", "orders", "--file", binary.to_str().unwrap()]);
    let table = bed.done(&["lease", "orders", "--count", "2", "--client-id", "me"]);
    assert_eq!(
        without_ids(&table),
        "\
ID                           PARTITION  ATTEMPTS  LEASED UNTIL          KIND   PAYLOAD
<id-1>---------------------          0         1  2026-11-15T12:01:00Z  order  one\\nbook
<id-2>---------------------          0         1  2026-11-15T12:01:00Z  -      base64:/wAb
"
    );
    let items = bed.done(&["items", "list", "orders", "--output", "json"]);
    bed.run_with(&["retry", "orders", "-"], items.as_bytes());
    let lines = bed.done(&["lease", "orders", "--count", "2", "--output", "json"]);
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
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let ran = bed.run_with(&["produce", "orders", "--output", "json"], b"first\n\n\xfe\r\nlast");
    assert_eq!(ran.stdout, "{\"duplicates\":0,\"produced\":4,\"queue_name\":\"orders\"}\n");
    let items = bed.objects(&["items", "list", "orders"]);
    let shown = items.iter().map(|item| item.get("payload").or(item.get("payload_base64")).unwrap().as_str().unwrap());
    assert_eq!(shown.collect::<Vec<_>>(), ["first", "", "/g0=", "last"]);
}

#[test]
fn input_larger_than_a_request_goes_in_several() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let lines: String = (0..2_500).map(|number| format!("line {number} {}\n", "x".repeat(4_000))).collect();
    let ran = bed.run_with(&["produce", "orders"], lines.as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "put 2500 items into 'orders'\n"));
    let items = bed.objects(&["items", "list", "orders"]);
    assert_eq!(payloads(&items), lines.lines().collect::<Vec<_>>(), "all, and in order");
}

#[test]
fn a_line_goes_out_before_the_next_one_is_written() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let mut producer = bed.command(&["produce", "orders"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = producer.stdin.take().unwrap();
    for payload in ["first", "second"] {
        writeln!(stdin, "{payload}").unwrap();
        assert_eq!(payloads(&bed.objects(&["lease", "orders", "--wait", "1m"])), [payload]);
    }
    drop(stdin);
    assert_eq!(outcome(producer).code, 0);
}

#[test]
fn an_item_can_carry_all_that_an_item_can() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let extras = ["--message-id", "order-17", "--key", "k", "--header", "trace=abc", "--priority", "high"];
    let produce = [&["produce", "orders", "x", "--kind", "order"][..], &extras].concat();
    bed.done(&produce);
    let again = bed.run(&produce);
    assert_eq!((again.code, again.stderr.as_str()), (0, "put 1 item into 'orders', 1 of them already there\n"));
    let items = bed.objects(&["items", "list", "orders"]);
    assert_eq!((items.len(), items[0]["source_id"].as_str()), (1, Some("order-17")));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let queue = redrive_client::Client::new(&bed.address).unwrap().queue("orders");
    let (lease, wait) = (redrive_client::Span::from_secs(60), redrive_client::Span::from_secs(5));
    let claimed = runtime.block_on(queue.claim(1, lease, wait)).unwrap().items.remove(0);
    assert_eq!((claimed.key.as_deref(), claimed.priority.as_str()), (Some(&b"k"[..]), "high"));
    assert_eq!((claimed.headers[0].name.as_str(), &claimed.headers[0].value[..]), ("trace", &b"abc"[..]));

    let several = bed.run_with(&["produce", "orders", "--message-id", "x"], b"a\nb\n");
    assert_eq!(several.code, 2, "one id cannot name two items: {}", several.stderr);
}

#[test]
fn scheduled_items_wait_for_their_time() {
    let bed = Bed::frozen();
    bed.done(&["queue", "create", "orders"]);
    bed.done(&["produce", "orders", "later", "--at", "2026-11-15T14:00:00+01:00"]);
    assert_eq!(bed.objects(&["items", "list", "orders"])[0]["enqueue_at"], "2026-11-15T13:00:00Z");
    let table = bed.done(&["items", "list", "orders"]);
    assert_eq!(
        without_ids(&table),
        "\
ID                           PARTITION  STATE      UNTIL                 ATTEMPTS  KIND  PAYLOAD
<id-1>---------------------          0  scheduled  2026-11-15T13:00:00Z         0  -     later
"
    );
}

#[test]
fn nothing_to_lease_has_an_exit_code_of_its_own() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    for format in ["table", "json"] {
        let ran = bed.run(&["lease", "orders", "--wait", "0s", "--output", format]);
        assert_eq!((ran.code, ran.stdout.as_str()), (6, ""));
        assert!(ran.stderr.starts_with("error: no item came in time\n"), "{}", ran.stderr);
    }
}

#[test]
fn what_lease_prints_is_what_complete_and_retry_read() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "dead"]);
    bed.done(&["queue", "create", "orders", "--dead-queue", "dead", "--partitions", "3"]);
    for batch in ["a\nb\n", "c\nd\n", "e\nf\n"] {
        bed.run_with(&["produce", "orders"], batch.as_bytes());
    }
    let lease = || bed.done(&["lease", "orders", "--count", "2", "--output", "json"]);
    let completed = bed.run_with(&["complete", "orders", "-", "--output", "json"], lease().as_bytes());
    assert_eq!(completed.stdout, "{\"completed\":2,\"queue_name\":\"orders\"}\n", "{}", completed.stderr);
    let retried = bed.run_with(&["retry", "orders", "-", "--delay", "1h"], lease().as_bytes());
    assert_eq!((retried.code, retried.stderr.as_str()), (0, "requeued 2 items\n"));
    let dead = bed.run_with(&["retry", "orders", "-", "--dead"], lease().as_bytes());
    assert_eq!((dead.code, dead.stderr.as_str()), (0, "moved 2 items to 'dead'\n"));
    assert_eq!(bed.objects(&["items", "list", "orders", "--state", "scheduled"]).len(), 2);
    assert_eq!(bed.objects(&["items", "list", "orders"]).len(), 2);
    assert_eq!(bed.objects(&["items", "list", "dead"]).len(), 2);
}

#[test]
fn a_retry_tells_what_became_of_each_item() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "dead"]);
    bed.done(&["queue", "create", "orders", "--dead-queue", "dead", "--max-attempts", "2"]);
    bed.done(&["queue", "create", "lost", "--max-attempts", "1"]);
    for queue in ["orders", "lost"] {
        bed.run_with(&["produce", queue], b"a\nb\n");
    }
    let lease = |queue: &str| bed.done(&["lease", queue, "--count", "2", "--output", "json"]);
    let retry = |queue: &str, output: &str| {
        let ran = bed.run_with(&["retry", queue, "-", "--output", output], lease(queue).as_bytes());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran
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
    assert_eq!(bed.objects(&["items", "list", "lost"]).len(), 0);
}

#[test]
fn a_retry_that_is_refused_tells_what_was_done_before() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    bed.run_with(&["produce", "orders"], b"a\nb\nc\n");
    let leased = bed.objects(&["lease", "orders", "--count", "3"]);
    let id = |at: usize| leased[at]["id"].as_str().unwrap();
    bed.done(&["complete", "orders", id(1)]);
    let ran = bed.run(&["retry", "orders", id(0), id(1), id(2)]);
    assert_eq!(ran.code, 3);
    let told = format!("requeued 1 item\nerror: no such item: '{}'\n", id(1));
    assert!(ran.stderr.starts_with(&told), "{}", ran.stderr);
    let states: Vec<_> = bed.objects(&["items", "list", "orders"]).iter().map(|item| item["state"].clone()).collect();
    assert_eq!(states, ["leased", "ready"], "the one after it is as it was");
}

#[test]
fn an_id_alone_does_where_there_is_one_partition() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "one"]);
    bed.done(&["queue", "create", "two", "--partitions", "2"]);
    for queue in ["one", "two"] {
        bed.done(&["produce", queue, "x"]);
    }
    let leased = |queue: &str| {
        let item = bed.objects(&["lease", queue]).remove(0);
        (item["id"].as_str().unwrap().to_owned(), item["partition"].to_string())
    };
    let (id, _) = leased("one");
    bed.done(&["complete", "one", &id]);
    let twice = bed.run(&["complete", "one", &id]);
    assert_eq!(twice.code, 3);
    assert!(twice.stderr.contains(&format!("no such item: '{id}'")), "{}", twice.stderr);

    let (id, partition) = leased("two");
    let unsaid = bed.run(&["retry", "two", &id]);
    assert_eq!(unsaid.code, 2);
    assert!(unsaid.stderr.contains("--partition"), "{}", unsaid.stderr);
    bed.done(&["retry", "two", &id, "--partition", &partition]);

    let ready = bed.objects(&["items", "list", "two"])[0]["id"].as_str().unwrap().to_owned();
    let not_leased = bed.run(&["complete", "two", &ready, "--partition", &partition]);
    assert_eq!(not_leased.code, 4);
    assert!(not_leased.stderr.contains("is not marked as leased"), "{}", not_leased.stderr);
    assert_eq!(bed.run(&["complete", "two", "nonsense", "--partition", "0"]).code, 4);
    let wrong = bed.run_with(&["complete", "two", "-"], b"{\"partition\": 0}\n");
    assert_eq!((wrong.code, wrong.stderr.lines().next()), (1, Some("error: line 1 is no item: it has no id")));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let lines = "0123456789abcdef\n".repeat(20_000);
    bed.run_with(&["produce", "orders"], lines.as_bytes());
    for arguments in [&["items", "list", "orders"][..], &["items", "export", "orders"]] {
        let mut child = bed.command(arguments).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ran = outcome(child);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn an_interrupt_ends_a_wait_and_says_how_far_it_came() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let interrupt = |child: &std::process::Child| {
        let pid = rustix::process::Pid::from_child(child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    };
    let waiting = bed.command(&["lease", "orders", "--wait", "10m"]).spawn().unwrap();
    while bed.objects(&["queue", "stats", "orders"])[0]["lease_waiting"] != 1 {}
    interrupt(&waiting);
    assert_eq!(outcome(waiting).code, 130);
    while bed.objects(&["queue", "stats", "orders"])[0]["lease_waiting"] != 0 {}

    let mut producer = bed.command(&["produce", "orders"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = producer.stdin.take().unwrap();
    writeln!(stdin, "first").unwrap();
    bed.done(&["lease", "orders", "--wait", "1m"]);
    interrupt(&producer);
    let ran = outcome(producer);
    assert_eq!(ran.code, 130);
    assert_eq!(ran.stderr, "put 1 item into 'orders', the first ones of the input\nerror: interrupted\n");
    drop(stdin);
}

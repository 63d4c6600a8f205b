//! A day of an operator, through the program: a target is down, comes back, and one order is poisoned.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};

use serde_json::{Value, json};

use crate::identity::SecuredServer;
use crate::retries::until;
use crate::test_server::{TestServer, folder};

const QUEUE: &str = "orders-dead";
const OPERATOR: &str =
    "letters.read,letters.reveal,letters.retry,letters.edit,letters.archive,letters.configure,queue.list,queue.stats";

/// An address at which nothing listens yet.
fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Starts the order service: it accepts an order with a quantity, and rejects one without.
fn start_order_service(address: SocketAddr) {
    let listener = TcpListener::bind(address).unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            let length =
                head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            reader.read_exact(&mut body).unwrap();
            let order: Value = serde_json::from_slice(&body).unwrap();
            let status = if order["quantity"].as_u64() > Some(0) { 200 } else { 422 };
            let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
        }
    });
}

/// A server with authentication whose letters are retried once, without a delay.
fn serve(target: SocketAddr) -> SecuredServer {
    let folder = folder("operators-day");
    let config = format!(
        "[dlq]\ndefault_retry_policy = \"immediate\"\ndefault_max_retries = 1\n\
         targets = [{{ queue = \"{QUEUE}\", http = \"http://{target}/orders\" }}]\n"
    );
    std::fs::write(folder.path().join("redrive.toml"), config).unwrap();
    let server = TestServer::start(SecuredServer::serve(folder.path(), &["--memory"]));
    SecuredServer { server, folder }
}

/// The program of the shop captures an order that failed.
fn capture(day: &SecuredServer, order: u32, quantity: u32) {
    let payload = json!({ "order": order, "quantity": quantity }).to_string();
    let source_id = format!("order-{order}");
    let failed = ["--source-id", &source_id, "--error", "HTTP 503 Service Unavailable"];
    day.run_as("shop", &[&["letters", "capture", QUEUE, &payload], &failed[..]].concat()).succeeded();
}

/// The source ids of the letters with a status, in order.
fn with_status(day: &SecuredServer, status: &str) -> Vec<String> {
    let letters = day.objects_as("ann", &["letters", "list", QUEUE, "--status", status]);
    let mut ids: Vec<String> = letters.iter().map(|letter| letter["source_id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

#[test]
fn an_outage_a_poison_letter_and_a_bulk_with_a_failure_end_with_a_complete_audit_log() {
    let target = free_address();
    let day = serve(target);
    for (role, permissions) in
        [("capturer", "letters.enqueue"), ("operator", OPERATOR), ("reader", "letters.read,queue.list")]
    {
        day.ok(&["role", "create", role, "--permission", permissions]);
    }
    for (user, role) in [("shop", "capturer"), ("ann", "operator"), ("ben", "reader")] {
        day.user(user, &[("_system", role)]);
    }

    // 08:00, the order service is down. Every order that fails becomes a letter, and its only retry fails.
    for (order, quantity) in [(1, 2), (2, 1), (3, 0)] {
        capture(&day, order, quantity);
    }
    until("three exhausted letters", || with_status(&day, "exhausted").len() == 3);

    // 08:10, both operators see one cause. Ben may look, and nothing else.
    for user in ["ann", "ben"] {
        let groups = day.objects_as(user, &["letters", "groups", QUEUE]);
        assert_eq!(groups.len(), 1, "{groups:?}");
        assert_eq!((&groups[0]["count"], &groups[0]["exhausted"]), (&json!(3), &json!(3)));
        assert_eq!(groups[0]["category"], "network");
    }
    let resume = ["letters", "resume", QUEUE, "--all", "--yes", "--reason", "the order service is back"];
    day.denied("ben", &resume, "letters.retry");
    day.denied("ben", &["letters", "show", QUEUE, "order-3", "--reveal", "--reason", "curious"], "letters.reveal");
    day.denied("ben", &["letters", "edit", QUEUE, "order-3", "--payload", "{}"], "letters.edit");
    day.denied("ben", &["audit", "list"], "audit.read");
    assert_eq!(with_status(&day, "exhausted").len(), 3, "nothing has changed");

    // 09:00, the order service is back. Ann gives the letters their retries back; one order is rejected.
    start_order_service(target);
    let ran = day.run_as("ann", &resume).succeeded();
    assert!(ran.stderr.contains("resumed 3 letters of 'orders-dead', skipped 0, failed 0"), "{}", ran.stderr);
    until("two delivered orders", || with_status(&day, "completed") == ["order-1", "order-2"]);
    let is_rejected = || {
        let poisoned = day.objects_as("ann", &["letters", "show", QUEUE, "order-3"]).remove(0);
        poisoned["category"] == "validation" && poisoned["status"] == "exhausted"
    };
    until("a rejected order", is_rejected);

    // 09:20, the poison letter: Ann reads its payload, corrects it, and delivers it.
    let shown = day.objects_as("ann", &["letters", "show", QUEUE, "order-3", "--reveal", "--reason", "it is rejected"]);
    assert_eq!(shown[0]["task"], json!({ "order": 3, "quantity": 0 }));
    let corrected = json!({ "order": 3, "quantity": 1 }).to_string();
    let edit = ["letters", "edit", QUEUE, "order-3", "--payload", &corrected, "--retry", "--reason", "the shop said 1"];
    day.run_as("ann", &edit).succeeded();
    assert_eq!(with_status(&day, "completed"), ["order-1", "order-2", "order-3"]);

    // 11:00, a bulk retry of what failed while the processor was stopped: one of two fails and is named.
    day.run_as("ann", &["letters", "process", QUEUE, "stop"]).succeeded();
    capture(&day, 4, 1);
    capture(&day, 5, 0);
    let ran = day.run_as("ann", &["letters", "bulk", "retry", QUEUE, "--all", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("--reason"), "without a reason: {}", ran.stderr);
    let bulk = ["letters", "bulk", "retry", QUEUE, "--all", "--yes", "--reason", "after the stop", "--json"];
    let ran = day.run_as("ann", &bulk);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let outcome: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&outcome["planned"], &outcome["retried"], &outcome["failed"]), (&json!(2), &json!(2), &json!(1)));
    let failed = &outcome["failures"][0];
    let poisoned = day.objects_as("ann", &["letters", "show", QUEUE, "order-5"]).remove(0);
    assert_eq!((&failed["id"], &failed["category"]), (&poisoned["id"], &json!("validation")));
    day.run_as("ann", &["letters", "archive", QUEUE, "order-5", "--reason", "the customer gave up"]).succeeded();
    let ran = day.run_as("ann", &["letters", "purge", QUEUE, "order-5", "--yes", "--reason", "x"]);
    assert!(ran.code == 4 && ran.stderr.contains("letters.clear"), "an operator may not purge: {}", ran.stderr);
    assert!(with_status(&day, "pending,retrying,exhausted").is_empty());

    // 17:00, the audit log has every act of the day: who, what, why, and how it ended.
    let acts = |user: &str| -> Vec<(String, u64, String)> {
        let records = day.objects(&["audit", "list", "--actor", user, "--oldest-first"]);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        records.iter().map(|act| (text(&act["action"]), act["code"].as_u64().unwrap(), text(&act["reason"]))).collect()
    };
    let act = |action: &str, code, reason: &str| (action.to_owned(), code, reason.to_owned());
    assert_eq!(
        acts("ann"),
        [
            act("letters.confirm", 200, "the order service is back"),
            act("letters.run", 200, "the order service is back"),
            act("letters.get", 200, "it is rejected"),
            act("letters.get", 200, "the shop said 1"),
            act("letters.edit", 200, "the shop said 1"),
            act("letters.retry", 200, "the shop said 1"),
            act("letters.process", 200, ""),
            act("letters.confirm", 200, "after the stop"),
            act("letters.run", 200, "after the stop"),
            act("letters.archive", 200, "the customer gave up"),
            act("letters.purge", 403, "x"),
        ]
    );
    let denied = acts("ben");
    assert!(!denied.is_empty() && denied.iter().all(|(_, code, _)| *code == 403), "{denied:?}");
    let verified = day.objects(&["audit", "verify"]).remove(0);
    assert_eq!(verified["broken"], json!([]), "{verified}");
}

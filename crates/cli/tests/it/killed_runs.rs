//! A server that is killed again and again while it hands letters back to a queue whose consumer completes them at once.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::outcome;
use crate::retries::until;
use crate::test_server::{TestServer, command, folder};
use crate::with_kafka::fixture::{Answer, HttpTarget};

const LETTERS: usize = 3_000;
const KILLS: usize = 20;

fn serve(folder: &Path) -> TestServer {
    let mut serve = command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.current_dir(folder);
    TestServer::start(serve)
}

/// A command of a client whose server may be killed meanwhile; `None` if it failed.
fn try_run(address: &str, arguments: &[&str], input: &str) -> Option<String> {
    let mut command = command(arguments);
    command.env("REDRIVE_SERVER", format!("http://{address}")).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that has failed does not read its input.
    let _is_read = child.stdin.take().unwrap().write_all(input.as_bytes()).is_ok();
    let ran = outcome(child);
    (ran.code == 0).then_some(ran.stdout)
}

/// Leases items and completes them, until the test is over. Returns the ids of the items by payload. A kill, or a machine
/// that is slower than the lease, lets it see the same item again.
fn consume(address: &Mutex<String>, is_over: &AtomicBool) -> BTreeMap<String, BTreeSet<String>> {
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let address = || address.lock().unwrap_or_else(PoisonError::into_inner).clone();
    while !is_over.load(Ordering::SeqCst) {
        let lease = ["lease", "orders", "--count", "100", "--wait", "1s", "-j"];
        let Some(leased) = try_run(&address(), &lease, "") else { continue };
        for item in leased.lines() {
            let item: Value = serde_json::from_str(item).unwrap();
            let [payload, id] = ["payload", "id"].map(|field| item[field].as_str().unwrap().to_owned());
            seen.entry(payload).or_default().insert(id);
        }
        // An answer that was lost is asked for again, and then says that the items are gone.
        let complete = ["complete", "orders", "-"];
        while !leased.is_empty() && try_run(&address(), &complete, &leased).is_none() {
            let first: Value = serde_json::from_str(leased.lines().next().unwrap_or_default()).unwrap();
            let shown = try_run(&address(), &["items", "list", "orders", "-j"], "");
            if shown.is_some_and(|items| !items.contains(first["id"].as_str().unwrap())) {
                break;
            }
        }
    }
    seen
}

/// A cancel holds, also if the server is killed before the part at hand is finished.
#[test]
fn a_run_that_was_cancelled_does_not_go_on_after_a_kill() {
    let folder = folder("cancelled-run");
    let is_hanging = Arc::new(AtomicBool::new(true));
    let target = HttpTarget::new({
        let is_hanging = Arc::clone(&is_hanging);
        move |_call| {
            until("the server is killed", || !is_hanging.load(Ordering::SeqCst));
            Answer::Status(200)
        }
    });
    let config = format!("[dlq]\ntargets = [{{ queue = 'dead', http = '{}/pay' }}]\n", target.url);
    std::fs::write(folder.path().join("redrive.toml"), config).unwrap();
    let mut server = serve(folder.path());
    let lines: String = (0..20).map(|number| format!("payment {number}\n")).collect();
    let capture = ["letters", "capture", "dead", "--source-id", "p", "--error", "timed out", "--retry-policy", "never"];
    try_run(&server.address, &capture, &lines).unwrap();
    server.run_ok(&["letters", "retry", "dead", "--all", "--yes", "--detach", "--reason", "it is back"]);
    until("the target is called", || target.count() > 0);
    let run = |server: &TestServer| server.objects(&["letters", "runs", "dead"]).remove(0);
    let id = run(&server)["id"].as_str().unwrap().to_owned();
    let mut cancel = server.command(&["letters", "cancel", "dead", &id]).spawn().unwrap();
    until("the cancel is recorded", || !server.objects(&["audit", "list", "--action", "letters.cancel"]).is_empty());
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    cancel.wait().unwrap();
    is_hanging.store(false, Ordering::SeqCst);
    let called = target.count();
    let server = serve(folder.path());
    until("the run has ended", || run(&server)["state"] == "cancelled");
    assert_eq!(target.count(), called, "no further letter is tried");
}

#[test]
fn each_letter_is_handed_back_once_while_the_server_is_killed_twenty_times() {
    let folder = folder("killed-runs");
    let mut server = serve(folder.path());
    server.run_ok(&["queue", "create", "dead"]);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead", "--lease-timeout", "10s"]);
    let lines: String = (0..LETTERS).map(|number| format!("order {number}\n")).collect();
    try_run(&server.address, &["produce", "orders"], &lines).unwrap();
    for _ in 0..LETTERS / 1_000 {
        let leased = server.run_ok(&["lease", "orders", "--count", "1000", "-j"]);
        try_run(&server.address, &["retry", "orders", "-", "--dead"], &leased).unwrap();
    }
    let (address, is_over) = (Arc::new(Mutex::new(server.address.clone())), Arc::new(AtomicBool::new(false)));
    let consumer = std::thread::spawn({
        let (address, is_over) = (Arc::clone(&address), Arc::clone(&is_over));
        move || consume(&address, &is_over)
    });
    let retry =
        ["letters", "retry", "dead", "--all", "--yes", "--rate", "300", "--detach", "--reason", "stock is back"];
    server.run_ok(&retry);
    let run = |server: &TestServer| server.objects(&["letters", "runs", "dead"]).remove(0);
    for kill in 1..=KILLS {
        let until_now = LETTERS * kill / (KILLS + 5);
        until("some letters are back", || run(&server)["retried"].as_u64() >= Some(until_now as u64));
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        server = serve(folder.path());
        *address.lock().unwrap_or_else(PoisonError::into_inner) = server.address.clone();
    }
    until("the run is over", || run(&server)["state"] == "finished");
    let done = run(&server);
    assert_eq!(
        (&done["retried"], &done["skipped"], &done["failed"]),
        (&json!(LETTERS), &json!(0), &json!(0)),
        "{done}"
    );
    let is_empty = || server.objects(&["items", "list", "orders"]).is_empty();
    until("the consumer has all", is_empty);
    is_over.store(true, Ordering::SeqCst);
    let seen = consumer.join().unwrap();
    assert_eq!((seen.len(), seen.values().map(BTreeSet::len).max()), (LETTERS, Some(1)), "one item for each letter");
}

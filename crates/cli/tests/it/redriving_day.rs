//! A day of two operators with 20 000 letters: an outage, a target that fails now and then, a terminal that is closed and
//! a server that is killed in the middle. What was planned is done, once each, and the audit log tells it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::identity::SecuredServer;
use crate::outcome;
use crate::retries::until;
use crate::terminal;
use crate::test_server::{TestServer, folder};
use crate::with_kafka::fixture::{Answer, HttpTarget};

/// The faults of the payments: what went wrong, and how many letters have it.
const FAULTS: [(&str, &str); 7] = [
    ("--error", "connection refused"),
    ("--error", "timed out"),
    ("--http", "500"),
    ("--http", "429"),
    ("--grpc", "unavailable"),
    ("--sqlstate", "40P01"),
    ("--type", "ValidationError"),
];
const OF_FAULT: usize = 1_000;
const PAYMENTS: usize = FAULTS.len() * OF_FAULT;
/// The orders all died of one fault.
const ORDERS: usize = 13_000;

const OPERATOR: &str = "letters.read,letters.retry,letters.configure,queue.produce,queue.list,queue.stats";
const SERVICE: &str = "letters.enqueue,letters.read,queue.produce,queue.lease,queue.complete,queue.retry,queue.list";

struct Day {
    secured: SecuredServer,
}

impl Day {
    /// A server on disk. The letters of `payments-dead` have a target, those of `orders-dead` go back to their queue.
    fn begin(target: &str) -> Self {
        let folder = folder("redriving-day");
        let targets =
            format!("[dlq]\ntargets = [{{ queue = 'payments-dead', namespace = 'bank', http = '{target}/pay' }}]\n");
        std::fs::write(folder.path().join("redrive.toml"), targets).unwrap();
        let server = TestServer::start(serve(folder.path()));
        Self { secured: SecuredServer { server, folder } }
    }

    /// Kills the server and starts it again.
    fn kill(&mut self) {
        self.secured.server.child.kill().unwrap();
        self.secured.server.child.wait().unwrap();
        self.secured.server = TestServer::start(serve(self.secured.folder.path()));
    }

    fn command(&self, user: &str, arguments: &[&str]) -> Command {
        let mut command = self.secured.server.command(arguments);
        command.args(["--key-file", &self.secured.key_file(user)]);
        command
    }

    /// Runs a command with these lines as its input, and returns what it prints.
    fn feed(&self, user: &str, arguments: &[&str], lines: &str) -> String {
        let mut child = self.command(user, arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        outcome(child).succeeded().stdout
    }

    /// Items that are produced, leased, and given up.
    fn orders_die(&self) {
        let lines: String = (0..ORDERS).map(|number| format!("order {number}\n")).collect();
        self.feed("shop-app", &["produce", "orders"], &lines);
        for _ in 0..ORDERS / 1_000 {
            let leased = self.command("shop-app", &["lease", "orders", "--count", "1000", "-j"]).spawn().unwrap();
            let leased = outcome(leased).succeeded().stdout;
            self.feed("shop-app", &["retry", "orders", "-", "--dead", "--error", "no stock"], &leased);
        }
    }

    fn payments_fail(&self) {
        for (fault, (option, value)) in FAULTS.into_iter().enumerate() {
            let lines: String = (0..OF_FAULT).map(|number| format!("payment {fault} {number}\n")).collect();
            let source = format!("p-{fault}");
            let capture = ["letters", "capture", "payments-dead", "--source-id", &source, option, value];
            self.feed("bank-app", &[&capture[..], &["--retry-policy", "never"]].concat(), &lines);
        }
    }

    fn stats(&self, user: &str, queue: &str) -> Value {
        self.secured.objects_as(user, &["letters", "stats", queue]).remove(0)["status_breakdown"].clone()
    }

    fn runs(&self, user: &str, queue: &str) -> Vec<Value> {
        self.secured.objects_as(user, &["letters", "runs", queue])
    }

    /// The newest run of a queue, when it has finished. However slow the machine, it proceeds.
    fn finished(&self, user: &str, queue: &str) -> Value {
        let run = || self.runs(user, queue).remove(0);
        let mut before = run();
        while before["state"] != "finished" {
            let after = RefCell::new(before.clone());
            until(&format!("the run of '{queue}' proceeds: {before}"), || {
                after.replace(run());
                let after = after.borrow();
                after["remaining"] != before["remaining"] || after["state"] == "finished"
            });
            before = after.into_inner();
        }
        before
    }

    /// The ended runs in the audit log, by user: who, why, and how many letters of which queue.
    fn audited_runs(&self) -> Vec<(String, String, BTreeMap<String, String>)> {
        let records = self.secured.objects(&["audit", "list", "--action", "letters.run", "--oldest-first"]);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let targets = |record: &Value| {
            let targets = record["targets"].as_array().unwrap().iter();
            targets.map(|target| (text(&target["kind"]), text(&target["name"]))).collect()
        };
        let mut runs: Vec<_> =
            records.iter().map(|act| (text(&act["username"]), text(&act["reason"]), targets(act))).collect();
        // Those of different users end in any order.
        runs.sort_by(|a, b| a.0.cmp(&b.0));
        runs
    }
}

fn serve(folder: &Path) -> Command {
    SecuredServer::serve(folder, &["--set", "dlq.retry_processor_enabled=true"])
}

#[test]
fn what_two_operators_plan_is_done_once_each_through_an_outage_a_closed_terminal_and_a_kill() {
    let is_down = Arc::new(AtomicBool::new(true));
    let accepted: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
    let target = HttpTarget::new({
        let (is_down, accepted) = (Arc::clone(&is_down), Arc::clone(&accepted));
        move |call| {
            let number = call.body.rsplit(' ').next().and_then(|number| number.parse::<usize>().ok()).unwrap();
            Answer::Status(match () {
                () if is_down.load(Ordering::SeqCst) => 503,
                // It fails now and then, and never accepts some payments.
                () if number.is_multiple_of(100) && call.attempt == 2 => 503,
                () if call.body.starts_with("payment 6 ") && number < 200 => 422,
                () => {
                    *accepted.lock().unwrap().entry(call.body.clone()).or_default() += 1;
                    200
                }
            })
        }
    });
    let mut day = Day::begin(&target.url);
    for (name, app, operator) in [("shop", "shop-app", "ann"), ("bank", "bank-app", "ben")] {
        // That of the target exists.
        if name != "bank" {
            day.secured.ok(&["namespace", "create", name]);
        }
        for (role, permissions) in [("operator", OPERATOR), ("service", SERVICE), ("auditor", "audit.read")] {
            day.secured.ok(&["role", "create", role, "--namespace", name, "--permission", permissions]);
        }
        day.secured.user(app, &[(name, "service")]);
        day.secured.user(operator, &[(name, "operator")]);
    }
    day.secured.user("eve", &[("shop", "auditor"), ("bank", "auditor")]);
    day.secured.ok(&["queue", "create", "orders-dead", "--namespace", "shop"]);
    day.secured.ok(&["queue", "create", "orders", "--namespace", "shop", "--dead-queue", "orders-dead"]);
    day.orders_die();
    day.payments_fail();
    assert_eq!(day.stats("ann", "orders-dead")["pending"], json!(ORDERS));
    assert_eq!(day.stats("ben", "payments-dead")["pending"], json!(PAYMENTS));
    let groups = day.secured.objects_as("ben", &["letters", "groups", "payments-dead"]);
    assert_eq!(groups.len(), FAULTS.len(), "one group a fault: {groups:?}");

    // Each operator has one namespace.
    let retry = |queue, reason| ["letters", "retry", queue, "--all", "--yes", "--reason", reason];
    day.secured.denied("ben", &retry("orders-dead", "by mistake"), "letters.retry");
    day.secured.denied("eve", &retry("orders-dead", "curious"), "letters.retry");

    // The bank is down. The run waits, and exhausts nothing.
    let detached = [&retry("payments-dead", "the bank is said to be back")[..], &["--detach"]].concat();
    outcome(day.command("ben", &detached).spawn().unwrap()).succeeded();
    until("the run waits", || day.runs("ben", "payments-dead")[0]["state"] == "waiting");
    let stats = day.stats("ben", "payments-dead");
    assert_eq!((&stats["exhausted"], &stats["completed"]), (&json!(0), &json!(0)), "{stats}");

    // Ann hands her orders back, and closes the terminal; later the server is killed. The run of the bank still waits.
    // There is space for less than half of the orders: however slow the machine, the run has not ended by then.
    day.secured.ok(&["queue", "update", "orders", "--max-items", "6000"]);
    let rate = ["--rate", "1000"];
    let mut on_terminal =
        terminal::start(day.command("ann", &[&retry("orders-dead", "the stock is back")[..], &rate].concat()));
    on_terminal.wait_for("13000");
    until("some orders are back", || day.runs("ann", "orders-dead").first().is_some_and(|run| run["retried"] != 0));
    kill_process(Pid::from_child(&on_terminal.child), Signal::HUP).unwrap();
    on_terminal.child.wait().unwrap();
    let before = day.runs("ann", "orders-dead").remove(0);
    assert!(matches!(before["state"].as_str(), Some("running" | "waiting")), "the server does the work: {before}");
    day.kill();
    is_down.store(false, Ordering::SeqCst);
    day.secured.ok(&["queue", "update", "orders", "--max-items", "0"]);
    let done = day.finished("ann", "orders-dead");
    assert_eq!((&done["retried"], &done["skipped"], &done["remaining"]), (&json!(ORDERS), &json!(0), &json!(0)));
    let mut seen = BTreeMap::new();
    for _ in 0..ORDERS / 1_000 {
        let leased = day.secured.objects_as("shop-app", &["lease", "orders", "--count", "1000"]);
        for item in leased {
            *seen.entry(item["payload"].as_str().unwrap_or_default().to_owned()).or_insert(0) += 1;
        }
    }
    assert_eq!((seen.len(), seen.values().max()), (ORDERS, Some(&1)), "each order is back once");

    // The bank is back: the run goes on. What failed in it is named, and a second run takes the rest.
    let first = day.finished("ben", "payments-dead");
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let failed = number(&first["failed"]);
    assert_eq!(number(&first["retried"]) + number(&first["skipped"]), PAYMENTS, "{first}");
    // The poison, what fails now and then, and the few that were tried before the circuit breaker opened.
    assert!((200..400).contains(&failed), "{first}");
    let completed = || number(&day.stats("ben", "payments-dead")["completed"]);
    assert_eq!(completed() + failed + number(&first["skipped"]), PAYMENTS, "{first}");
    let ran = day.command("ben", &[&retry("payments-dead", "what failed")[..], &["-j"]].concat()).spawn().unwrap();
    let ran = outcome(ran);
    let second: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &second["failed"]), (1, &json!(200)), "{}", ran.stderr);
    assert_eq!(second["failures"].as_array().map(Vec::len), Some(200), "each that failed is named");
    assert_eq!(completed(), PAYMENTS - 200, "the poison is left");
    let tried: BTreeSet<String> = target.calls().into_iter().map(|call| call.body).collect();
    assert_eq!(tried.len(), PAYMENTS, "each was tried");
    let accepted = accepted.lock().unwrap();
    assert_eq!((accepted.len(), accepted.values().max()), (PAYMENTS - 200, Some(&1)), "each is accepted once");

    // The audit log: who did what to how many, and why.
    let audited = day.audited_runs();
    let expected = [
        ("ann", "the stock is back", "orders-dead", done["retried"].clone(), json!(0)),
        ("ben", "the bank is said to be back", "payments-dead", first["retried"].clone(), first["failed"].clone()),
        ("ben", "what failed", "payments-dead", second["retried"].clone(), json!(200)),
    ];
    assert_eq!(audited.len(), expected.len(), "{audited:?}");
    for ((actor, reason, targets), (user, why, queue, changed, failed)) in audited.iter().zip(expected) {
        assert_eq!((actor.as_str(), reason.as_str(), targets["queue"].as_str()), (user, why, queue));
        assert_eq!((&targets["changed"], &targets["failed"]), (&changed.to_string(), &failed.to_string()));
    }
    let denied = day.secured.objects(&["audit", "list", "--action", "letters.plan"]);
    let denied: Vec<&Value> = denied.iter().filter(|act| act["code"] == 403).map(|act| &act["username"]).collect();
    assert_eq!(denied, [&json!("eve"), &json!("ben")]);
    let verified = day.secured.objects(&["audit", "verify"]).remove(0);
    assert_eq!(verified["broken"], json!([]), "{verified}");
}

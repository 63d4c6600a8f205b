//! Letters that a server retries: an HTTP target, a worker, back to the queue that they came from.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bed::{Bed, command, folder};
use crate::outcome;

/// A server with these targets, in memory.
pub(crate) fn serve(name: &str, dlq: &str) -> Bed {
    let folder = folder(name);
    std::fs::write(folder.join("redrive.toml"), dlq).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.current_dir(&folder);
    Bed::start(serve)
}

/// A call of the API; the status and the answer.
pub(crate) fn call(bed: &Bed, path: &str, body: &Value) -> (u16, Value) {
    post(&bed.address, path, body)
}

/// A call of whatever listens there.
pub(crate) fn post(address: &str, path: &str, body: &Value) -> (u16, Value) {
    let mut stream = TcpStream::connect(address).unwrap();
    let body = body.to_string();
    let head = format!(
        "POST /v1/{path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), serde_json::from_str(body).unwrap())
}

pub(crate) fn ok(bed: &Bed, path: &str, body: &Value) -> Value {
    let (status, answer) = call(bed, path, body);
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}

fn capture(bed: &Bed, queue: &str, policy: &str) -> Value {
    let letter = json!({ "source_id": "s-1", "utf8": "order 17", "retry_policy": policy,
        "fault": { "error": "timed out" }, "metadata": { "reply": "done" } });
    ok(bed, "letters.capture", &json!({ "queue_name": queue, "letters": [letter] }))["letters"][0]["id"].clone()
}

fn status(bed: &Bed, queue: &str, id: &Value) -> String {
    let letter = ok(bed, "letters.get", &json!({ "queue_name": queue, "id": id }));
    letter["letter"]["status"].as_str().unwrap().to_owned()
}

/// Asks until it is so; by the real clock, since another process decides when.
#[expect(clippy::disallowed_methods, reason = "a process of its own has its own time")]
pub(crate) fn until(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(30), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Answers one request after the other with these statuses; what came, as it came.
pub(crate) fn target(statuses: &'static [u16]) -> (String, mpsc::Receiver<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/orders", listener.local_addr().unwrap());
    let (told, seen) = mpsc::sync_channel(16);
    std::thread::spawn(move || {
        for status in statuses {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            let length =
                head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            reader.read_exact(&mut body).unwrap();
            let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
            told.send((head, String::from_utf8(body).unwrap())).unwrap();
        }
    });
    (url, seen)
}

#[test]
fn letters_are_retried_at_an_http_target_until_it_takes_them() {
    let (url, seen) = target(&[503, 500, 200]);
    let delays = "custom_backoff = \"list 0s\"";
    let target = format!("targets = [{{ queue = \"dead\", http = \"{url}\" }}]");
    let mut bed = serve("retries-http", &format!("[dlq]\n{delays}\n{target}\n"));
    let id = capture(&bed, "dead", "custom");
    until("a completed letter", || status(&bed, "dead", &id) == "completed");
    let seen: Vec<(String, String)> = seen.iter().take(3).collect();
    assert!(seen.iter().all(|(_, body)| body == "order 17"));
    let key =
        |head: &str| head.lines().find(|line| line.to_lowercase().starts_with("idempotency-key:")).unwrap().to_owned();
    assert_eq!(key(&seen[0].0), key(&seen[2].0), "the same work has the same key");
    let letter = ok(&bed, "letters.get", &json!({ "queue_name": "dead", "id": id }));
    let attempts = letter["attempts"].as_array().unwrap();
    let outcomes: Vec<&Value> = attempts.iter().map(|attempt| &attempt["attempt"]["outcome"]).collect();
    assert_eq!(outcomes, ["failure", "failure", "failure", "success"]);
    assert_eq!((&letter["letter"]["retry_count"], &letter["letter"]["total_attempts"]), (&json!(2), &json!(4)));
    assert_eq!(bed.stop(), Some(0));
}

#[test]
fn a_retry_by_hand_against_an_open_breaker_is_refused_unless_it_is_forced() {
    let (url, _seen) = target(&[503, 200]);
    let breaker = "breaker_threshold = 1\nbreaker_open_seconds = 3600";
    let targets = format!("targets = [{{ queue = \"dead\", http = \"{url}\" }}]");
    let bed = serve("retries-breaker", &format!("[dlq]\n{breaker}\n{targets}\n"));
    let id = capture(&bed, "dead", "immediate");
    let process = || ok(&bed, "letters.process", &json!({ "queue_name": "dead" }));
    until("an open breaker", || process()["held"].is_array());
    until("the failure on record", || status(&bed, "dead", &id) == "pending");
    let (code, refused) = call(&bed, "letters.retry", &json!({ "queue_name": "dead", "id": id }));
    assert_eq!((code, &refused["details"]["reason"]), (409, &json!("breaker_open")));
    let refused = bed.run(&["letters", "retry", "dead", "s-1"]);
    assert_eq!(refused.code, 4);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    bed.done(&["letters", "retry", "dead", "s-1", "--force"]);
    assert_eq!(status(&bed, "dead", &id), "completed");
}

#[test]
fn a_letter_that_is_captured_and_one_that_is_exhausted_are_in_the_log_without_what_they_carry() {
    let (url, _seen) = target(&[503]);
    let folder = folder("retries-log");
    let targets = format!("targets = [{{ queue = \"dead\", http = \"{url}\" }}]");
    std::fs::write(folder.join("redrive.toml"), format!("[dlq]\ndefault_max_retries = 1\n{targets}\n")).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--set", "log.format=json"]);
    serve.current_dir(&folder);
    let log = folder.join("log");
    let mut bed = Bed::logging(serve, std::fs::File::create(&log).unwrap().into());
    let id = capture(&bed, "dead", "immediate");
    until("an exhausted letter", || status(&bed, "dead", &id) == "exhausted");
    assert_eq!(bed.stop(), Some(0));
    let log = std::fs::read_to_string(&log).unwrap();
    let events = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told: Vec<Value> =
        events.map(|event| event["fields"].clone()).filter(|fields| fields["letter"] == id).collect();
    let expected = |message: &str, category: &str| json!({ "message": message, "letter": id, "queue": "dead", "category": category });
    let captured = expected("a letter was captured", "network");
    assert_eq!(told, [captured, expected("a letter became exhausted", "transient")]);
    assert!(!log.contains("order 17") && !log.contains("timed out"), "{log}");
}

#[test]
fn a_letter_is_retried_by_hand_and_goes_back_to_its_queue() {
    let bed = serve("retries-origin", "dlq_targets = [{ queue = \"dead\", origin = true }]\n");
    bed.done(&["queue", "create", "orders", "--dead-queue", "dead"]);
    bed.done(&["produce", "orders", "order 17"]);
    let leased = bed.objects(&["lease", "orders"]);
    bed.done(&["retry", "orders", leased[0]["id"].as_str().unwrap(), "--dead"]);
    let list = ok(&bed, "letters.list", &json!({ "queue_name": "dead" }));
    let id = &list["letters"][0]["id"];
    assert_eq!(list["letters"][0]["retry_policy"], "never", "nothing retries it by itself");
    let retried = ok(&bed, "letters.retry", &json!({ "queue_name": "dead", "id": id }));
    assert_eq!((&retried["success"], &retried["message"]), (&json!(true), &json!("Task successfully retried")));
    assert_eq!(
        (&retried["letter"]["status"], &retried["attempt"]["actor"]),
        (&json!("completed"), &json!("anonymous"))
    );
    assert_eq!(bed.objects(&["items", "list", "orders"]).len(), 1);
    let (status, again) = call(&bed, "letters.retry", &json!({ "queue_name": "dead", "id": id }));
    assert_eq!((status, &again["details"]["reason"]), (409, &json!("conflict")));
}

#[test]
fn letters_are_retried_by_worker_processes() {
    let worker = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/worker.py");
    let targets = format!("[{{ queue = \"dead\", worker = [\"python3\", \"{}\"], processes = 2 }}]", worker.display());
    let mut bed = serve("retries-worker", &format!("[dlq]\ntargets = {targets}\n"));
    let id = capture(&bed, "dead", "immediate");
    until("an outcome", || status(&bed, "dead", &id) != "pending" && status(&bed, "dead", &id) != "retrying");
    assert_eq!(bed.stop(), Some(0), "no worker holds it");
}

#[test]
fn retries_are_stopped_looked_at_and_started() {
    let (url, seen) = target(&[200]);
    let bed = serve("retries-process", &format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"));
    let process = |action: &str| ok(&bed, "letters.process", &json!({ "queue_name": "dead", "action": action }));
    assert_eq!(process("")["state"], "running");
    assert_eq!(process("pause")["state"], "paused");
    assert_eq!(process("resume")["state"], "running");
    let stopped = process("stop");
    assert_eq!((&stopped["state"], &stopped["report"]), (&json!("stopped"), &json!({})));
    let id = capture(&bed, "dead", "immediate");
    assert_eq!(status(&bed, "dead", &id), "pending");
    assert_eq!(process("start")["state"], "running");
    until("a completed letter", || status(&bed, "dead", &id) == "completed");
    assert_eq!(seen.recv().unwrap().1, "order 17");
    let (code, twice) = call(&bed, "letters.process", &json!({ "queue_name": "dead", "action": "start" }));
    assert_eq!((code, &twice["details"]["reason"]), (409, &json!("conflict")));
    let wrong = [("dead", "dance", 400), ("other", "start", 404)];
    for (queue, action, expected) in wrong {
        assert_eq!(call(&bed, "letters.process", &json!({ "queue_name": queue, "action": action })).0, expected);
    }
}

#[test]
fn a_processor_that_is_switched_off_retries_by_hand_alone() {
    let (url, _seen) = target(&[200]);
    let dlq =
        format!("dlq_retry_processor_enabled = false\ndlq_targets = [{{ queue = \"dead\", http = \"{url}\" }}]\n");
    let bed = serve("retries-off", &dlq);
    let look = ok(&bed, "letters.process", &json!({ "queue_name": "dead" }));
    assert_eq!(look["state"], "stopped");
    let id = capture(&bed, "dead", "immediate");
    assert_eq!(ok(&bed, "letters.retry", &json!({ "queue_name": "dead", "id": id }))["success"], json!(true));
}

#[test]
fn the_servers_own_delays_hold_where_a_queue_has_none() {
    let bed = serve("custom-backoff", "dlq_custom_backoff = \"list 5m\"\ndlq_default_retry_policy = \"custom\"\n");
    bed.done(&["queue", "create", "dead"]);
    let letter = json!({ "source_id": "a", "utf8": "x", "fault": { "error": "boom" } });
    let captured = ok(&bed, "letters.capture", &json!({ "queue_name": "dead", "letters": [letter] }));
    assert_eq!(captured["letters"][0]["retry_policy"], "custom");
    let told = ok(&bed, "letters.configure", &json!({ "queue_name": "dead" }));
    let found = told["settings"].as_array().unwrap().iter().find(|setting| setting["name"] == "custom_backoff");
    assert_eq!(found.unwrap(), &json!({ "name": "custom_backoff", "value": "list 5m", "source": "file" }));
}

#[test]
fn settings_that_make_no_sense_stop_the_start_and_say_what_is_allowed() {
    for (dlq, said) in [
        ("dlq_max_parallel = 0", "dlq.max_parallel is 0; allowed: 1 to 1024"),
        ("[dlq]\nlease_seconds = 4", "dlq.lease_seconds is 4; allowed: 5 to 3600"),
        ("dlq_default_retry_policy = \"custom\"", "set dlq.custom_backoff, too"),
        ("dlq_custom_backoff = \"sometimes\"", "list 1s 5s 1m"),
        ("dlq_lease_seconds = 9\n[dlq]\nlease_seconds = 8", "are both set, and differ"),
        ("dlq_max_paralel = 3", "did you mean 'dlq.max_parallel'?"),
        ("dlq_targets = [{ queue = \"dead\" }]", "needs one of http, grpc, worker or origin = true"),
        ("dlq_targets = [{ queue = \"dead\", http = \"ftp://x\" }]", "an http or https url"),
        ("dlq_targets = [{ queue = \"dead\", grpc = \"http://127.0.0.1:1\" }]", "has no method"),
        ("dlq_targets = [{ queue = \"de~ad\", origin = true }]", "cannot be the name of a queue"),
        ("dlq_targets = [{ queue = \"dead\", worker = [\"./no-such-program\"] }]", "cannot be used"),
    ] {
        let folder = folder("retries-wrong");
        std::fs::write(folder.join("redrive.toml"), dlq).unwrap();
        let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
        serve.current_dir(&folder);
        let ran = crate::outcome(serve.spawn().unwrap());
        assert_ne!(ran.code, 0, "{dlq}");
        assert!(ran.stderr.contains(said), "{dlq}: {}", ran.stderr);
    }
}

/// What `serve` and `config check` say of these targets, with a store on disk; neither leaves a queue behind.
fn refusals(name: &str, targets: &str) -> [String; 2] {
    let folder = folder(name);
    std::fs::write(folder.join("redrive.toml"), format!("[dlq]\ntargets = [{targets}]\n")).unwrap();
    let said = [&["serve", "--listen", "127.0.0.1:0"][..], &["config", "check", "redrive.toml"]].map(|arguments| {
        let ran = outcome(command(arguments).current_dir(&folder).spawn().unwrap());
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{arguments:?}: {}", ran.stderr);
        ran.stderr
    });
    std::fs::remove_file(folder.join("redrive.toml")).unwrap();
    let mut serve = command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.current_dir(&folder);
    assert_eq!(Bed::start(serve).objects(&["queue", "list"]), [Value::Null; 0], "{targets}");
    said
}

#[test]
fn a_target_that_cannot_be_used_is_told_by_a_check_too() {
    let fine = "{ queue = 'a', http = 'http://127.0.0.1:9' }";
    let cases = [
        ("{ queue = 'b', http = 'ftp://127.0.0.1' }", "the target of 'b' cannot be used"),
        ("{ queue = 'b', grpc = 'http://127.0.0.1:9', method = 'Do' }", "the target of 'b' cannot be used"),
        ("{ queue = 'b', worker = ['cat'], processes = 0 }", "the target of 'b' cannot be used"),
        ("{ queue = 'b' }", "'b' needs one of http, grpc, worker or origin"),
        ("{ queue = 'a', origin = true }", "'a' has two targets"),
    ];
    for (target, expected) in cases {
        for said in refusals("retries-refused", &format!("{fine}, {target}")) {
            assert!(said.contains(expected), "{target}: {said}");
        }
    }
}

#[test]
fn a_worker_that_cannot_be_started_leaves_no_queue_behind() {
    let folder = folder("retries-no-worker");
    let targets = "{ queue = 'a', origin = true }, { queue = 'b', worker = ['./missing'] }";
    std::fs::write(folder.join("redrive.toml"), format!("[dlq]\ntargets = [{targets}]\n")).unwrap();
    let serve = || {
        let mut serve = command(&["serve", "--listen", "127.0.0.1:0"]);
        serve.current_dir(&folder);
        serve
    };
    let ran = outcome(serve().spawn().unwrap());
    assert!(ran.code == 1 && ran.stderr.contains("the target of 'b' cannot be used"), "{}", ran.stderr);
    std::fs::remove_file(folder.join("redrive.toml")).unwrap();
    assert_eq!(Bed::start(serve()).objects(&["queue", "list"]), [Value::Null; 0]);
}

#[test]
fn a_server_that_is_told_to_stop_while_it_waits_for_a_worker_leaves_none_behind() {
    let folder = folder("retries-silent-worker");
    let pid = folder.join("pid");
    let targets = "{ queue = 'a', worker = ['sh', '-c', 'echo $$ > pid.new; mv pid.new pid; exec sleep 600'] }";
    std::fs::write(folder.join("redrive.toml"), format!("[dlq]\ntargets = [{targets}]\n")).unwrap();
    let mut server = command(&["serve", "--listen", "127.0.0.1:0"]).current_dir(&folder).spawn().unwrap();
    until("a worker", || pid.exists());
    let worker = std::fs::read_to_string(&pid).unwrap().trim().parse().unwrap();
    let worker = rustix::process::Pid::from_raw(worker).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_child(&server), rustix::process::Signal::TERM).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));
    until("the end of the worker", || rustix::process::test_kill_process(worker).is_err());
}

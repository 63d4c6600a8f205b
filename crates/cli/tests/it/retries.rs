//! Automatic and manual retries: at an HTTP target, by a worker, into the queue of origin.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::identity::SecuredServer;
use crate::outcome;
use crate::test_server::{TestServer, command, folder, folder_with};

/// A server in memory, with this configuration.
pub(crate) fn serve(name: &str, dlq: &str) -> TestServer {
    let serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    TestServer::start_in(folder_with(name, dlq), serve)
}

/// Calls the API; returns the status and the body of the response.
pub(crate) fn call(server: &TestServer, path: &str, body: &Value) -> (u16, Value) {
    post(&server.address, path, body)
}

/// Sends a POST request to an address.
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

pub(crate) fn ok(server: &TestServer, path: &str, body: &Value) -> Value {
    let (status, answer) = call(server, path, body);
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}

fn capture(server: &TestServer, queue: &str, policy: &str) -> Value {
    let letter = json!({ "source_id": "s-1", "utf8": "order 17", "retry_policy": policy,
        "fault": { "error": "timed out" }, "metadata": { "reply": "done" } });
    ok(server, "letters.capture", &json!({ "queue_name": queue, "letters": [letter] }))["letters"][0]["id"].clone()
}

fn status(server: &TestServer, queue: &str, id: &Value) -> String {
    let letter = ok(server, "letters.get", &json!({ "queue_name": queue, "id": id }));
    letter["letter"]["status"].as_str().unwrap().to_owned()
}

/// Polls until the condition holds, by the real clock: the server is another process.
#[expect(clippy::disallowed_methods, reason = "another process has its own clock")]
pub(crate) fn until(what: &str, is_true: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_true() {
        assert!(begin.elapsed() < Duration::from_secs(30), "timed out waiting for: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A target that answers its requests with these statuses, in order. Sends head and body of each request to the receiver.
pub(crate) fn target(statuses: &'static [u16]) -> (String, mpsc::Receiver<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/orders", listener.local_addr().unwrap());
    let (tx, rx) = mpsc::sync_channel(16);
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
            tx.send((head, String::from_utf8(body).unwrap())).unwrap();
        }
    });
    (url, rx)
}

#[test]
fn letters_are_retried_at_an_http_target_until_it_succeeds() {
    let (url, seen) = target(&[503, 500, 200]);
    let delays = "custom_backoff = \"list 0s\"";
    let target = format!("targets = [{{ queue = \"dead\", http = \"{url}\" }}]");
    let mut server = serve("retries-http", &format!("[dlq]\n{delays}\n{target}\n"));
    let id = capture(&server, "dead", "custom");
    until("a completed letter", || status(&server, "dead", &id) == "completed");
    let seen: Vec<(String, String)> = seen.iter().take(3).collect();
    assert!(seen.iter().all(|(_, body)| body == "order 17"));
    let key =
        |head: &str| head.lines().find(|line| line.to_lowercase().starts_with("idempotency-key:")).unwrap().to_owned();
    assert_eq!(key(&seen[0].0), key(&seen[2].0), "all attempts have the same idempotency key");
    let letter = ok(&server, "letters.get", &json!({ "queue_name": "dead", "id": id }));
    let attempts = letter["attempts"].as_array().unwrap();
    let outcomes: Vec<&Value> = attempts.iter().map(|attempt| &attempt["attempt"]["outcome"]).collect();
    assert_eq!(outcomes, ["failure", "failure", "failure", "success"]);
    assert_eq!((&letter["letter"]["retry_count"], &letter["letter"]["total_attempts"]), (&json!(2), &json!(4)));
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_manual_retry_against_an_open_breaker_is_rejected_unless_forced() {
    let (url, _seen) = target(&[503, 200]);
    let breaker = "breaker_threshold = 1\nbreaker_open_seconds = 3600";
    let targets = format!("targets = [{{ queue = \"dead\", http = \"{url}\" }}]");
    let server = serve("retries-breaker", &format!("[dlq]\n{breaker}\n{targets}\n"));
    let id = capture(&server, "dead", "immediate");
    let process = || ok(&server, "letters.process", &json!({ "queue_name": "dead" }));
    until("an open breaker", || process()["held"].is_array());
    until("the failure is recorded", || status(&server, "dead", &id) == "pending");
    let (code, rejected) = call(&server, "letters.retry", &json!({ "queue_name": "dead", "id": id }));
    assert_eq!((code, &rejected["details"]["reason"]), (409, &json!("breaker_open")));
    server.run(&["letters", "retry", "dead", "s-1"]).fails(4, "--force");
    server.run_ok(&["letters", "retry", "dead", "s-1", "--force"]);
    assert_eq!(status(&server, "dead", &id), "completed");
}

#[test]
fn captured_and_exhausted_letters_are_logged_without_their_content() {
    let (url, _seen) = target(&[503]);
    let folder = folder("retries-log");
    let targets = format!("targets = [{{ queue = \"dead\", http = \"{url}\" }}]");
    std::fs::write(folder.path().join("redrive.toml"), format!("[dlq]\ndefault_max_retries = 1\n{targets}\n")).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--set", "log.format=json"]);
    serve.current_dir(folder.path());
    let log = folder.path().join("log");
    let mut server = TestServer::logging(serve, std::fs::File::create(&log).unwrap().into());
    let id = capture(&server, "dead", "immediate");
    until("an exhausted letter", || status(&server, "dead", &id) == "exhausted");
    assert_eq!(server.stop(), Some(0));
    let log = std::fs::read_to_string(&log).unwrap();
    let events = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let logged: Vec<Value> =
        events.map(|event| event["fields"].clone()).filter(|fields| fields["letter"] == id).collect();
    let expected = |message: &str, category: &str| json!({ "message": message, "letter": id, "queue": "dead", "category": category });
    let captured = expected("a letter was captured", "network");
    assert_eq!(logged, [captured, expected("a letter became exhausted", "transient")]);
    assert!(!log.contains("order 17") && !log.contains("timed out"), "{log}");
}

#[test]
fn a_manual_retry_returns_a_letter_to_its_queue() {
    let server = serve("retries-origin", "dlq_targets = [{ queue = \"dead\", origin = true }]\n");
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead"]);
    server.run_ok(&["produce", "orders", "order 17"]);
    let leased = server.objects(&["lease", "orders"]);
    server.run_ok(&["retry", "orders", leased[0]["id"].as_str().unwrap(), "--dead"]);
    let list = ok(&server, "letters.list", &json!({ "queue_name": "dead" }));
    let id = &list["letters"][0]["id"];
    assert_eq!(list["letters"][0]["retry_policy"], "never", "it is not retried automatically");
    let retried = ok(&server, "letters.retry", &json!({ "queue_name": "dead", "id": id }));
    assert_eq!((&retried["success"], &retried["message"]), (&json!(true), &json!("Task handed back to 'orders'")));
    assert_eq!(
        (&retried["letter"]["status"], &retried["attempt"]["actor"]),
        (&json!("completed"), &json!("anonymous"))
    );
    assert_eq!(server.objects(&["items", "list", "orders"]).len(), 1);
    let (status, again) = call(&server, "letters.retry", &json!({ "queue_name": "dead", "id": id }));
    assert_eq!((status, &again["details"]["reason"]), (409, &json!("conflict")));
}

#[test]
fn letters_are_retried_by_worker_processes() {
    let worker = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/worker.py");
    let targets = format!("[{{ queue = \"dead\", worker = [\"python3\", \"{}\"], processes = 2 }}]", worker.display());
    let mut server = serve("retries-worker", &format!("[dlq]\ntargets = {targets}\n"));
    let id = capture(&server, "dead", "immediate");
    until("an outcome", || status(&server, "dead", &id) != "pending" && status(&server, "dead", &id) != "retrying");
    assert_eq!(server.stop(), Some(0), "the workers do not delay the stop");
}

#[test]
fn the_retries_of_a_queue_are_paused_stopped_and_started() {
    let (url, seen) = target(&[200]);
    let server = serve("retries-process", &format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"));
    let process = |action: &str| ok(&server, "letters.process", &json!({ "queue_name": "dead", "action": action }));
    assert_eq!(process("")["state"], "running");
    assert_eq!(process("pause")["state"], "paused");
    assert_eq!(process("resume")["state"], "running");
    let stopped = process("stop");
    assert_eq!((&stopped["state"], &stopped["report"]), (&json!("stopped"), &json!({})));
    let id = capture(&server, "dead", "immediate");
    assert_eq!(status(&server, "dead", &id), "pending");
    assert_eq!(process("start")["state"], "running");
    until("a completed letter", || status(&server, "dead", &id) == "completed");
    assert_eq!(seen.recv().unwrap().1, "order 17");
    let (code, twice) = call(&server, "letters.process", &json!({ "queue_name": "dead", "action": "start" }));
    assert_eq!((code, &twice["details"]["reason"]), (409, &json!("conflict")));
    let wrong = [("dead", "dance", 400), ("other", "start", 404)];
    for (queue, action, expected) in wrong {
        assert_eq!(call(&server, "letters.process", &json!({ "queue_name": queue, "action": action })).0, expected);
    }
}

#[test]
fn a_disabled_processor_allows_manual_retries() {
    let (url, _seen) = target(&[200]);
    let dlq =
        format!("dlq_retry_processor_enabled = false\ndlq_targets = [{{ queue = \"dead\", http = \"{url}\" }}]\n");
    let server = serve("retries-off", &dlq);
    let process = ok(&server, "letters.process", &json!({ "queue_name": "dead" }));
    assert_eq!(process["state"], "stopped");
    let id = capture(&server, "dead", "immediate");
    assert_eq!(ok(&server, "letters.retry", &json!({ "queue_name": "dead", "id": id }))["success"], json!(true));
}

#[test]
fn the_custom_backoff_of_the_server_applies_to_queues_without_one() {
    let server = serve("custom-backoff", "dlq_custom_backoff = \"list 5m\"\ndlq_default_retry_policy = \"custom\"\n");
    server.run_ok(&["queue", "create", "dead"]);
    let letter = json!({ "source_id": "a", "utf8": "x", "fault": { "error": "boom" } });
    let captured = ok(&server, "letters.capture", &json!({ "queue_name": "dead", "letters": [letter] }));
    assert_eq!(captured["letters"][0]["retry_policy"], "custom");
    let configured = ok(&server, "letters.configure", &json!({ "queue_name": "dead" }));
    let found = configured["settings"].as_array().unwrap().iter().find(|setting| setting["name"] == "custom_backoff");
    let found = found.unwrap();
    assert_eq!((&found["value"], &found["source"]), (&json!("list 5m"), &json!("file")));
}

#[test]
fn invalid_settings_prevent_the_start_and_are_reported_with_the_allowed_values() {
    for (dlq, expected) in [
        ("dlq_max_parallel = 0", "dlq.max_parallel is 0; allowed: 1 to 1024"),
        ("[dlq]\nlease_seconds = 4", "dlq.lease_seconds is 4; allowed: 5 to 3600"),
        ("dlq_default_retry_policy = \"custom\"", "which needs dlq.custom_backoff"),
        ("dlq_custom_backoff = \"sometimes\"", "list 1s 5s 1m"),
        ("dlq_lease_seconds = 9\n[dlq]\nlease_seconds = 8", "are both set and differ"),
        ("dlq_max_paralel = 3", "did you mean 'dlq.max_parallel'?"),
        ("dlq_targets = [{ queue = \"dead\" }]", "needs exactly one of http, grpc, worker or origin = true"),
        ("dlq_targets = [{ queue = \"dead\", http = \"ftp://x\" }]", "an http or https url"),
        ("dlq_targets = [{ queue = \"dead\", grpc = \"http://127.0.0.1:1\" }]", "a grpc target needs a method"),
        ("dlq_targets = [{ queue = \"de~ad\", origin = true }]", "is not a valid queue name"),
        ("dlq_targets = [{ queue = \"dead\", worker = [\"./no-such-program\"] }]", "is invalid"),
    ] {
        let folder = folder_with("retries-wrong", dlq);
        let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
        serve.current_dir(folder.path());
        let ran = crate::outcome(serve.spawn().unwrap());
        assert_ne!(ran.code, 0, "{dlq}");
        assert!(ran.stderr.contains(expected), "{dlq}: {}", ran.stderr);
    }
}

/// The errors of `serve` and `config check` about these targets, with a store on disk. Neither creates a queue.
fn errors(name: &str, targets: &str) -> [String; 2] {
    let folder = folder_with(name, &format!("[dlq]\ntargets = [{targets}]\n"));
    let errors = [&["serve", "--listen", "127.0.0.1:0"][..], &["config", "check", "redrive.toml"]].map(|arguments| {
        let ran = outcome(command(arguments).current_dir(folder.path()).spawn().unwrap());
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{arguments:?}: {}", ran.stderr);
        ran.stderr
    });
    std::fs::remove_file(folder.path().join("redrive.toml")).unwrap();
    let mut serve = command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.current_dir(folder.path());
    assert_eq!(TestServer::start(serve).objects(&["queue", "list"]), [Value::Null; 0], "{targets}");
    errors
}

#[test]
fn an_invalid_target_is_rejected_by_the_check_and_at_the_start() {
    let valid = "{ queue = 'a', http = 'http://127.0.0.1:9' }";
    let cases = [
        ("{ queue = 'b', http = 'ftp://127.0.0.1' }", "the target of 'b' is invalid"),
        ("{ queue = 'b', grpc = 'http://127.0.0.1:9', method = 'Do' }", "the target of 'b' is invalid"),
        ("{ queue = 'b', worker = ['cat'], processes = 0 }", "the target of 'b' is invalid"),
        ("{ queue = 'b' }", "the target of 'b' is invalid: a target needs exactly one of http, grpc, worker or origin"),
        ("{ queue = 'a', origin = true }", "'a' has two targets"),
    ];
    for (target, expected) in cases {
        for error in errors("retries-invalid", &format!("{valid}, {target}")) {
            assert!(error.contains(expected), "{target}: {error}");
        }
    }
}

#[test]
fn a_worker_that_cannot_be_started_leaves_no_queue_behind() {
    let folder = folder("retries-no-worker");
    let targets = "{ queue = 'a', origin = true }, { queue = 'b', worker = ['./missing'] }";
    std::fs::write(folder.path().join("redrive.toml"), format!("[dlq]\ntargets = [{targets}]\n")).unwrap();
    let serve = || {
        let mut serve = command(&["serve", "--listen", "127.0.0.1:0"]);
        serve.current_dir(folder.path());
        serve
    };
    outcome(serve().spawn().unwrap()).fails(1, "the target of 'b' is invalid");
    std::fs::remove_file(folder.path().join("redrive.toml")).unwrap();
    assert_eq!(TestServer::start(serve()).objects(&["queue", "list"]), [Value::Null; 0]);
}

#[test]
fn a_server_that_is_stopped_while_a_worker_starts_leaves_no_worker_behind() {
    let folder = folder("retries-silent-worker");
    let pid = folder.path().join("pid");
    let targets = "{ queue = 'a', worker = ['sh', '-c', 'echo $$ > pid.new; mv pid.new pid; exec sleep 600'] }";
    std::fs::write(folder.path().join("redrive.toml"), format!("[dlq]\ntargets = [{targets}]\n")).unwrap();
    let mut server = command(&["serve", "--listen", "127.0.0.1:0"]).current_dir(folder.path()).spawn().unwrap();
    until("a worker", || pid.exists());
    let worker = std::fs::read_to_string(&pid).unwrap().trim().parse().unwrap();
    let worker = rustix::process::Pid::from_raw(worker).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_child(&server), rustix::process::Signal::TERM).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));
    until("the end of the worker", || rustix::process::test_kill_process(worker).is_err());
}

/// An item that died with a reported failure, as a letter of `dead`.
fn dead_item(server: &TestServer, status: &str) -> Value {
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead"]);
    server.run_ok(&["produce", "orders", "order 17"]);
    let leased = server.objects(&["lease", "orders"]);
    server.run_ok(&["retry", "orders", leased[0]["id"].as_str().unwrap(), "--dead", "--http", status]);
    ok(server, "letters.list", &json!({ "queue_name": "dead" }))["letters"][0].clone()
}

#[test]
fn an_item_that_died_is_retried_by_its_category_if_its_dead_queue_has_a_target() {
    let target = "targets = [{ queue = \"dead\", http = \"http://127.0.0.1:9/\" }]\nretry_processor_enabled = false";
    for (name, dlq, status, policy, source) in [
        ("moved-transient", target.to_owned(), "503", "exponential", "derived"),
        ("moved-invalid", target.to_owned(), "422", "never", "derived"),
        ("moved-never", format!("{target}\nmoved_retry_policy = \"never\""), "503", "never", "default"),
        ("moved-linear", format!("{target}\nmoved_retry_policy = \"linear\""), "503", "linear", "default"),
        ("moved-nowhere", "targets = []".to_owned(), "503", "never", "default"),
        ("moved-by-category", "moved_retry_policy = \"category\"".to_owned(), "503", "exponential", "derived"),
    ] {
        let server = serve(name, &format!("[dlq]\n{dlq}\n"));
        // A target creates its queue.
        if !server.run(&["queue", "info", "dead"]).code.eq(&0) {
            server.run_ok(&["queue", "create", "dead"]);
        }
        let letter = dead_item(&server, status);
        assert_eq!((&letter["retry_policy"], &letter["policy_source"]), (&json!(policy), &json!(source)), "{name}");
        let is_scheduled = policy != "never" && dlq.contains("127.0.0.1");
        assert_eq!(letter["next_retry_at"].is_string(), is_scheduled, "{name}: {letter}");
    }
}

#[test]
fn a_queue_may_override_how_the_server_retries_items_that_died() {
    let target = "targets = [{ queue = \"dead\", http = \"http://127.0.0.1:9/\" }]\nretry_processor_enabled = false";
    let server = serve("moved-override", &format!("[dlq]\nmoved_max_retries = 7\n{target}\n"));
    server.run_ok(&["letters", "configure", "dead", "moved_retry_policy=immediate"]);
    let letter = dead_item(&server, "503");
    assert_eq!((&letter["retry_policy"], &letter["max_retries"]), (&json!("immediate"), &json!(7)));
    let settings = server.objects(&["letters", "configure", "dead"]);
    let shown = |name: &str| {
        let setting = settings.iter().find(|setting| setting["name"] == name).unwrap();
        (setting["value"].as_str().unwrap(), setting["source"].as_str().unwrap())
    };
    assert_eq!((shown("moved_retry_policy"), shown("moved_max_retries")), (("immediate", "queue"), ("7", "file")));
}

/// The breaker opens after the first failure; however many probes fail afterwards, the letter keeps its second retry.
#[test]
fn an_outage_exhausts_no_letter() {
    let (url, seen) = target(&[503, 503, 503, 503, 503, 200]);
    let breaker = "breaker_threshold = 1\nbreaker_open_seconds = 1\ncustom_backoff = \"list 0s\"";
    let targets = format!("targets = [{{ queue = \"dead\", http = \"{url}\" }}]");
    let server = serve("retries-outage", &format!("[dlq]\ndefault_max_retries = 2\n{breaker}\n{targets}\n"));
    let id = capture(&server, "dead", "custom");
    until("a completed letter", || status(&server, "dead", &id) == "completed");
    assert_eq!(seen.iter().take(6).count(), 6);
    let letter = ok(&server, "letters.get", &json!({ "queue_name": "dead", "id": id }));
    assert_eq!((&letter["letter"]["retry_count"], &letter["letter"]["total_attempts"]), (&json!(1), &json!(3)));
    let attempts = letter["attempts"].as_array().unwrap();
    let outcomes: Vec<&Value> = attempts.iter().map(|attempt| &attempt["attempt"]["outcome"]).collect();
    assert_eq!(
        outcomes,
        ["failure", "failure", "failure", "failure", "failure", "failure", "success"],
        "each is recorded"
    );
}

#[test]
fn a_queue_of_a_target_is_created_in_its_namespace_and_missed_when_it_is_gone() {
    let entry = |target: &str| {
        format!("[dlq]\ntargets = [{{ queue = 'carts-dead', namespace = 'shop', http = '{target}' }}]\n")
    };
    let folder = folder_with("target-namespace", &entry("http://127.0.0.1:9/"));
    let log = folder.path().join("log");
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.current_dir(folder.path());
    let server = TestServer::logging(serve, std::fs::File::create(&log).unwrap().into());
    assert_eq!(server.objects(&["queue", "info", "carts-dead"])[0]["namespace"], "shop");
    let kinds = || -> Vec<Value> {
        let status = server.objects(&["status"]).remove(0);
        status["attention"].as_array().unwrap().iter().map(|entry| entry["kind"].clone()).collect()
    };
    assert_eq!(kinds(), Vec::<Value>::new());
    server.run_ok(&["queue", "delete", "carts-dead", "--yes"]);
    assert_eq!(kinds(), ["target_without_queue"]);
    let logged = |text: &str| std::fs::read_to_string(&log).unwrap().contains(text);
    let hang_up = || {
        let pid = rustix::process::Pid::from_child(&server.child);
        rustix::process::kill_process(pid, rustix::process::Signal::HUP).unwrap();
    };
    hang_up();
    until("a reload", || logged("reloaded routes"));
    assert!(!logged("dlq.targets has changed"));
    std::fs::write(folder.path().join("redrive.toml"), entry("http://127.0.0.1:10/")).unwrap();
    hang_up();
    until("a warning", || logged("dlq.targets has changed and is not applied; restart the server"));
}

#[test]
fn a_missing_queue_of_a_target_is_shown_to_those_who_may_see_the_queues_of_its_namespace() {
    let entry = "[dlq]\ntargets = [{ queue = 'carts-dead', namespace = 'shop', origin = true }]\n";
    let folder = folder_with("target-missing", entry);
    let server = TestServer::start(SecuredServer::serve(folder.path(), &["--memory"]));
    let server = SecuredServer { server, folder };
    server.ok(&["namespace", "create", "bank"]);
    for (user, namespace) in [("ann", "shop"), ("bob", "bank")] {
        server.ok(&["role", "create", "reader", "--permission", "queue.stats", "--namespace", namespace]);
        server.user(user, &[(namespace, "reader")]);
    }
    server.ok(&["queue", "delete", "carts-dead", "--yes"]);
    let next = |user: &str, more: &[&str]| -> Vec<Value> {
        let status = server.objects_as(user, &[&["status"], more].concat()).remove(0);
        status["attention"].as_array().unwrap().iter().map(|entry| entry["next"].clone()).collect()
    };
    let create = [json!("redrive queue create carts-dead --namespace shop")];
    assert_eq!(next("ann", &[]), [json!("ask for the permission queue.create")]);
    assert_eq!(next("admin", &[]), create);
    assert_eq!(next("admin", &["--namespace", "shop"]), create);
    assert_eq!(next("admin", &["--namespace", "_system"]), [] as [Value; 0]);
    assert_eq!(next("bob", &[]), [] as [Value; 0]);
}

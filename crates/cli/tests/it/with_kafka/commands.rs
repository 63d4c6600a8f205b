//! `redrive route` and `redrive consume`, as a user types them.

use std::path::Path;
use std::process::Child;

use serde_json::json;

use crate::test_server::{TestServer, command, folder, words};
use crate::{CommandOutput, outcome};

use super::fixture::{
    Answer, Broker, HttpTarget, PythonService, bodies, count, dead_letters, produce, queues, route, serve_on_disk,
    wait_until, write_worker,
};

/// A running `redrive consume`. Dropping it kills the process.
struct Consumer(Option<Child>);

impl Consumer {
    /// Starts it in a folder. Over Kafka, and without a dead queue, it needs no server.
    fn start(server: Option<&TestServer>, folder: &Path, arguments: &[&str]) -> Self {
        let mut consume = match server {
            Some(server) => server.command(arguments),
            None => command(arguments),
        };
        Self(Some(consume.current_dir(folder).spawn().unwrap()))
    }

    /// Waits until it has ended, and returns what it printed.
    fn ended(mut self) -> CommandOutput {
        outcome(self.0.take().unwrap())
    }

    /// Stops it with SIGTERM, and returns what it printed.
    fn stop(self) -> CommandOutput {
        let pid = rustix::process::Pid::from_child(self.0.as_ref().unwrap());
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.ended()
    }
}

impl Drop for Consumer {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // The process may have ended already.
            let _killed = child.kill();
            let _waited = child.wait();
        }
    }
}

fn orders(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("order {number}")).collect()
}

#[test]
fn consume_kafka_needs_no_server_and_writes_letters_to_the_dlq_topic() {
    let (broker, folder) = (Broker::shared(), folder("consume-kafka"));
    let service = PythonService::new(folder.path());
    let (topic, group) = (broker.topic("consume"), broker.name("consume"));
    broker.produce(&topic, &[orders(20), vec!["poison".to_owned()]].concat());
    let consume = format!(
        "consume kafka --bootstrap-servers {} --group {group} --topic {topic} --http {} \
         --setting dlq_create_topics=true --target-setting timeout_ms=5000",
        broker.address,
        service.url()
    );
    let consumer = Consumer::start(None, folder.path(), &words(&consume));
    let is_over = || broker.committed(&group, &topic) == 21;
    wait_until("all records", is_over, || format!("{}", broker.committed(&group, &topic)));
    let ran = consumer.stop();
    assert!(ran.code == 0 && ran.stderr.ends_with("done: 20, retried: 0, letters: 1\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("consuming"), "{}", ran.stderr);
    assert_eq!(service.calls().len(), 21);
    assert_eq!(broker.letters(&topic).len(), 1);
}

#[test]
fn consume_kafka_with_a_dead_queue_captures_letters_at_the_server() {
    let (broker, folder) = (Broker::shared(), folder("consume-dead-queue"));
    let calls = write_worker(folder.path());
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders-dead"]);
    let (topic, group) = (broker.topic("consume-dead"), broker.name("consume-dead"));
    broker.produce(&topic, &[orders(20), vec!["poison".to_owned()]].concat());
    let consume = format!(
        "consume kafka --bootstrap-servers {} --group {group} --topic ^{topic}$ --worker python3 --worker-argument -B \
         --worker-argument worker.py --dead-queue orders-dead --output json",
        broker.address
    );
    let consumer = Consumer::start(Some(&server), folder.path(), &words(&consume));
    let is_over = || broker.committed(&group, &topic) == 21;
    wait_until("all records", is_over, || format!("{}", broker.committed(&group, &topic)));
    let ran = consumer.stop();
    let printed: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    assert_eq!((ran.code, printed), (0, json!({ "done": 20, "retried": 0, "letters": 1 })), "{}", ran.stderr);
    assert_eq!(calls().len(), 21);
    assert_eq!(dead_letters(&server, "orders-dead"), ["poison"]);
}

#[test]
fn consume_queue_sends_items_and_its_letters_go_to_the_dead_queue() {
    let folder = folder("consume-queue");
    let service = PythonService::new(folder.path());
    let server = TestServer::new();
    queues(&format!("http://{}", server.address), None, &["orders"]);
    produce(&server, "orders", &[orders(20), vec!["poison".to_owned()]].concat());
    let url = service.url();
    let consumer = Consumer::start(
        Some(&server),
        folder.path(),
        &["consume", "queue", "orders", "--http", &url, "--setting", "concurrency=4"],
    );
    let is_over = || service.calls().len() == 21 && dead_letters(&server, "orders-dead") == ["poison"];
    wait_until("all items", is_over, || format!("{:?}", bodies(&service.calls())));
    let ran = consumer.stop();
    assert!(ran.code == 0 && ran.stderr.ends_with("done: 20, retried: 0, letters: 1\n"), "{}", ran.stderr);
}

#[test]
fn consume_says_in_one_sentence_why_it_does_not_start() {
    let (broker, folder) = (Broker::shared(), folder("consume-wrong"));
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "alone"]);
    let kafka = ["consume", "kafka", "--bootstrap-servers", &broker.address, "--group", "g", "--topic"];
    let url = "http://127.0.0.1:1/";
    let missing = broker.name("missing");
    let cases: [(Vec<&str>, &str); 8] = [
        ([&kafka[..], &[&missing, "--http", url]].concat(), &missing),
        ([&kafka[..], &[&missing, "--http", "nowhere"]].concat(), "nowhere"),
        ([&kafka[..], &[&missing, "--worker", "./missing"]].concat(), "no such program: './missing'"),
        ([&kafka[..], &[&missing, "--http", url, "--setting", "max_in_flight=0"]].concat(), "max_in_flight"),
        ([&kafka[..], &[&missing, "--http", url, "--target-setting", "colour=red"]].concat(), "colour"),
        ([&kafka[..], &[&missing, "--http", url, "--dead-queue", "missing"]].concat(), "no such queue named 'missing'"),
        (vec!["consume", "queue", "missing", "--http", url], "no such queue named 'missing'"),
        (vec!["consume", "queue", "alone", "--http", url], "queue 'alone' has no dead queue"),
    ];
    for (arguments, expected) in cases {
        let ran = Consumer::start(Some(&server), folder.path(), &arguments).ended();
        assert!(ran.code != 0 && ran.stdout.is_empty(), "{arguments:?}: {}", ran.stdout);
        let error = ran.stderr.lines().find(|line| line.starts_with("error: "));
        let error = error.unwrap_or_else(|| panic!("{arguments:?}: {}", ran.stderr));
        assert!(ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
        assert!(error.len() < 400, "{error}");
    }
}

#[test]
fn a_refused_login_is_told_and_the_password_of_a_file_is_not() {
    let folder = folder("consume-login");
    std::fs::write(folder.path().join("password"), "wr0ng-pa55word\n").unwrap();
    let variable = |name: &str| std::env::var(name).expect("run by cargo xtask test, which sets it");
    let (address, ca) = (variable("REDRIVE_TEST_KAFKA_SASL_SSL"), variable("REDRIVE_TEST_KAFKA_CA"));
    let consume = format!(
        "consume kafka --bootstrap-servers {address} --group g --topic t --http http://127.0.0.1:1/ \
         --property security.protocol=SASL_SSL --property sasl.mechanism=PLAIN --property sasl.username=redrive \
         --property ssl.ca.location={ca} --property-file sasl.password=password"
    );
    let ran = Consumer::start(None, folder.path(), &words(&consume)).ended();
    assert!(ran.code != 0 && ran.stderr.to_lowercase().contains("authentication"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("wr0ng-pa55word"), "{}", ran.stderr);
}

#[test]
fn a_route_is_created_changed_paused_stopped_and_deleted_on_the_command_line() {
    let (broker, folder) = (Broker::shared(), folder("route-commands"));
    let target = HttpTarget::new(|_| Answer::Status(200));
    let (topic, group) = (broker.topic("commands"), broker.name("commands"));
    let config = format!(
        "[targets.shop]\nhttp = \"{}\"\nnamespaces = [\"_system\"]\n{}namespaces = [\"_system\"]\n",
        target.url,
        broker.section()
    );
    let mut server = serve_on_disk(folder.path(), &config);
    let source = format!(
        "target = \"shop\"\n[kafka]\ncluster = \"main\"\ngroup_id = \"{group}\"\ntopics = [\"{topic}\"]\n\
         dlq_create_topics = true\n"
    );
    let file = folder.path().join("orders.toml");
    std::fs::write(&file, &source).unwrap();
    let file = file.to_str().unwrap();
    let state = |server: &TestServer| route(server, "orders")["state"].as_str().unwrap().to_owned();
    let reaches = |server: &TestServer, wanted: &str| {
        wait_until(wanted, || state(server) == wanted, || route(server, "orders").to_string());
    };
    let created = server.run(&["route", "create", "orders", "--file", file]);
    assert!(created.code == 0 && created.stderr.starts_with("created route 'orders'"), "{}", created.stderr);
    reaches(&server, "running");
    let again = server.run(&["route", "create", "orders", "--file", file]);
    assert!(again.code != 0 && again.stderr.contains("already exists"), "{}", again.stderr);
    broker.produce(&topic, &orders(10));
    wait_until("ten records", || target.count() == 10, || route(&server, "orders").to_string());

    server.run_ok(&["route", "pause", "orders", "--reason", "maintenance of the shop"]);
    reaches(&server, "paused");
    broker.produce(&topic, &orders(10));
    // What an operator wanted survives a restart, and a paused route takes nothing at its start.
    assert_eq!(server.stop(), Some(0));
    server = serve_on_disk(folder.path(), &config);
    reaches(&server, "paused");
    let shown = server.run_ok(&["route", "show", "orders"]);
    let intent = shown.lines().find_map(|line| line.strip_prefix("intent ")).map(str::trim);
    assert_eq!(intent, Some("pause"), "{shown}");
    assert_eq!(target.count(), 10, "a paused route takes nothing");
    server.run_ok(&["route", "start", "orders"]);
    wait_until("twenty records", || target.count() == 20, || route(&server, "orders").to_string());

    std::fs::write(file, format!("{source}max_in_flight = 1\n")).unwrap();
    server.run_ok(&["route", "update", "orders", "--file", file]);
    reaches(&server, "running");
    let definition = route(&server, "orders")["definition"].to_string();
    assert!(definition.contains("max_in_flight"), "{definition}");
    broker.produce(&topic, &orders(10));
    wait_until("thirty records", || target.count() == 30, || route(&server, "orders").to_string());
    assert_eq!(count(&route(&server, "orders"), "letters_total"), 0);

    server.run_ok(&["route", "stop", "orders"]);
    reaches(&server, "stopped");
    let listed = server.run_ok(&["route", "list"]);
    assert!(listed.contains("orders") && listed.contains("stopped"), "{listed}");
    server.run_ok(&["route", "delete", "orders", "--yes"]);
    assert_eq!(server.objects(&["route", "list"]), Vec::<serde_json::Value>::new());
    let gone = server.run(&["route", "show", "orders"]);
    assert!(gone.code != 0 && gone.stderr.contains("no such route named 'orders'"), "{}", gone.stderr);
    assert_eq!(server.stop(), Some(0));
    server = serve_on_disk(folder.path(), &config);
    assert_eq!(server.objects(&["route", "list"]).len(), 0, "a deleted route does not come back");
}

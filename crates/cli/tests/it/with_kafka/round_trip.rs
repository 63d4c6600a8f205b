//! Letters of DLQ topics: read into a dead queue, edited and handed back, by the commands of an operator.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::test_server::{TestServer, folder};

use super::fixture::{Broker, KafkaSource, PythonService, count, route, serve, serve_with_queue, wait_until};

const DEAD: &str = "orders-dead";

/// A cluster, a target that hands letters back to the topic, and a route that reads its DLQ topic into a dead queue.
fn dlq_sections(broker: &Broker, topic: &str, dlq: &str) -> String {
    let (cluster, group) = (broker.section(), broker.name("ingest"));
    format!(
        "{cluster}[targets.back]\norigin = true\n\
         [targets.back.kafka]\ncluster = 'main'\ntopics = ['{topic}']\ndlq_topics = ['{dlq}']\n\
         [dlq]\ntargets = [{{ queue = '{DEAD}', target = 'back' }}]\n\
         [[routes]]\nname = 'ingest'\ndead_queue = '{DEAD}'\n\
         [routes.ingest]\ncluster = 'main'\ngroup_id = '{group}'\ntopics = ['{dlq}']\n"
    )
}

/// The letters that wait for an operator.
fn pending(server: &TestServer) -> Vec<Value> {
    server.objects(&["letters", "list", DEAD, "--status", "pending"])
}

fn show(server: &TestServer, id: &str) -> Value {
    server.objects(&["letters", "show", DEAD, id]).remove(0)
}

fn id(letter: &Value) -> String {
    letter["id"].as_str().unwrap().to_owned()
}

/// The lines of `redrive letters show`, with single spaces.
fn shown_lines(server: &TestServer, id: &str) -> Vec<String> {
    let shown = server.run_ok(&["letters", "show", DEAD, id]);
    shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The letters of the dead queue by state, as `redrive letters stats` counts them, and all that were ever made.
fn letter_counts(server: &TestServer) -> Value {
    let stats = server.objects(&["letters", "stats", DEAD]).remove(0);
    let of = |status: &str| stats["status_breakdown"][status].clone();
    json!({
        "pending": of("pending"),
        "completed": of("completed"),
        "made": stats["lifetime_stats"]["enqueued_total"],
    })
}

/// The records of a topic with a service behind it.
struct Orders<'t> {
    server: &'t TestServer,
    service: &'t PythonService,
    produced: usize,
}

impl Orders<'_> {
    /// Waits until the service has accepted so many, and checks that each of the others is one pending letter.
    #[track_caller]
    fn are_delivered(&self, expected: usize) {
        let accepted = || self.service.calls().iter().filter(|call| call.body.starts_with("order")).count();
        wait_until("the service accepts", || accepted() == expected, || route(self.server, "orders").to_string());
        let letters = || pending(self.server).len();
        wait_until("the others are letters", || letters() == self.produced - expected, || format!("{}", letters()));
        assert_eq!(accepted(), expected, "no record is accepted twice");
        let status = self.server.objects(&["status"]).remove(0);
        let queue = status["queues"].as_array().unwrap().iter().find(|queue| queue["queue_name"] == DEAD).unwrap();
        assert_eq!(queue["dead"], self.produced - expected, "{status}");
    }
}

/// Topic, service, DLQ topic, ingest, edit, hand-back, service.
#[test]
fn letters_of_a_route_are_edited_and_handed_back_until_the_service_accepts_them() {
    let (broker, folder) = (Broker::shared(), folder("routes-round-trip"));
    let service = PythonService::new(folder.path());
    let (topic, group) = (broker.topic("round"), broker.name("round"));
    let config = format!(
        "[targets.shop]\nhttp = '{}'\n{}[[routes]]\nname = 'orders'\ntarget = 'shop'\n{}",
        service.url(),
        dlq_sections(&broker, &topic, &format!("{topic}.dlq")),
        KafkaSource { group: &group, topic: &topic, more: "" }.section(),
    );
    let server = serve(folder.path(), &config);
    let work: Vec<String> =
        (0..20).map(|number| format!("{} {number}", if number % 7 == 3 { "poison" } else { "order" })).collect();
    broker.produce(&topic, &work);
    let orders = Orders { server: &server, service: &service, produced: work.len() };
    orders.are_delivered(17);

    let letters = pending(&server);
    for letter in &letters {
        let lines = shown_lines(&server, &id(letter));
        let Value::Object(origin) = show(&server, &id(letter))["origin"].take() else { panic!("{lines:?}") };
        let place =
            format!("kafka, {topic}, consumer {group}, partition {}, offset {}", origin["partition"], origin["offset"]);
        assert!(lines.iter().any(|line| line.starts_with(&format!("origin {place}, at "))), "{place}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("error ") && line.contains("no such article")), "{lines:?}");
    }

    // One letter is edited, and retried later; one is edited and retried at once.
    let (first, second, third) = (id(&letters[0]), id(&letters[1]), id(&letters[2]));
    server.run_ok(&["letters", "edit", DEAD, &first, "--payload", "order, first corrected"]);
    orders.are_delivered(17);
    server.run_ok(&["letters", "retry", DEAD, &first]);
    orders.are_delivered(18);
    server.run_ok(&["letters", "edit", DEAD, &second, "--payload", "order, second corrected", "--retry"]);
    orders.are_delivered(19);

    // One is handed back as it is, and fails again: it is the same letter.
    server.run_ok(&["letters", "retry", DEAD, &third]);
    let is_back = || show(&server, &third)["origin"]["replays"] == 1;
    wait_until("the record has failed again", is_back, || show(&server, &third).to_string());
    orders.are_delivered(19);
    let lines = shown_lines(&server, &third);
    assert!(lines.iter().any(|line| line.starts_with("origin ") && line.ends_with(", replays 1")), "{lines:?}");
    let failures = show(&server, &third)["attempts"].as_array().unwrap().clone();
    let outcomes: Vec<&str> = failures.iter().map(|attempt| attempt["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["failure", "success", "failure"], "both failures, and the hand-back between them");
    assert_eq!(letter_counts(&server), json!({ "pending": 1, "completed": 2, "made": 3 }));
    server.run_ok(&["letters", "edit", DEAD, &third, "--payload", "order, third corrected", "--retry"]);
    orders.are_delivered(20);

    assert_eq!(letter_counts(&server), json!({ "pending": 0, "completed": 3, "made": 3 }));
    for letter in [&first, &second, &third] {
        assert_eq!(show(&server, letter)["status"], "completed");
    }
    let replays: BTreeMap<String, String> = broker
        .records(&topic)
        .into_iter()
        .filter_map(|record| Some((record.body, record.headers.get("redrive-replay-count")?.clone())))
        .collect();
    let replays: Vec<(&str, &str)> = replays.iter().map(|(body, count)| (body.as_str(), count.as_str())).collect();
    let not_edited = service.calls().into_iter().rev().find(|call| call.body.starts_with("poison")).unwrap().body;
    assert_eq!(
        replays,
        [
            ("order, first corrected", "1"),
            ("order, second corrected", "1"),
            ("order, third corrected", "2"),
            (not_edited.as_str(), "1"),
        ]
    );
    // 20 records and 4 that were handed back: each is delivered, or was in the DLQ topic.
    let is_committed = || broker.committed(&group, &topic) == 24;
    wait_until("all records are committed", is_committed, || route(&server, "orders").to_string());
    let (shown, ingest) = (route(&server, "orders"), route(&server, "ingest"));
    assert_eq!((count(&shown, "done_total"), count(&shown, "letters_total")), (20, 4), "{shown}");
    assert_eq!(count(&ingest, "done_total") + count(&ingest, "letters_total"), 4, "{ingest}");
    assert_eq!(broker.letters(&topic).len(), 4);
    let status = server.objects(&["status"]).remove(0);
    let routes = status["routes"].as_array().unwrap();
    assert!(routes.len() == 2 && routes.iter().all(|route| route["is_healthy"] == true), "{status}");
    assert_eq!(status["attention_total"], 0, "{status}");
}

/// The headers of Spring Kafka's dead letter publisher for a record of the topic, after one of the application.
fn spring_headers(topic: &str) -> Vec<(&str, &[u8])> {
    vec![
        ("traceparent", b"00-ab-cd-01"),
        ("kafka_dlt-exception-fqcn", b"org.springframework.kafka.listener.ListenerExecutionFailedException"),
        ("kafka_dlt-exception-cause-fqcn", b"java.lang.IllegalArgumentException"),
        ("kafka_dlt-exception-message", b"Listener failed; nested exception is IllegalArgumentException: no amount"),
        (
            "kafka_dlt-exception-stacktrace",
            b"java.lang.IllegalArgumentException: no amount\n\tat com.shop.Billing.charge(Billing.java:42)\n",
        ),
        ("kafka_dlt-original-topic", topic.as_bytes()),
        ("kafka_dlt-original-partition", &[0, 0, 0, 2]),
        ("kafka_dlt-original-offset", &[0, 0, 0, 0, 0, 0, 0, 1]),
        // 1794744060250, in milliseconds since 1970.
        ("kafka_dlt-original-timestamp", &[0x00, 0x00, 0x01, 0xa1, 0xdf, 0x15, 0x09, 0x5a]),
        ("kafka_dlt-original-timestamp-type", b"CreateTime"),
        ("kafka_dlt-original-consumer-group", b"billing"),
    ]
}

#[test]
fn a_letter_of_a_spring_application_goes_back_edited_with_its_key_and_headers() {
    let (broker, folder) = (Broker::shared(), folder("routes-spring"));
    let topic = broker.topic("spring");
    let dlq = format!("{topic}.DLT");
    broker.create(&dlq);
    // The application has read this record, and its dead letter publisher has written the other one.
    broker.produce(&topic, &["an order", "an order", "an order", "an order"].map(str::to_owned));
    let failed = "{\"order\":7,\"amount\":null}";
    broker.produce_with(&topic, 2, "customer-7", &spring_headers(&topic)[..1], failed);
    broker.produce_with(&dlq, 2, "customer-7", &spring_headers(&topic), failed);
    let server = serve(folder.path(), &dlq_sections(&broker, &topic, &format!("^{topic}\\.DLT$")));
    wait_until("the letter", || pending(&server).len() == 1, || route(&server, "ingest").to_string());

    let letter = id(&pending(&server)[0]);
    let lines = shown_lines(&server, &letter);
    for line in [
        format!("source id {topic}/2/1@1794744060250"),
        format!("origin kafka, {topic}, consumer billing, partition 2, offset 1, at 2026-11-15T12:01:00.250Z"),
        "error Listener failed; nested exception is IllegalArgumentException: no amount".to_owned(),
        "payload 25 bytes".to_owned(),
    ] {
        assert!(lines.contains(&line), "{line}: {lines:?}");
    }
    let type_of = |line: &&String| line.contains("java.lang.IllegalArgumentException: Listener failed");
    assert_eq!(lines.iter().filter(type_of).count(), 1, "the exception of its attempt: {lines:?}");
    let metadata = lines.iter().find(|line| line.starts_with("metadata ")).unwrap();
    for entry in [
        format!("kafka_dlq={dlq}/2/0"),
        "kafka_dialect=spring".to_owned(),
        "kafka_exception=org.springframework.kafka.listener.ListenerExecutionFailedException".to_owned(),
    ] {
        assert!(metadata.contains(&entry), "{entry}: {metadata}");
    }

    let corrected = "{\"order\":7,\"amount\":12}";
    server.run_ok(&["letters", "edit", DEAD, &letter, "--payload", corrected, "--retry"]);
    assert_eq!(show(&server, &letter)["status"], "completed");
    let records = broker.records(&topic);
    assert_eq!(records.len(), 6);
    let back = records.iter().find(|record| record.body == corrected).unwrap();
    assert_eq!(back.key.as_deref(), Some("customer-7"));
    let headers: Vec<(&str, &str)> = back.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        headers,
        [
            ("redrive-replay-count", "1"),
            ("redrive-replay-group", "billing"),
            ("redrive-replay-offset", "1"),
            ("redrive-replay-partition", "2"),
            ("redrive-replay-timestamp", "1794744060250"),
            ("redrive-replay-topic", &topic),
            ("redrive-replay-version", "1"),
            ("traceparent", "00-ab-cd-01"),
        ],
        "the headers of the application, and nothing of Spring"
    );

    // The application fails again, and copies all headers of the record to its DLQ.
    let replayed: Vec<(&str, &[u8])> = headers
        .iter()
        .map(|(name, value)| (*name, value.as_bytes()))
        .chain(spring_headers(&topic).into_iter().skip(1))
        .collect();
    broker.produce_with(&dlq, 2, "customer-7", &replayed, corrected);
    let is_open = || show(&server, &letter)["status"] == "pending";
    wait_until("the same letter is open again", is_open, || show(&server, &letter).to_string());
    assert_eq!(show(&server, &letter)["origin"]["replays"], 1);
    assert_eq!(letter_counts(&server), json!({ "pending": 1, "completed": 0, "made": 1 }));
}

/// Nothing is configured for the dead queue: its letters go back to the topic that the route reads.
#[test]
fn letters_of_a_route_go_back_to_its_topic_without_a_target() {
    let (broker, folder) = (Broker::shared(), folder("routes-without-target"));
    let service = PythonService::new(folder.path());
    let (topic, group) = (broker.topic("plain"), broker.name("plain"));
    let config = format!(
        "{}[targets.shop]\nhttp = '{}'\n[[routes]]\nname = 'orders'\ntarget = 'shop'\ndead_queue = '{DEAD}'\n{}",
        broker.section(),
        service.url(),
        KafkaSource { group: &group, topic: &topic, more: "dlq_target = \"queue\"" }.section(),
    );
    let server = serve_with_queue(folder.path(), &config, DEAD);
    broker.produce(&topic, &["order 1".to_owned(), "poison 2".to_owned(), "poison 3".to_owned()]);
    let has_letters = || count(&route(&server, "orders"), "letters_total") == 2;
    wait_until("two letters", has_letters, || route(&server, "orders").to_string());
    let ids: Vec<String> = pending(&server).iter().map(id).collect();
    let shown = shown_lines(&server, &ids[0]).join("\n");
    assert!(
        shown.contains(&format!("hand it back to '{topic}' with: redrive letters retry {DEAD} {}", ids[0])),
        "{shown}"
    );
    server.run_ok(&["letters", "retry", DEAD, &ids[0]]);
    let is_back = || show(&server, &ids[0])["origin"]["replays"] == 1;
    wait_until("the record has failed again", is_back, || show(&server, &ids[0]).to_string());
    for id in &ids {
        server.run_ok(&["letters", "edit", DEAD, id, "--payload", "order, corrected"]);
    }
    let retried = server.objects(&["letters", "retry", DEAD, "--all", "--yes", "--reason", "corrected"]).remove(0);
    assert_eq!((&retried["retried"], &retried["failed"]), (&json!(2), &json!(0)), "{retried}");
    let accepted = || service.calls().iter().filter(|call| call.body.starts_with("order")).count();
    wait_until("the service accepts all", || accepted() == 3, || route(&server, "orders").to_string());
    assert_eq!(letter_counts(&server), json!({ "pending": 0, "completed": 2, "made": 2 }));
    let shown = shown_lines(&server, &ids[1]).join("\n");
    assert!(shown.contains(&format!("handed back to '{topic}' at ")), "{shown}");
}

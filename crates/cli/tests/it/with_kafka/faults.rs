//! Targets that are down, hang, or answer with anything but success.

use std::time::Duration;

use serde_json::Value;

use crate::test_server::{TestServer, folder};

use super::fixture::{
    Answer, Broker, HttpTarget, KafkaSource, QueueSource, TargetCall, bodies, count, dead_letters, produce, queues,
    route, serve, unused_port, wait_until,
};

/// How a target treats the one piece of work that it does not like.
struct Fault {
    name: &'static str,
    /// The answer to an attempt.
    answer: fn(u32) -> Answer,
    /// The attempts that the target gets.
    attempts: &'static [u32],
    /// What the letter tells, if it becomes one.
    error: Option<&'static str>,
}

const FAULTS: [Fault; 8] = [
    Fault { name: "hangs", answer: |_| Answer::Nothing, attempts: &[1, 2, 3], error: Some("timed out") },
    Fault {
        name: "hangs-once",
        answer: |attempt| if attempt == 1 { Answer::Nothing } else { Answer::Status(200) },
        attempts: &[1, 2],
        error: None,
    },
    Fault {
        name: "busy-429",
        answer: |attempt| if attempt == 1 { Answer::With(429, "retry-after: 2\r\n") } else { Answer::Status(200) },
        attempts: &[1, 2],
        error: None,
    },
    Fault { name: "broken-500", answer: |_| Answer::Status(500), attempts: &[1, 2, 3], error: Some("500") },
    Fault {
        name: "garbage",
        answer: |_| Answer::Bytes(b"\x00\xffSSH-2.0-not-http\r\n\r\n"),
        attempts: &[1, 2, 3],
        error: Some("broke off"),
    },
    Fault {
        name: "half-a-head",
        answer: |_| Answer::Bytes(b"HTTP/1.1 200 OK\r\ncontent-le"),
        attempts: &[1, 2, 3],
        error: Some("broke off"),
    },
    // The status counts as soon as it is received.
    Fault {
        name: "half-a-success",
        answer: |_| Answer::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it"),
        attempts: &[1],
        error: None,
    },
    Fault {
        name: "half-a-failure",
        answer: |_| Answer::Bytes(b"HTTP/1.1 400 Bad\r\ncontent-length: 100\r\n\r\nno such article, bec"),
        attempts: &[1],
        error: Some("no such article"),
    },
];

/// Enough good work that it is called between the attempts of the bad one, even if these hang: that is no outage.
const GOOD: usize = 600;

fn work(route: &str) -> Vec<String> {
    let good = (0..GOOD).map(|number| format!("{route} good {number}"));
    std::iter::once(format!("{route} bad")).chain(good).collect()
}

fn answer(call: &TargetCall) -> Answer {
    let fault = FAULTS.iter().find(|fault| call.path == format!("/{}", fault.name)).expect("the path of a fault");
    if call.body.ends_with(" bad") { (fault.answer)(call.attempt) } else { Answer::Status(200) }
}

#[test]
fn every_fault_of_a_target_ends_as_documented() {
    let (broker, folder) = (Broker::shared(), folder("routes-faults"));
    let target = HttpTarget::slow(Duration::from_millis(30), answer);
    let mut config = broker.section();
    let mut topics = Vec::new();
    for Fault { name, .. } in &FAULTS {
        let (topic, group) = (broker.topic(name), broker.name(&format!("group-{name}")));
        config += &format!(
            "[targets.{name}]\nhttp = \"{}/{name}\"\ntimeout_ms = 2000\n\
             [[routes]]\nname = \"{name}-topic\"\ntarget = \"{name}\"\n{}\
             [[routes]]\nname = \"{name}-queue\"\ntarget = \"{name}\"\n{}",
            target.url,
            KafkaSource { group: &group, topic: &topic, more: "max_in_flight = 2" }.section(),
            QueueSource { name: &format!("{name}-queue"), more: "concurrency = 2" }.section(),
        );
        topics.push(topic);
    }
    let names: Vec<String> = FAULTS.iter().map(|fault| format!("{}-queue", fault.name)).collect();
    let server = serve(folder.path(), &config);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    queues(&format!("http://{}", server.address), None, &names);
    for (name, topic) in FAULTS.iter().map(|fault| fault.name).zip(&topics) {
        broker.produce(topic, &work(&format!("{name}-topic")));
        produce(&server, &format!("{name}-queue"), &work(&format!("{name}-queue")));
    }
    for (fault, topic) in FAULTS.iter().zip(&topics) {
        for source in ["topic", "queue"] {
            let name = format!("{}-{source}", fault.name);
            let letters = u64::from(fault.error.is_some());
            let is_done = || {
                let shown = route(&server, &name);
                count(&shown, "done_total") == GOOD as u64 + 1 - letters && count(&shown, "letters_total") == letters
            };
            wait_until(&format!("the work of {name}"), is_done, || route(&server, &name).to_string());
            let calls = target.calls().into_iter().filter(|call| call.body.starts_with(&format!("{name} ")));
            let (bad, good): (Vec<TargetCall>, Vec<TargetCall>) = calls.partition(|call| call.body.ends_with("bad"));
            // A call that is repeated before other work was served is still the same attempt.
            let mut attempts: Vec<u32> = bad.iter().map(|call| call.attempt).collect();
            attempts.dedup();
            assert_eq!(attempts, fault.attempts, "{name}");
            let repeated: Vec<&TargetCall> = good.iter().filter(|call| call.attempt > 1).collect();
            assert!(good.len() == GOOD && repeated.is_empty(), "{name}: {} calls, {repeated:?}", good.len());
            if fault.name == "busy-429" {
                let waited = bad[1].at.duration_since(bad[0].at);
                assert!(waited >= Duration::from_secs(2), "{name}: called again after {waited:?}");
            }
            check_letter(
                fault,
                &name,
                &if source == "topic" { of_topic(&broker, topic) } else { of_queue(&server, &name) },
            );
        }
    }
}

/// The errors of the letters, with their payloads.
type Letters = Vec<(String, String)>;

fn of_topic(broker: &Broker, topic: &str) -> Letters {
    let letters = broker.letters(topic).into_iter();
    letters.map(|letter| (letter.body, letter.headers["x-error-reason"].clone())).collect()
}

fn of_queue(server: &TestServer, name: &str) -> Letters {
    let dead = format!("{name}-dead");
    let errors =
        server.objects(&["letters", "list", &dead]).into_iter().map(|letter: Value| letter["last_error"].to_string());
    dead_letters(server, &dead).into_iter().zip(errors).collect()
}

fn check_letter(fault: &Fault, name: &str, letters: &[(String, String)]) {
    match (fault.error, letters) {
        (None, []) => {}
        (Some(expected), [(body, error)]) => {
            assert_eq!(*body, format!("{name} bad"));
            assert!(error.contains(expected), "{name}: {error}");
        }
        _ => panic!("{name}: {letters:?}"),
    }
}

#[test]
fn a_target_that_is_down_at_the_start_gets_all_work_when_it_is_up() {
    let (broker, folder, port) = (Broker::shared(), folder("routes-down"), unused_port());
    let (topic, group) = (broker.topic("down"), broker.name("down"));
    let config = format!(
        "[targets.late]\nhttp = \"http://127.0.0.1:{port}/\"\n{}\
         [[routes]]\nname = \"topic\"\ntarget = \"late\"\n{}[[routes]]\nname = \"queue\"\ntarget = \"late\"\n{}",
        broker.section(),
        KafkaSource { group: &group, topic: &topic, more: "" }.section(),
        QueueSource { name: "queue", more: "" }.section(),
    );
    broker.produce(&topic, &work("topic"));
    let server = serve(folder.path(), &config);
    queues(&format!("http://{}", server.address), None, &["queue"]);
    produce(&server, "queue", &work("queue"));
    for name in ["topic", "queue"] {
        let is_paused = || {
            let shown = route(&server, name);
            shown["destinations"][0]["breaker"] == "open" && shown["state"] == "running"
        };
        wait_until(&format!("{name} knows that the target is down"), is_paused, || route(&server, name).to_string());
        let shown = route(&server, name);
        assert!(shown["destinations"][0]["last_error"].to_string().contains("was not reached"), "{shown}");
    }
    let target = HttpTarget::at(port, Duration::ZERO, |_| Answer::Status(200));
    for name in ["topic", "queue"] {
        let is_done = || count(&route(&server, name), "done_total") == GOOD as u64 + 1;
        wait_until(&format!("the work of {name}"), is_done, || route(&server, name).to_string());
        let shown = route(&server, name);
        assert_eq!(count(&shown, "letters_total"), 0, "{shown}");
    }
    let calls = target.calls();
    let mut expected = [work("topic"), work("queue")].concat();
    expected.sort();
    assert_eq!(bodies(&calls), expected);
    let spent: Vec<&TargetCall> = calls.iter().filter(|call| call.attempt > 1).collect();
    assert!(spent.is_empty(), "attempts were spent: {spent:?}");
}

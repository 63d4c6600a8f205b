//! Every source with every target: work is delivered once, or is exactly one letter.

use crate::identity::SecuredServer;
use crate::test_server::folder;

use super::fixture::{
    Broker, GrpcTarget, KafkaSource, PythonService, QueueSource, TargetCall, bodies, count, dead_letters, payloads,
    produce, queues, route, serve, wait_until, write_worker,
};

/// Where the work of a row comes from, and where its letters go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A topic, with a DLQ topic.
    Topic,
    /// A topic, with a dead queue.
    TopicWithDeadQueue,
    /// A topic, with both.
    TopicWithBoth,
    Queue,
    QueueOfOtherServer,
}

const ROWS: [(Source, &str); 11] = [
    (Source::Topic, "http"),
    (Source::Topic, "grpc"),
    (Source::Topic, "worker"),
    (Source::TopicWithDeadQueue, "http"),
    (Source::TopicWithBoth, "grpc"),
    (Source::Queue, "http"),
    (Source::Queue, "grpc"),
    (Source::Queue, "worker"),
    (Source::QueueOfOtherServer, "http"),
    (Source::QueueOfOtherServer, "grpc"),
    (Source::QueueOfOtherServer, "worker"),
];

fn name((source, target): (Source, &str)) -> String {
    format!("{source:?}-{target}").to_lowercase()
}

/// The work of a row: most of it is done at once, some at the second attempt, some never.
fn work(row: &str) -> Vec<String> {
    let kind = |number| match number % 10 {
        3 => "poison",
        _ if number % 25 == 11 => "busy",
        _ => "order",
    };
    (0..50).map(|number| format!("{row} {} {number}", kind(number))).collect()
}

/// The answer of the gRPC target: `INVALID_ARGUMENT`, `UNAVAILABLE` or `OK`.
fn grpc_status(call: &TargetCall) -> u16 {
    match &call.body {
        body if body.contains("poison") => 3,
        body if body.contains("busy") && call.attempt == 1 => 14,
        _ => 0,
    }
}

#[test]
fn work_of_every_source_is_delivered_once_to_every_target_or_is_one_letter() {
    let (broker, folder) = (Broker::shared(), folder("routes-pairs"));
    let other = SecuredServer::new("routes-pairs-other");
    let (http, grpc, worker) =
        (PythonService::new(folder.path()), GrpcTarget::new(grpc_status), write_worker(folder.path()));
    let mut config = format!(
        "[targets.http]\nhttp = \"{}\"\n\
         [targets.grpc]\ngrpc = \"{}\"\nmethod = \"/shop.Orders/Place\"\n\
         [targets.worker]\nworker = [\"python3\", \"-B\", \"worker.py\"]\nprocesses = 2\n\
         [servers.other]\nurl = \"{}\"\nkey = {{ file = \"{}\" }}\n{}",
        http.url(),
        grpc.url,
        other.url(),
        other.key_file("admin"),
        broker.section()
    );
    let mut topics = Vec::new();
    for row in ROWS {
        let (source, target) = row;
        let name = name(row);
        let (topic, group) = (broker.name(&name), broker.name("group"));
        // The targets answer by the number of the attempt, which stays the same until other work was served.
        config += &format!("[[routes]]\nname = \"{name}\"\ntarget = \"{target}\"\non_outage = \"dead_letter\"\n");
        config += &match source {
            Source::Topic => KafkaSource { group: &format!("{group}-{name}"), topic: &topic, more: "" }.section(),
            Source::TopicWithDeadQueue | Source::TopicWithBoth => {
                let letters = if source == Source::TopicWithBoth { "both" } else { "queue" };
                let source = KafkaSource {
                    group: &format!("{group}-{name}"),
                    topic: &topic,
                    more: &format!("dlq_target = \"{letters}\""),
                };
                format!("dead_queue = \"{name}-dead\"\n{}", source.section())
            }
            Source::Queue => QueueSource { name: &name, more: "" }.section(),
            Source::QueueOfOtherServer => QueueSource { name: &name, more: "server = \"other\"" }.section(),
        };
        if matches!(source, Source::Topic | Source::TopicWithDeadQueue | Source::TopicWithBoth) {
            topics.push((name.clone(), broker.topic(&name)));
        }
    }
    let of = |wanted: &dyn Fn(Source) -> bool| -> Vec<String> {
        ROWS.into_iter().filter(|(source, _)| wanted(*source)).map(name).collect()
    };
    let here = of(&|source| matches!(source, Source::Queue | Source::TopicWithDeadQueue | Source::TopicWithBoth));
    let there = of(&|source| source == Source::QueueOfOtherServer);
    let key = std::fs::read_to_string(other.key_file("admin")).unwrap();
    queues(&other.url(), Some(key.trim_end()), &there.iter().map(String::as_str).collect::<Vec<_>>());
    let server = serve(folder.path(), &config);
    queues(&format!("http://{}", server.address), None, &here.iter().map(String::as_str).collect::<Vec<_>>());

    for row in ROWS {
        let name = name(row);
        match row.0 {
            Source::Queue => produce(&server, &name, &work(&name)),
            Source::QueueOfOtherServer => {
                let key = other.key_file("admin");
                let input = work(&name).join("\n");
                other.server.run_with(&["produce", &name, "--key-file", &key], input.as_bytes()).succeeded();
            }
            Source::Topic | Source::TopicWithDeadQueue | Source::TopicWithBoth => {
                let (_, topic) = topics.iter().find(|(found, _)| *found == name).unwrap();
                broker.produce(topic, &work(&name));
            }
        }
    }

    for row in ROWS {
        let name = name(row);
        let (poison, good): (Vec<String>, Vec<String>) =
            work(&name).into_iter().partition(|body| body.contains("poison"));
        let is_done = || {
            let route = route(&server, &name);
            count(&route, "done_total") == good.len() as u64 && count(&route, "letters_total") == poison.len() as u64
        };
        wait_until(&format!("the work of {name}"), is_done, || route(&server, &name).to_string());
        let calls = match row.1 {
            "http" => http.calls(),
            "grpc" => grpc.calls(),
            _ => worker(),
        };
        let calls: Vec<TargetCall> =
            calls.into_iter().filter(|call| call.body.starts_with(&format!("{name} "))).collect();
        let is_busy = |call: &&TargetCall| call.body.contains("busy");
        assert_eq!(
            bodies(calls.iter().filter(|call| !is_busy(call) || call.attempt > 1)),
            sorted(work(&name)),
            "{name}: each piece of work is delivered once"
        );
        let retried = calls.iter().filter(|call| is_busy(call) && call.attempt == 1).count();
        assert_eq!(retried, 2, "{name}: busy work is tried again");
        let in_topic = || {
            let (_, topic) = topics.iter().find(|(found, _)| *found == name).unwrap();
            broker.letters(topic).into_iter().map(|letter| letter.body).collect()
        };
        let dead = format!("{name}-dead");
        let letters: Vec<Vec<String>> = match row.0 {
            Source::Topic => vec![in_topic()],
            Source::TopicWithBoth => vec![in_topic(), dead_letters(&server, &dead)],
            Source::TopicWithDeadQueue | Source::Queue => vec![dead_letters(&server, &dead)],
            Source::QueueOfOtherServer => {
                vec![payloads(&other.ok(&["letters", "export", &dead, "--reason", "compared in a test"]))]
            }
        };
        let poison = sorted(poison);
        for letters in letters {
            assert_eq!(letters, poison, "{name}: exactly one letter of each");
        }
    }
}

fn sorted(mut bodies: Vec<String>) -> Vec<String> {
    bodies.sort();
    bodies
}

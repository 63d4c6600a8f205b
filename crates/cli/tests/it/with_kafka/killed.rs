//! A server that is killed in mid-load: all work is delivered, or is exactly one letter.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::test_server::folder;

use super::fixture::{
    Answer, Broker, HttpTarget, KafkaSource, QueueSource, dead_letters, is_empty, produce, queues, rounds,
    serve_on_disk, wait_until,
};

/// The work of a route, one in twenty of which is invalid.
fn work(route: &str, count: usize) -> Vec<String> {
    let kind = |number| if number % 20 == 7 { "poison" } else { "order" };
    (0..count).map(|number| format!("{route} {} {number}", kind(number))).collect()
}

#[test]
fn routes_that_are_killed_in_mid_load_deliver_everything_or_make_one_letter() {
    let kills = rounds(3, 20);
    let each = 400 * (kills + 1);
    let (broker, folder) = (Broker::shared(), folder("routes-killed"));
    let target = HttpTarget::slow(Duration::from_millis(10), |call| {
        Answer::Status(if call.body.contains("poison") { 400 } else { 200 })
    });
    let (topics, groups) =
        (["dlq", "captured"].map(|name| broker.topic(name)), ["one", "two"].map(|name| broker.name(name)));
    let to_topic = KafkaSource {
        group: &groups[0],
        topic: &topics[0],
        more: &format!("max_in_flight = 8\ndlq_transactional_id = \"{}\"", broker.name("killed")),
    };
    let to_queue =
        KafkaSource { group: &groups[1], topic: &topics[1], more: "max_in_flight = 8\ndlq_target = \"queue\"" };
    let of_queue = QueueSource { name: "orders", more: "lease_ms = 2000\nconcurrency = 8" };
    let config = format!(
        "[targets.shop]\nhttp = \"{}\"\n{}\
         [[routes]]\nname = \"dlq\"\ntarget = \"shop\"\n{}\
         [[routes]]\nname = \"captured\"\ntarget = \"shop\"\ndead_queue = \"captured-dead\"\n{}\
         [[routes]]\nname = \"orders\"\ntarget = \"shop\"\n{}",
        target.url,
        broker.section(),
        to_topic.section(),
        to_queue.section(),
        of_queue.section()
    );
    for (topic, name) in topics.iter().zip(["dlq", "captured"]) {
        broker.produce(topic, &work(name, each));
    }
    let mut server = serve_on_disk(folder.path(), &config);
    queues(&format!("http://{}", server.address), None, &["captured", "orders"]);
    produce(&server, "orders", &work("orders", each));

    let total = 3 * each;
    for kill in 1..=kills {
        let enough = kill * total / (kills + 1);
        wait_until("the load before a kill", || target.count() >= enough, || target.count().to_string());
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        let open = total - distinct(&target).len();
        assert!(open > 0, "nothing is left to do at kill {kill}");
        server = serve_on_disk(folder.path(), &config);
    }
    let positions = || [0, 1].map(|number| broker.committed(&groups[number], &topics[number]));
    let is_over = || positions() == [each; 2] && is_empty(&server, "orders");
    wait_until("the end of the load", is_over, || {
        format!("{:?} of {each}, {:?}", positions(), distinct(&target).len())
    });

    let seen = distinct(&target);
    let letters = [
        ("dlq", broker.letters(&topics[0]).into_iter().map(|letter| letter.body).collect()),
        ("captured", dead_letters(&server, "captured-dead")),
        ("orders", dead_letters(&server, "orders-dead")),
    ];
    for (name, letters) in letters {
        let (mut poison, good): (Vec<String>, Vec<String>) =
            work(name, each).into_iter().partition(|body| body.contains("poison"));
        poison.sort();
        let lost: Vec<&String> = good.iter().filter(|body| !seen.contains(*body)).collect();
        assert!(lost.is_empty(), "{name}: never delivered: {lost:?}");
        assert_eq!(letters, poison, "{name}: exactly one letter of each invalid record, and of no other");
    }
    assert_eq!(server.stop(), Some(0));
}

/// The work that the target got at least once.
fn distinct(target: &HttpTarget) -> BTreeSet<String> {
    target.calls().into_iter().map(|call| call.body).collect()
}

//! Routes over Kafka that cannot start: each says why in one sentence, and starts when it can.

use crate::test_server::folder;

use super::fixture::{Answer, Broker, HttpTarget, KafkaSource, count, route, route_error, serve, wait_until};

fn is_sentence(error: &str) -> bool {
    !error.is_empty() && error.lines().count() == 1 && error.len() < 400
}

#[test]
fn an_unknown_topic_is_named_and_its_route_starts_when_it_exists() {
    let (broker, folder) = (Broker::shared(), folder("routes-unknown-topic"));
    let target = HttpTarget::new(|_| Answer::Status(200));
    let (topic, group) = (broker.name("later"), broker.name("later"));
    let config = format!(
        "[targets.shop]\nhttp = \"{}\"\n{}[[routes]]\nname = \"orders\"\ntarget = \"shop\"\n{}",
        target.url,
        broker.section(),
        KafkaSource { group: &group, topic: &topic, more: "" }.section()
    );
    let server = serve(folder.path(), &config);
    let error = route_error(&server, "orders");
    assert!(is_sentence(&error) && error.contains(&topic), "{error}");
    let is_listed = || server.run_ok(&["route", "list"]).contains(&topic);
    wait_until("the list has the error", is_listed, || server.run_ok(&["route", "list"]));
    assert_eq!(broker.topic("later"), topic);
    broker.produce(&topic, &["first".to_owned()]);
    let is_done = || count(&route(&server, "orders"), "done_total") == 1;
    wait_until("the record of the new topic", is_done, || route(&server, "orders").to_string());
}

#[test]
fn a_missing_dlq_topic_is_named() {
    let (broker, folder) = (Broker::shared(), folder("routes-no-dlq"));
    let topic = broker.topic("no-dlq");
    let config = format!(
        "[targets.shop]\nhttp = \"http://127.0.0.1:1/\"\n{}[[routes]]\nname = \"orders\"\ntarget = \"shop\"\n\
         [routes.kafka]\ncluster = \"main\"\ngroup_id = \"{topic}\"\ntopics = [\"{topic}\"]\n",
        broker.section()
    );
    let server = serve(folder.path(), &config);
    let error = route_error(&server, "orders");
    assert!(is_sentence(&error) && error.contains(&format!("{topic}.dlq")), "{error}");
}

#[test]
fn a_broker_that_cannot_be_reached_is_told_without_stopping_other_routes() {
    let (broker, folder) = (Broker::shared(), folder("routes-no-broker"));
    let target = HttpTarget::new(|_| Answer::Status(200));
    let (topic, group) = (broker.topic("reachable"), broker.name("reachable"));
    let config = format!(
        "[targets.shop]\nhttp = \"{}\"\n[clusters.gone]\nbootstrap_servers = \"127.0.0.1:1\"\n{}\
         [[routes]]\nname = \"gone\"\ntarget = \"shop\"\n\
         [routes.kafka]\ncluster = \"gone\"\ngroup_id = \"g\"\ntopics = [\"t\"]\n\
         [[routes]]\nname = \"orders\"\ntarget = \"shop\"\n{}",
        target.url,
        broker.section(),
        KafkaSource { group: &group, topic: &topic, more: "" }.section()
    );
    broker.produce(&topic, &["first".to_owned()]);
    let mut server = serve(folder.path(), &config);
    let is_done = || count(&route(&server, "orders"), "done_total") == 1;
    wait_until("the other route works", is_done, || route(&server, "orders").to_string());
    let error = route_error(&server, "gone");
    assert!(is_sentence(&error) && error.contains("127.0.0.1:1"), "{error}");
    assert_eq!(server.stop(), Some(0), "it stops in spite of it");
}

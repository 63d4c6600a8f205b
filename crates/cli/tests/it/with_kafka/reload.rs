//! A configuration that is read again in mid-load.

use std::time::Duration;

use crate::test_server::folder;

use super::fixture::{
    Answer, Broker, HttpTarget, KafkaSource, QueueSource, bodies, count, hang_up, produce, queues, route, serve,
    wait_until,
};

/// The work of a route for each reload: it takes 2.5 s, so that calls run when the file is read.
const EACH: usize = 400;
const RELOADS: usize = 4;

fn work(route: &str, reload: usize) -> Vec<String> {
    (0..EACH).map(|number| format!("{route} {reload}/{number}")).collect()
}

#[test]
fn a_changed_target_in_mid_load_loses_and_doubles_nothing() {
    let (broker, folder) = (Broker::shared(), folder("routes-reload"));
    let slow = || HttpTarget::slow(Duration::from_millis(50), |_| Answer::Status(200));
    let targets = [slow(), slow()];
    let quick = HttpTarget::new(|_| Answer::Status(200));
    let (topic, group) = (broker.topic("reload"), broker.name("reload"));
    let config = |target: &HttpTarget| {
        format!(
            "[targets.shop]\nhttp = \"{}\"\n[targets.other]\nhttp = \"{}\"\n{}\
             [[routes]]\nname = \"topic\"\ntarget = \"shop\"\n{}\
             [[routes]]\nname = \"queue\"\ntarget = \"shop\"\n{}\
             [[routes]]\nname = \"other\"\ntarget = \"other\"\n{}",
            target.url,
            quick.url,
            broker.section(),
            KafkaSource { group: &group, topic: &topic, more: "max_in_flight = 8" }.section(),
            QueueSource { name: "queue", more: "concurrency = 8" }.section(),
            QueueSource { name: "other", more: "" }.section(),
        )
    };
    let server = serve(folder.path(), &config(&targets[0]));
    queues(&format!("http://{}", server.address), None, &["queue", "other"]);
    let is_running = || ["topic", "queue", "other"].iter().all(|name| route(&server, name)["state"] == "running");
    wait_until("all routes run", is_running, || server.run_ok(&["route", "list"]));
    let since = route(&server, "other")["since"].clone();

    let begun = |name: &str, reload: usize| {
        let prefix = format!("{name} {reload}/");
        targets.iter().flat_map(HttpTarget::calls).filter(|call| call.body.starts_with(&prefix)).count()
    };
    for reload in 1..=RELOADS {
        // A file with an error changes nothing.
        hang_up(&server, folder.path(), "[[routes]]\nname = \"topic\"\n");
        let log = || std::fs::read_to_string(folder.path().join("log")).unwrap();
        let refused = || log().matches("configuration is not reloaded").count();
        wait_until("the error is logged", || refused() == reload, log);

        broker.produce(&topic, &work("topic", reload));
        produce(&server, "queue", &work("queue", reload));
        let counts = || ["topic", "queue"].map(|name| begun(name, reload));
        wait_until(
            "the load before a reload",
            || counts().iter().all(|count| *count > 30),
            || format!("{:?}", counts()),
        );
        let next = &targets[reload % 2];
        let before = next.count();
        assert!(counts().iter().all(|count| *count < EACH), "nothing is left to do at reload {reload}: {:?}", counts());
        hang_up(&server, folder.path(), &config(next));
        for name in ["topic", "queue"] {
            let has_moved = || next.calls().iter().skip(before).any(|call| call.body.starts_with(name));
            wait_until(&format!("the new target gets work of {name}"), has_moved, || route(&server, name).to_string());
        }
    }
    for name in ["topic", "queue"] {
        let is_done = || count(&route(&server, name), "done_total") == (RELOADS * EACH) as u64;
        wait_until(&format!("the work of {name}"), is_done, || route(&server, name).to_string());
        let shown = route(&server, name);
        assert_eq!((count(&shown, "retried_total"), count(&shown, "letters_total")), (0, 0), "{shown}");
    }
    let calls = [targets[0].calls(), targets[1].calls()].concat();
    let all = |name: &str| (1..=RELOADS).flat_map(|reload| work(name, reload)).collect::<Vec<_>>();
    let mut expected = [all("topic"), all("queue")].concat();
    expected.sort();
    assert_eq!(bodies(&calls), expected, "every piece of work is delivered once");
    assert_eq!(route(&server, "other")["since"], since, "a route that did not change was not started again");
}

#[test]
fn an_origin_target_without_its_cluster_is_not_reloaded() {
    let folder = folder("routes-reload-origin");
    let config = |cluster: &str| {
        format!(
            "[clusters.main]\nbootstrap_servers = \"127.0.0.1:1\"\n[targets.back]\norigin = true\n\
             [targets.back.kafka]\ncluster = \"{cluster}\"\ntopics = [\"orders\"]\n\
             [dlq]\ntargets = [{{ queue = \"orders-dead\", target = \"back\" }}]\n"
        )
    };
    let server = serve(folder.path(), &config("main"));
    let log = || std::fs::read_to_string(folder.path().join("log")).unwrap();
    hang_up(&server, folder.path(), &config("mian"));
    let expected = "targets.back: kafka.cluster 'mian' is not defined; defined: main";
    wait_until("the error is logged", || log().contains(expected), log);
    hang_up(&server, folder.path(), &config("main"));
    wait_until("a correct file is reloaded", || log().contains("reloaded routes"), log);
}

//! A target that is down under load, for a long time.

use std::time::Duration;

use crate::test_server::folder;

use super::fixture::{Broker, PythonService, bodies, count, holds_within, rounds, route, serve, wait_until};

/// The work from a number on, one in fifty of which is invalid.
fn work(first: usize, count: usize) -> Vec<String> {
    let kind = |number| if number % 50 == 17 { "poison" } else { "order" };
    (first..first + count).map(|number| format!("{} {number}", kind(number))).collect()
}

#[test]
fn a_target_that_is_down_under_load_costs_no_attempts_and_no_letters() {
    let outage = Duration::from_secs(rounds(20, 600) as u64);
    let (broker, folder) = (Broker::shared(), folder("routes-outage"));
    let mut service = PythonService::new(folder.path());
    let (topic, group) = (broker.topic("outage"), broker.name("outage"));
    // The route of the documentation, with its defaults.
    let config = format!(
        "[targets.billing]\nhttp = \"{}\"\n{}[[routes]]\nname = \"orders\"\ntarget = \"billing\"\n\
         [routes.kafka]\ncluster = \"main\"\ngroup_id = \"{group}\"\ntopics = [\"{topic}\"]\ndlq_create_topics = true\n",
        service.url(),
        broker.section(),
    );
    let server = serve(folder.path(), &config);
    let shown = || route(&server, "orders");
    let mut produced = 0;
    let mut load = |until: &mut dyn FnMut() -> bool, within: Duration| {
        let mut is_over = false;
        holds_within(within, || {
            broker.produce(&topic, &work(produced, 5));
            produced += 5;
            is_over = until();
            is_over
        });
        (is_over, produced)
    };

    // Before the outage, a record that always fails among successes becomes a letter.
    broker.produce(&topic, &["cursed before".to_owned()]);
    let is_letter = || broker_letters(&broker, &topic).contains(&"cursed before".to_owned());
    wait_until("the route runs", || shown()["state"] == "running", || shown().to_string());
    let (is_letter, _) = load(&mut { is_letter }, Duration::from_secs(60));
    assert!(is_letter, "{}", shown());
    let attempts = service.calls().into_iter().filter(|call| call.body == "cursed before").map(|call| call.attempt);
    assert_eq!(attempts.collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(shown()["destinations"][0]["breaker"], "closed", "a single record is no outage: {}", shown());

    let before_outage = service.calls().len();
    service.kill();
    broker.produce(&topic, &["cursed meanwhile".to_owned()]);
    let is_known = || shown()["destinations"][0]["breaker"] == "open";
    let (is_known, _) = load(&mut { is_known }, Duration::from_secs(30));
    assert!(is_known, "{}", shown());
    let letters = count(&shown(), "letters_total");
    load(&mut || false, outage);
    let during = shown();
    assert_eq!(count(&during, "letters_total"), letters, "an outage makes no letters: {during}");
    assert!(!during["destinations"][0]["failing_since"].is_null(), "it tells since when: {during}");
    let error = during["destinations"][0]["last_error"].as_str().unwrap_or_default();
    assert!(error.contains("was not reached"), "it tells why: {during}");
    assert_eq!(service.calls().len(), before_outage);

    service.start();
    // The other one becomes a letter among the successes after the outage.
    let is_letter = || broker_letters(&broker, &topic).contains(&"cursed meanwhile".to_owned());
    let (is_letter, produced) = load(&mut { is_letter }, Duration::from_secs(90));
    assert!(is_letter, "{}", shown());
    let records = produced + 2;
    // Records that probed in vain wait longer the more of them there were: eleven take turns in ten minutes, every 10 s.
    let within = Duration::from_secs(90).max(outage / 4);
    let is_over = || broker.committed(&group, &topic) == records;
    assert!(holds_within(within, is_over), "not everything was delivered after the outage: {} of {records}", shown());
    let (mut poison, mut good): (Vec<String>, Vec<String>) =
        work(0, produced).into_iter().partition(|body| body.contains("poison"));
    let calls = service.calls();
    // Calls that broke when the service was killed are repeated.
    let mut delivered = bodies(calls.iter().filter(|call| call.body.contains("order")));
    let repeated = delivered.len();
    delivered.dedup();
    good.sort();
    assert_eq!(delivered, good);
    assert!(repeated - good.len() < 50, "{} calls were repeated", repeated - good.len());
    let spent: Vec<_> = calls.iter().filter(|call| call.attempt > 1 && !call.body.contains("cursed")).collect();
    assert!(spent.is_empty(), "attempts were spent: {spent:?}");
    poison.extend(["cursed before".to_owned(), "cursed meanwhile".to_owned()]);
    poison.sort();
    assert_eq!(broker_letters(&broker, &topic), poison);
    let after = shown();
    assert!(after["is_healthy"] == true && after["destinations"][0]["breaker"] == "closed", "{after}");
}

fn broker_letters(broker: &Broker, topic: &str) -> Vec<String> {
    broker.letters(topic).into_iter().map(|letter| letter.body).collect()
}

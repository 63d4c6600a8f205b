//! A route over a queue.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::{CreateQueue, GetStats, QueueSettings};
use redrive_routes::{DesiredRoute, RouteId, RouteIntent, RouteOrigin, RouteState, RouteStatus};

use super::fixture::{ORDERS, TestRoutes, connections, desired, id};
use crate::server::{Server, Tls, answer};

#[tokio::test]
async fn work_is_sent_to_the_target_and_what_fails_becomes_a_letter() {
    let server = Server::answering_by(Tls::None, |request| match &*request.body {
        b"poison" => answer(400, "no such article"),
        _ => answer(200, ""),
    })
    .await;
    let test = TestRoutes::new(&server.url).await;
    test.produce((0..50).map(|number| format!("order {number}")).chain(["poison".to_owned()])).await;
    test.put(ORDERS);
    let status = test.until("orders", |status| status.totals.done == 50 && status.totals.letters == 1).await;
    assert_eq!((status.state, status.totals.retried), (RouteState::Running, 0));
    assert!(status.health.unwrap().is_progressing());
    assert_eq!(test.letters().await, 1);
    test.stop().await;
}

#[tokio::test]
async fn a_route_that_starts_paused_takes_nothing_and_a_stopped_one_has_drained() {
    let server = Server::answering(200).await;
    let test = TestRoutes::new(&server.url).await;
    test.produce(["waits".to_owned()]).await;
    test.routes.put(DesiredRoute { intent: RouteIntent::Pause, ..desired(ORDERS) });
    let status = test.until("orders", |status| status.state == RouteState::Paused).await;
    assert!(status.health.unwrap().is_paused);
    let stats = test.store.stats(GetStats { queue: QueueName::new("orders").unwrap() }).await.unwrap();
    assert_eq!(stats.partitions.iter().map(|partition| partition.leased).sum::<u64>(), 0);
    test.routes.set_intent(&id("orders"), RouteIntent::Run);
    test.until("orders", |status| status.totals.done == 1).await;
    test.routes.set_intent(&id("orders"), RouteIntent::Stop);
    let status = test.until("orders", |status| status.state == RouteState::Stopped).await;
    assert_eq!(status.totals.done, 1, "totals survive the end of a runner");
    assert!(!test.routes.set_intent(&id("other"), RouteIntent::Run), "there is no such route");
    test.stop().await;
}

#[tokio::test]
async fn an_outage_that_only_one_item_meets_makes_no_letter() {
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let server =
        Server::answering_by(Tls::None, move |_| answer(if down.load(Ordering::SeqCst) { 503 } else { 200 }, ""));
    let server = server.await;
    let test = TestRoutes::new(&server.url).await;
    test.produce(["alone".to_owned()]).await;
    test.put(ORDERS);
    test.until("orders", |status| status.health.as_ref().is_some_and(|health| health.is_paused_by_outage)).await;
    is_down.store(false, Ordering::SeqCst);
    let status = test.until("orders", |status| status.totals.done == 1).await;
    assert_eq!((status.totals.letters, test.letters().await), (0, 0));
    test.stop().await;
}

#[tokio::test]
async fn an_outage_makes_no_letters() {
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let server = Server::answering_by(Tls::None, move |_| match down.load(Ordering::SeqCst) {
        true => answer(503, ""),
        false => answer(200, ""),
    })
    .await;
    let test = TestRoutes::new(&server.url).await;
    test.produce((0..100).map(|number| number.to_string())).await;
    test.put(ORDERS);
    let status = test
        .until("orders", |status| {
            let open = |health: &redrive_run::RunnerHealth| {
                health.destinations.iter().any(|found| found.next_probe_at.is_some())
            };
            status.health.as_ref().is_some_and(open)
        })
        .await;
    let trouble = status.health.unwrap().destinations.remove(0).trouble.unwrap();
    assert!(trouble.error.contains("503"), "{}", trouble.error);
    assert_eq!(test.letters().await, 0);
    is_down.store(false, Ordering::SeqCst);
    let status = test.until("orders", |status| status.totals.done == 100).await;
    assert_eq!((status.totals.letters, test.letters().await), (0, 0));
    test.stop().await;
}

/// With a circuit breaker, the poison would probe for ever without spending an attempt, and hold up everything else.
#[tokio::test]
async fn an_outage_that_makes_letters_holds_up_no_other_work() {
    let server = Server::answering_by(Tls::None, |request| match request.body.starts_with(b"poison") {
        true => answer(503, ""),
        false => answer(200, ""),
    })
    .await;
    let test = TestRoutes::new(&server.url).await;
    let poison = (0..12).map(|number| format!("poison {number}"));
    test.produce(poison.chain((0..200).map(|number| format!("order {number}")))).await;
    test.put(&format!("{ORDERS}\non_outage = \"dead_letter\"\n"));
    let status = test.until("orders", |status| status.totals.done == 200 && status.totals.letters == 12).await;
    assert_eq!((status.totals.retried, test.letters().await), (24, 12), "each was called three times");
    assert!(status.health.unwrap().destinations.is_empty(), "there is no circuit breaker");
    test.stop().await;
}

/// A target with a bug answers 503 for some orders: that is no outage.
#[tokio::test]
async fn poison_becomes_letters_and_holds_up_no_other_work() {
    let server = Server::answering_by(Tls::None, |request| match request.body.starts_with(b"poison") {
        true => answer(503, ""),
        false => answer(200, ""),
    })
    .await;
    let test = TestRoutes::new(&server.url).await;
    let poison = (0..12).map(|number| format!("poison {number}"));
    test.produce(poison.chain((0..200).map(|number| format!("order {number}")))).await;
    test.put(ORDERS);
    test.until("orders", |status| status.totals.done == 200).await;
    // Orders go on arriving, and show that the target is up.
    let mut late = 0;
    while test.letters().await < 12 {
        assert!(late < 500, "{} letters", test.letters().await);
        test.produce([format!("late {late}")]).await;
        late += 1;
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let status = test.until("orders", |status| status.totals.done == 200 + late).await;
    assert_eq!(status.totals.letters, 12);
    assert!(status.totals.retried >= 24, "each spent three attempts: {}", status.totals.retried);
    test.stop().await;
}

#[tokio::test]
async fn a_reload_in_mid_load_loses_and_doubles_nothing() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = |seen: &Arc<Mutex<Vec<Vec<u8>>>>| {
        let seen = Arc::clone(seen);
        move |request: &crate::server::Received| {
            seen.lock().unwrap().push(request.body.clone());
            answer(200, "")
        }
    };
    let (first, second) =
        tokio::join!(Server::answering_by(Tls::None, record(&seen)), Server::answering_by(Tls::None, record(&seen)));
    let test = TestRoutes::new(&first.url).await;
    test.put(ORDERS);
    for number in 0..10 {
        test.produce((0..50).map(|part| format!("{number}/{part}"))).await;
        let url = if number % 2 == 0 { &second.url } else { &first.url };
        test.routes.replace(connections(url), vec![desired(ORDERS)]);
    }
    test.until("orders", |status| status.totals.done == 500).await;
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    let distinct: BTreeSet<&Vec<u8>> = seen.iter().collect();
    assert_eq!((seen.len(), distinct.len()), (500, 500));
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_change_waits_for_the_calls_that_run() {
    let (started_tx, started_rx) = std::sync::mpsc::sync_channel(16);
    let (answer_tx, answer_rx) = std::sync::mpsc::sync_channel::<()>(1);
    let answers = Mutex::new(answer_rx);
    let first = Server::answering_by(Tls::None, move |_| {
        started_tx.send(()).unwrap();
        answers.lock().unwrap().recv().unwrap();
        answer(200, "")
    });
    let (first, mut second) = tokio::join!(first, Server::answering(200));
    let test = TestRoutes::new(&first.url).await;
    test.produce(["slow".to_owned()]).await;
    test.put(ORDERS);
    tokio::task::spawn_blocking(move || started_rx.recv().unwrap()).await.unwrap();
    test.routes.replace(connections(&second.url), vec![desired(ORDERS)]);
    test.until("orders", |status| status.state == RouteState::Draining).await;
    answer_tx.send(()).unwrap();
    let status = test.until("orders", |status| status.state == RouteState::Running).await;
    assert_eq!((status.totals.done, status.totals.retried), (1, 0));
    test.produce(["next".to_owned()]).await;
    assert_eq!(second.next().await.body, b"next", "the item before was not sent again");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_end_of_the_process_shortens_a_drain() {
    let (started_tx, mut started_rx) = tokio::sync::mpsc::channel(16);
    let (_answer_tx, answer_rx) = std::sync::mpsc::sync_channel::<()>(1);
    let answers = Mutex::new(answer_rx);
    let server = Server::answering_by(Tls::None, move |_| {
        started_tx.try_send(()).unwrap();
        let _is_never_sent = answers.lock().unwrap().recv();
        answer(200, "")
    })
    .await;
    let test = TestRoutes::new(&server.url).await;
    test.produce(["hangs".to_owned()]).await;
    test.put(ORDERS);
    started_rx.recv().await.unwrap();
    let drained = test.routes.remove(&id("orders")).unwrap();
    let ((), ()) = tokio::time::timeout(Duration::from_secs(10), async {
        tokio::join!(drained, test.routes.stop(Span::from_millis(10)))
    })
    .await
    .expect("a drain has 30 s otherwise");
    test.put(ORDERS);
    assert_eq!(test.routes.ids(None), [], "nothing starts after the stop");
}

#[tokio::test]
async fn a_namespace_that_may_no_longer_use_a_target_has_no_route_to_it() {
    let server = Server::answering(200).await;
    let test = TestRoutes::new(&server.url).await;
    let text = format!("namespace = \"shop\"\n{}", ORDERS.replace("name = \"orders\", c", "name = \"shop-orders\", c"));
    let shop = NamespaceName::new("shop").unwrap();
    for (name, dead_queue) in [("shop-dead", None), ("shop-orders", Some("shop-dead"))] {
        let settings = QueueSettings {
            namespace: Some(shop.clone()),
            dead_queue: dead_queue.map(|name| QueueName::new(name).unwrap()),
            ..QueueSettings::new(QueueName::new(name).unwrap())
        };
        test.store.create_queue(CreateQueue { settings }).await.unwrap();
    }
    let route = || DesiredRoute { origin: RouteOrigin::Api, ..desired(&text) };
    let granted = |namespaces: &[&str]| {
        let mut connections = connections(&server.url);
        let target = connections.targets.get_mut("shop").unwrap();
        target.namespaces = namespaces.iter().map(|name| (*name).to_owned()).collect();
        connections
    };
    let id = RouteId { namespace: "shop".to_owned(), name: "orders".to_owned() };
    test.routes.replace(granted(&["shop"]), vec![route()]);
    let mut states = test.routes.states(&id).unwrap();
    states.wait_for(|(state, _)| *state == RouteState::Running).await.unwrap();
    let queue = QueueName::new("shop-orders").unwrap();
    assert_eq!(test.routes.user_of(&queue), Some(id.clone()));
    test.routes.replace(granted(&["bank"]), vec![route()]);
    let (state, _) = states.wait_for(|(state, _)| matches!(state, RouteState::Failed { .. })).await.unwrap().clone();
    let RouteState::Failed { error, .. } = state else { unreachable!() };
    assert_eq!(error, "target 'shop' is not defined for the namespace of the route; none is");
    test.routes.set_intent(&id, RouteIntent::Stop);
    states.wait_for(|(state, _)| *state == RouteState::Stopped).await.unwrap();
    assert_eq!(test.routes.user_of(&queue), None, "a stopped route uses nothing");
    test.stop().await;
}

#[tokio::test]
async fn a_reload_leaves_unchanged_routes_alone_and_removes_missing_ones() {
    let server = Server::answering(200).await;
    let test = TestRoutes::new(&server.url).await;
    let other = ORDERS.replace("name = \"orders\"\n", "name = \"other\"\n");
    test.put(ORDERS);
    test.put(&other);
    let before = test.until("orders", |status| status.state == RouteState::Running).await;
    test.routes.replace(connections(&server.url), vec![desired(ORDERS)]);
    let after = test.status("orders").await;
    assert_eq!((after.state, after.since), (before.state, before.since));
    assert_eq!(test.routes.ids(None), [id("orders")]);
    test.stop().await;
}

#[tokio::test]
async fn a_route_that_cannot_start_says_why_and_starts_when_it_can() {
    let server = Server::answering(200).await;
    let test = TestRoutes::new(&server.url).await;
    test.put(&ORDERS.replace("queue = { name = \"orders\"", "queue = { name = \"missing\""));
    let status = test.until("orders", |status| matches!(status.state, RouteState::Failed { .. })).await;
    let RouteState::Failed { error, .. } = status.state else { panic!("{status:?}") };
    assert!(error.contains("missing"), "{error}");
    test.put(ORDERS);
    test.until("orders", |status| status.state == RouteState::Running).await;
    test.stop().await;
}

/// An operator who has removed the cause does not wait for the next start.
#[tokio::test]
async fn a_failed_route_is_started_at_once_by_an_operator() {
    let server = Server::answering(200).await;
    let test = TestRoutes::new(&server.url).await;
    test.put(&ORDERS.replace("queue = { name = \"orders\"", "queue = { name = \"late\""));
    let waits = |status: &RouteStatus| match &status.state {
        RouteState::Failed { next_start_at, .. } => next_start_at.since(status.since),
        _ => Span::ZERO,
    };
    let failed = test.until("orders", |status| waits(status) >= Span::from_secs(4)).await;
    let RouteState::Failed { next_start_at, .. } = failed.state else { panic!("{failed:?}") };
    let name = QueueName::new("late").unwrap();
    let settings = QueueSettings { dead_queue: Some(QueueName::new("dead").unwrap()), ..QueueSettings::new(name) };
    test.store.create_queue(CreateQueue { settings }).await.unwrap();
    test.routes.set_intent(&id("orders"), RouteIntent::Run);
    let running = test.until("orders", |status| status.state == RouteState::Running).await;
    assert!(running.since < next_start_at, "it runs since {}, and not before {next_start_at}", running.since);
    test.stop().await;
}

#[tokio::test]
async fn a_queue_of_another_namespace_does_not_exist_for_a_route() {
    let server = Server::answering(200).await;
    let test = TestRoutes::new(&server.url).await;
    test.put(&format!("namespace = \"shop\"\n{ORDERS}"));
    let shop = RouteId { namespace: "shop".to_owned(), name: "orders".to_owned() };
    let error = loop {
        let status = test.routes.status(&shop).await.unwrap();
        if let RouteState::Failed { error, .. } = status.state {
            break error;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    assert_eq!(error, "queue does not exist; no such queue named 'orders'");
    test.routes.stop(Span::ZERO).await;
}

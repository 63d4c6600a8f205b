//! A route over a queue.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use redrive_core::Span;
use redrive_routes::{RouteId, RouteIntent, RouteState};

use super::fixture::{ORDERS, TestRoutes, connections, id, route};
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
async fn a_paused_route_takes_nothing_and_a_stopped_one_has_drained() {
    let server = Server::answering(200).await;
    let test = TestRoutes::new(&server.url).await;
    test.put(ORDERS);
    test.until("orders", |status| status.state == RouteState::Running).await;
    assert!(test.routes.set_intent(&id("orders"), RouteIntent::Pause));
    test.until("orders", |status| status.state == RouteState::Paused).await;
    test.produce(["waits".to_owned()]).await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(test.status("orders").await.totals.done, 0);
    test.routes.set_intent(&id("orders"), RouteIntent::Run);
    test.until("orders", |status| status.totals.done == 1).await;
    test.routes.set_intent(&id("orders"), RouteIntent::Stop);
    let status = test.until("orders", |status| status.state == RouteState::Stopped).await;
    assert_eq!(status.totals.done, 1, "totals survive the end of a runner");
    assert!(!test.routes.set_intent(&id("other"), RouteIntent::Run), "there is no such route");
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
        test.routes.reload(connections(url), vec![route(ORDERS)]).await;
    }
    test.until("orders", |status| status.totals.done == 500).await;
    let seen = seen.lock().unwrap();
    let distinct: BTreeSet<&Vec<u8>> = seen.iter().collect();
    assert_eq!((seen.len(), distinct.len()), (500, 500));
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
    test.routes.reload(connections(&server.url), vec![route(ORDERS)]).await;
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

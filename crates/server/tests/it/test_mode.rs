//! Test mode: a frozen clock and paused queues, controlled through a separate listener.

use std::net::SocketAddr;
use std::sync::Arc;

use redrive_core::{Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::{Server, StartError, TestClock, TestMode};
use redrive_store::Clock;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::harness::{Caller, local_settings};

/// A server in test mode, with one caller for the API listener and one for the control listener.
struct TestModeFixture {
    api: Caller,
    control: Caller,
    address: SocketAddr,
    stop: CancellationToken,
}

impl TestModeFixture {
    async fn new() -> Self {
        let server = server(([127, 0, 0, 1], 0).into()).await.unwrap();
        let (address, control) = (server.address(), server.control_address().unwrap());
        let stop = CancellationToken::new();
        tokio::spawn(server.serve(stop.clone()));
        let mut fixture =
            Self { api: Caller::connect(address).await, control: Caller::connect(control).await, address, stop };
        fixture.control.ok("/v1/test.freeze", json!({ "time": "2026-11-15T12:00:00Z" })).await;
        fixture.api.create("orders", json!({})).await;
        fixture
    }

    async fn produce(&mut self, count: usize) {
        let items = vec![json!({ "utf8": "x" }); count];
        let produce = json!({ "queue_name": "orders", "request_timeout": "1m", "items": items });
        self.api.ok("/v1/queue.produce", produce).await;
    }

    /// Starts a lease request on a separate connection.
    async fn spawn_lease(&self, client: &str, batch: usize) -> tokio::task::JoinHandle<crate::harness::Response> {
        let mut caller = Caller::connect(self.address).await;
        let lease =
            json!({ "queue_name": "orders", "batch_size": batch, "client_id": client, "request_timeout": "1m" });
        tokio::spawn(async move { caller.json("/v1/queue.lease", lease).await })
    }

    async fn until_waiting_leases(&mut self, count: u64) {
        loop {
            let stats = self.api.ok("/v1/queue.stats", json!({ "queue_name": "orders" })).await;
            if stats["logicalQueues"][0]["lease_waiting"].as_u64().unwrap_or(0) == count {
                return;
            }
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for TestModeFixture {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn server(control: SocketAddr) -> Result<Server, StartError> {
    let clock = TestClock::new();
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
    let settings = local_settings();
    let server = Server::bind(settings, store.clone(), Arc::new(clock.clone())).await?;
    server.with_test_mode(TestMode { listen: control, clock, store }).await
}

#[tokio::test]
async fn a_waiting_lease_times_out_only_when_the_frozen_clock_is_advanced_to_its_deadline() {
    let mut fixture = TestModeFixture::new().await;
    let waiting = fixture.spawn_lease("c", 1).await;
    fixture.until_waiting_leases(1).await;
    fixture.control.ok("/v1/test.advance", json!({ "duration": "59s" })).await;
    fixture.until_waiting_leases(1).await;
    assert!(!waiting.is_finished());
    fixture.control.ok("/v1/test.advance", json!({ "duration": "1s" })).await;
    let message = "request timeout; no items are in the queue, try again".to_owned();
    assert_eq!(waiting.await.unwrap().rejection(), (454, message));
}

#[tokio::test]
async fn due_events_happen_when_the_clock_is_advanced() {
    let mut fixture = TestModeFixture::new().await;
    fixture.produce(1).await;
    let first = fixture.spawn_lease("c", 1).await.await.unwrap().value();
    assert_eq!(first["items"][0]["lease_deadline"], "2026-11-15T12:01:00Z");
    fixture.control.ok("/v1/test.advance", json!({ "duration": "1m1s" })).await;
    let second = fixture.spawn_lease("c", 1).await.await.unwrap().value();
    assert_eq!(second["items"][0]["attempts"], 2);
    assert_ne!(second["items"][0]["id"], first["items"][0]["id"]);
}

#[tokio::test]
async fn a_queue_paused_in_test_mode_holds_requests_and_serves_them_in_one_pass() {
    let mut fixture = TestModeFixture::new().await;
    fixture.produce(23).await;
    fixture.control.ok("/v1/test.pause", json!({ "queue_name": "orders" })).await;
    fixture.control.ok("/v1/test.pause", json!({ "queue_name": "orders" })).await;
    let mut waiting = Vec::new();
    for (client, batch, count) in [("a", 20, 1), ("b", 6, 2), ("c", 1, 3)] {
        waiting.push(fixture.spawn_lease(client, batch).await);
        fixture.until_waiting_leases(count).await;
    }
    fixture.control.ok("/v1/test.advance", json!({ "duration": "10m" })).await;
    fixture.until_waiting_leases(3).await;
    fixture.control.ok("/v1/test.unpause", json!({ "queue_name": "orders" })).await;
    let mut got = Vec::new();
    for lease in waiting {
        got.push(lease.await.unwrap().value()["items"].as_array().unwrap().len());
    }
    assert_eq!(got, [16, 6, 1]);
}

#[tokio::test]
async fn a_held_produce_does_not_time_out() {
    let mut fixture = TestModeFixture::new().await;
    fixture.control.ok("/v1/test.pause", json!({ "queue_name": "orders" })).await;
    let mut caller = Caller::connect(fixture.address).await;
    let produce = json!({ "queue_name": "orders", "request_timeout": "1m", "items": [{ "utf8": "x" }] });
    let held = tokio::spawn(async move { caller.json("/v1/queue.produce", produce).await });
    loop {
        let stats = fixture.api.ok("/v1/queue.stats", json!({ "queue_name": "orders" })).await;
        if stats["logicalQueues"][0]["produce_waiting"] == 1 {
            break;
        }
    }
    fixture.control.ok("/v1/test.advance", json!({ "duration": "10m" })).await;
    fixture.control.ok("/v1/test.unpause", json!({ "queue_name": "orders" })).await;
    assert_eq!(held.await.unwrap().status, 200);
}

#[tokio::test]
async fn the_control_listener_rejects_invalid_requests_with_a_message() {
    let mut fixture = TestModeFixture::new().await;
    for (path, body, code, message) in [
        ("/v1/test.pause", json!({ "queue_name": "none" }), 400, "queue does not exist; no such queue named 'none'"),
        ("/v1/test.rewind", json!({}), 501, "no such method; /v1/test.rewind"),
    ] {
        assert_eq!(fixture.control.json(path, body).await.rejection(), (code, message.to_owned()));
    }
    assert_eq!(fixture.control.json("/v1/test.freeze", json!({ "time": "noon" })).await.rejection().0, 455);
    assert_eq!(fixture.control.json("/v1/test.freeze", json!({ "when": "noon" })).await.rejection().0, 455);
    fixture.control.ok("/v1/test.unfreeze", json!({})).await;
    let rejected = fixture.control.json("/v1/test.advance", json!({ "duration": "1s" })).await.rejection();
    assert_eq!(rejected, (400, "the clock is not frozen; freeze it first".to_owned()));
}

#[tokio::test]
async fn the_control_listener_must_be_on_loopback() {
    let rejected = server(([0, 0, 0, 0], 0).into()).await.unwrap_err();
    assert!(matches!(rejected, StartError::ControlNotLoopback(_)), "{rejected}");
}

#[test]
fn the_monotonic_test_clock_advances_as_set_and_never_goes_back() {
    let clock = TestClock::new();
    let begin = clock.monotonic();
    let noon: Time = "2026-11-15T12:00:00Z".parse().unwrap();
    clock.freeze(noon);
    let frozen = clock.monotonic();
    assert!(frozen >= begin);
    assert!(clock.advance(Span::from_hours(1)));
    let moved = frozen.saturating_add(Span::from_hours(1));
    assert_eq!(clock.monotonic(), moved);
    clock.freeze(noon);
    assert_eq!(clock.monotonic(), moved, "only the time of day goes back");
    clock.unfreeze();
    assert!(clock.monotonic() >= moved, "the clock continues from the frozen time");
}

//! Test mode: a clock and queues that stand still.

use std::net::SocketAddr;
use std::sync::Arc;

use redrive_core::{Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::{Server, Settings, StartError, TestClock, TestMode};
use redrive_store::Clock;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::bed::Caller;

/// A server in test mode, with a caller of each of its listeners.
struct Rig {
    api: Caller,
    control: Caller,
    address: SocketAddr,
    stop: CancellationToken,
}

impl Rig {
    async fn new() -> Self {
        let server = server(([127, 0, 0, 1], 0).into()).await.unwrap();
        let (address, control) = (server.address(), server.control_address().unwrap());
        let stop = CancellationToken::new();
        tokio::spawn(server.serve(stop.clone()));
        let mut rig =
            Self { api: Caller::connect(address).await, control: Caller::connect(control).await, address, stop };
        rig.control.ok("/v1/test.freeze", json!({ "time": "2026-11-15T12:00:00Z" })).await;
        let queue = json!({ "queue_name": "orders", "lease_timeout": "1m", "expire_timeout": "24h", "requested_partitions": 1 });
        rig.api.ok("/v1/queues.create", queue).await;
        rig
    }

    async fn produce(&mut self, count: usize) {
        let items = vec![json!({ "utf8": "x" }); count];
        let produce = json!({ "queue_name": "orders", "request_timeout": "1m", "items": items });
        self.api.ok("/v1/queue.produce", produce).await;
    }

    /// A lease that waits, on a connection of its own.
    async fn leasing(&self, client: &str, batch: usize) -> tokio::task::JoinHandle<crate::bed::Heard> {
        let mut caller = Caller::connect(self.address).await;
        let lease =
            json!({ "queue_name": "orders", "batch_size": batch, "client_id": client, "request_timeout": "1m" });
        tokio::spawn(async move { caller.json("/v1/queue.lease", lease).await })
    }

    async fn until_waiting(&mut self, count: u64) {
        loop {
            let stats = self.api.ok("/v1/queue.stats", json!({ "queue_name": "orders" })).await;
            if stats["logicalQueues"][0]["lease_waiting"].as_u64().unwrap_or(0) == count {
                return;
            }
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn server(control: SocketAddr) -> Result<Server, StartError> {
    let clock = TestClock::new();
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
    let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), ..Settings::default() };
    let server = Server::bind(settings, store.clone(), Arc::new(clock.clone())).await?;
    server.with_test_mode(TestMode { listen: control, clock, store }).await
}

#[tokio::test]
async fn a_waiting_lease_ends_only_when_the_frozen_clock_is_moved_past_its_deadline() {
    let mut rig = Rig::new().await;
    let waiting = rig.leasing("c", 1).await;
    rig.until_waiting(1).await;
    rig.control.ok("/v1/test.advance", json!({ "duration": "59s" })).await;
    rig.until_waiting(1).await;
    assert!(!waiting.is_finished());
    rig.control.ok("/v1/test.advance", json!({ "duration": "1s" })).await;
    let message = "request timeout; no items are in the queue, try again".to_owned();
    assert_eq!(waiting.await.unwrap().refusal(), (454, message));
}

#[tokio::test]
async fn what_is_due_happens_when_the_clock_is_moved() {
    let mut rig = Rig::new().await;
    rig.produce(1).await;
    let first = rig.leasing("c", 1).await.await.unwrap().value();
    assert_eq!(first["items"][0]["lease_deadline"], "2026-11-15T12:01:00Z");
    rig.control.ok("/v1/test.advance", json!({ "duration": "1m1s" })).await;
    let second = rig.leasing("c", 1).await.await.unwrap().value();
    assert_eq!(second["items"][0]["attempts"], 2);
    assert_ne!(second["items"][0]["id"], first["items"][0]["id"]);
}

#[tokio::test]
async fn a_paused_queue_holds_requests_and_serves_them_in_one_pass() {
    let mut rig = Rig::new().await;
    rig.produce(23).await;
    rig.control.ok("/v1/test.pause", json!({ "queue_name": "orders" })).await;
    rig.control.ok("/v1/test.pause", json!({ "queue_name": "orders" })).await;
    let mut waiting = Vec::new();
    for (client, batch, count) in [("a", 20, 1), ("b", 6, 2), ("c", 1, 3)] {
        waiting.push(rig.leasing(client, batch).await);
        rig.until_waiting(count).await;
    }
    rig.control.ok("/v1/test.advance", json!({ "duration": "10m" })).await;
    rig.until_waiting(3).await;
    rig.control.ok("/v1/test.unpause", json!({ "queue_name": "orders" })).await;
    let mut got = Vec::new();
    for lease in waiting {
        got.push(lease.await.unwrap().value()["items"].as_array().unwrap().len());
    }
    assert_eq!(got, [16, 6, 1]);
}

#[tokio::test]
async fn a_produce_that_is_held_does_not_time_out() {
    let mut rig = Rig::new().await;
    rig.control.ok("/v1/test.pause", json!({ "queue_name": "orders" })).await;
    let mut caller = Caller::connect(rig.address).await;
    let produce = json!({ "queue_name": "orders", "request_timeout": "1m", "items": [{ "utf8": "x" }] });
    let held = tokio::spawn(async move { caller.json("/v1/queue.produce", produce).await });
    loop {
        let stats = rig.api.ok("/v1/queue.stats", json!({ "queue_name": "orders" })).await;
        if stats["logicalQueues"][0]["produce_waiting"] == 1 {
            break;
        }
    }
    rig.control.ok("/v1/test.advance", json!({ "duration": "10m" })).await;
    rig.control.ok("/v1/test.unpause", json!({ "queue_name": "orders" })).await;
    assert_eq!(held.await.unwrap().status, 200);
}

#[tokio::test]
async fn the_control_listener_says_what_is_wrong() {
    let mut rig = Rig::new().await;
    for (path, body, code, message) in [
        ("/v1/test.pause", json!({ "queue_name": "none" }), 400, "queue does not exist; no such queue named 'none'"),
        ("/v1/test.rewind", json!({}), 501, "no such method; /v1/test.rewind"),
    ] {
        assert_eq!(rig.control.json(path, body).await.refusal(), (code, message.to_owned()));
    }
    assert_eq!(rig.control.json("/v1/test.freeze", json!({ "time": "noon" })).await.refusal().0, 455);
    assert_eq!(rig.control.json("/v1/test.freeze", json!({ "when": "noon" })).await.refusal().0, 455);
    rig.control.ok("/v1/test.unfreeze", json!({})).await;
    let refused = rig.control.json("/v1/test.advance", json!({ "duration": "1s" })).await.refusal();
    assert_eq!(refused, (400, "the clock is not frozen; freeze it first".to_owned()));
}

#[tokio::test]
async fn the_control_listener_is_on_loopback_or_nowhere() {
    let refused = server(([0, 0, 0, 0], 0).into()).await.unwrap_err();
    assert!(matches!(refused, StartError::ControlNotLoopback(_)), "{refused}");
}

#[test]
fn a_clock_counts_what_it_is_moved_by_and_never_goes_back() {
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
    assert_eq!(clock.monotonic(), moved, "the time of day went back alone");
    clock.unfreeze();
    assert!(clock.monotonic() >= moved, "it goes on from where it stood");
}

//! Many concurrent callers.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_server::Settings;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use crate::harness::{Caller, StoreKind, TestServer, leased, local_settings, on_each_store_multi_threaded, run};

const PRODUCERS: usize = 8;
const REQUESTS: usize = 25;
const BATCH: usize = 4;
const ITEMS: usize = PRODUCERS * REQUESTS * BATCH;

async fn produce_all(mut caller: Caller, producer: usize) {
    for request in 0..REQUESTS {
        let payloads: Vec<String> = (0..BATCH).map(|item| format!("{producer}-{request}-{item}")).collect();
        caller.produce("q", &payloads.iter().map(String::as_str).collect::<Vec<_>>()).await;
    }
}

/// Leases until the queue is deleted. Sends the ids of each lease to `to`; returns all payloads.
async fn lease_all(mut caller: Caller, client: usize, to: mpsc::Sender<(i32, Vec<String>)>) -> Vec<String> {
    let mut mine = Vec::new();
    loop {
        let lease = json!({
            "queue_name": "q", "batch_size": 7, "client_id": client.to_string(), "request_timeout": "15m",
        });
        let response = caller.json("/v1/queue.lease", lease).await;
        if response.status == 453 {
            return mine;
        }
        let items = leased(&response.value());
        assert!(items.iter().all(|item| item.attempts == 1), "no item is leased twice");
        mine.extend(items.iter().map(|item| item.payload.clone()));
        to.send((items[0].partition, items.into_iter().map(|item| item.id).collect())).await.unwrap();
    }
}

#[test]
fn every_item_is_leased_and_completed_exactly_once() {
    on_each_store_multi_threaded(async |server| {
        let mut caller = server.caller().await;
        caller.create("q", json!({ "requested_partitions": 3 })).await;
        let (to, from) = mpsc::channel(16);
        let from = Arc::new(tokio::sync::Mutex::new(from));
        let completed = Arc::new(Semaphore::new(0));
        let mut producers = JoinSet::new();
        for producer in 0..PRODUCERS {
            producers.spawn(produce_all(server.caller().await, producer));
        }
        let mut lessees = JoinSet::new();
        for client in 0..8 {
            lessees.spawn(lease_all(server.caller().await, client, to.clone()));
        }
        drop(to);
        let mut completers = JoinSet::new();
        for _ in 0..4 {
            let (mut caller, from, completed) = (server.caller().await, Arc::clone(&from), Arc::clone(&completed));
            completers.spawn(async move {
                loop {
                    let Some((partition, ids)) = from.lock().await.recv().await else { return };
                    let body: Value = json!({
                        "queue_name": "q", "partition": partition, "request_timeout": "1m", "ids": ids,
                    });
                    caller.ok("/v1/queue.complete", body).await;
                    completed.add_permits(ids.len());
                }
            });
        }
        while let Some(done) = producers.join_next().await {
            done.unwrap();
        }
        drop(completed.acquire_many(u32::try_from(ITEMS).unwrap()).await.unwrap());
        let mut caller = server.caller().await;
        assert_eq!(caller.counts("q").await, [(0, 0, 0); 3]);
        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        let mut had: BTreeMap<String, usize> = BTreeMap::new();
        while let Some(mine) = lessees.join_next().await {
            for payload in mine.unwrap() {
                *had.entry(payload).or_default() += 1;
            }
        }
        while let Some(done) = completers.join_next().await {
            done.unwrap();
        }
        assert_eq!((had.len(), had.values().copied().max()), (ITEMS, Some(1)));
    });
}

#[test]
fn a_thousand_idle_connections_do_not_affect_other_callers() {
    let settings = Settings { connections_max: 1_010, ..local_settings() };
    run(async {
        let server = TestServer::with(StoreKind::Memory, settings).await;
        let mut idle = Vec::new();
        for _ in 0..1_000 {
            let mut raw = server.raw_connection().await;
            raw.post("/v1/queues.list", "{}").await;
            idle.push(raw);
        }
        for raw in &mut idle {
            assert_eq!(raw.response().await.unwrap().status, 200);
        }
        let mut caller = server.caller().await;
        caller.create("q", json!({})).await;
        for _ in 0..20 {
            caller.produce("q", &["a"]).await;
            let held = caller.lease("q", 1).await;
            caller.complete("q", &held).await;
        }
        for raw in idle.iter_mut().step_by(100) {
            raw.post("/v1/queue.stats", r#"{"queue_name":"q"}"#).await;
            assert_eq!(raw.response().await.unwrap().status, 200);
        }
    });
}

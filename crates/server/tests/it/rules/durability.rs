//! R1, R21, R25, R26, R27: durability, storage errors, and equal behaviour of all stores.

use redrive_core::Span;
use redrive_journal::{Crash, SimDisk, SyncFault};
use serde_json::{Value, json};

use crate::harness::{
    Caller, StoreKind, TestServer, contents, ids, on_each_store_with_caller, on_simulated_disk,
    on_simulated_disk_with_target, on_store_with_queue, queue_settings, run,
};

const FAILED: &str = "store is not writable; the disk failed, repair it and restart the server";
const FULL: &str = "store is not writable; the disk is full, complete or purge items, or free disk space";

/// The status code of a health page, its overall status, and the output of the store's check.
async fn health(caller: &mut Caller, path: &str) -> (u16, Value, Value) {
    let response = caller.page(path).await;
    let page = response.value();
    (response.status.as_u16(), page["status"].clone(), page["checks"]["queues:storage"][0]["output"].clone())
}

#[test]
fn r01_a_storage_error_is_reported_and_reads_still_work() {
    on_simulated_disk(async |disk, server, mut caller| {
        for queue in ["q", "empty"] {
            caller.create(queue, json!({})).await;
        }
        caller.produce("q", &["kept", "held"]).await;
        let held = caller.lease_one("q").await;
        let waiting = server.spawn_lease("empty", "c", 1).await;
        disk.fail_syncs_after(0, SyncFault::Error);
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": "lost" }] });
        assert_eq!(caller.rejection("/v1/queue.produce", produce.clone()).await, (454, FAILED.to_owned()));
        assert_eq!(waiting.await.unwrap().rejection(), (454, FAILED.to_owned()));
        let id = &held.id;
        let lease = json!({ "queue_name": "q", "batch_size": 1, "client_id": "c", "request_timeout": "1m" });
        for (path, body) in [
            ("/v1/queue.produce", produce),
            ("/v1/queue.lease", lease),
            ("/v1/queue.complete", json!({ "queue_name": "q", "request_timeout": "1m", "ids": [id] })),
            ("/v1/queue.retry", json!({ "queue_name": "q", "items": [{ "id": id }] })),
            ("/v1/queue.clear", json!({ "queue_name": "q", "queue": true, "destructive": true })),
            ("/v1/queues.create", queue_settings("new", json!({}))),
            ("/v1/queues.update", json!({ "queue_name": "q", "lease_timeout": "2m" })),
            ("/v1/queues.delete", json!({ "queue_name": "q" })),
            ("/v1/storage/items.import", json!({ "queue_name": "q", "items": [{}] })),
            ("/v1/storage/items.delete", json!({ "queue_name": "q", "ids": [id] })),
            ("/v1/queue.extend", json!({ "queue_name": "q", "ids": [id] })),
            ("/v1/queue.pause", json!({ "queue_name": "q" })),
        ] {
            assert_eq!(caller.rejection(path, body).await, (454, FAILED.to_owned()), "{path}");
        }
        assert_eq!(caller.counts("q").await, [(2, 1, 0)]);
        assert_eq!(caller.items("q", 0).await.len(), 2, "acknowledged items can be read");
        let output = json!("the disk failed: only reads are answered until the server is started again");
        for path in ["/health", "/health/ready"] {
            assert_eq!(health(&mut caller, path).await, (503, json!("fail"), output.clone()), "{path}");
        }
        assert_eq!(health(&mut caller, "/health/live").await.0, 200);
    });
}

/// Creates the queue `q`, whose dead queue `dead` exists, and produces until the disk is full; returns the number of stored items.
async fn fill(disk: &SimDisk, caller: &mut Caller) -> usize {
    caller.create("q", json!({ "dead_queue": "dead" })).await;
    for source_id in ["a", "b", "c"] {
        let failure = json!({ "error": "no such customer" });
        let letter = json!({ "source_id": source_id, "fault": failure, "retry_policy": "never" });
        caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": [letter] })).await;
    }
    disk.set_capacity(Some(disk.used() + (1 << 20)));
    let mut taken = 0;
    loop {
        let item = json!({ "utf8": "x".repeat(20_000) });
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [item] });
        let response = caller.json("/v1/queue.produce", produce).await;
        if response.status.as_u16() != 200 {
            assert_eq!(response.rejection(), (454, FULL.to_owned()));
            return taken;
        }
        taken += 1;
    }
}

#[test]
fn a_server_starts_on_a_full_disk_and_can_free_space() {
    for is_killed in [false, true] {
        on_simulated_disk(async |disk, mut server, mut caller| {
            caller.create("dead", json!({})).await;
            let taken = fill(&disk, &mut caller).await;
            let output = json!("the disk is full: only operations that free space are accepted");
            let expected = (200, json!("warn"), output);
            assert_eq!(health(&mut caller, "/health/ready").await, expected, "the server still serves");
            if is_killed {
                server
                    .crash(|| {
                        disk.crash(Crash::KeepAll, 1);
                        disk.set_capacity(Some(disk.used()));
                    })
                    .await;
            } else {
                disk.set_capacity(Some(disk.used()));
                server.restart().await;
            }
            let mut caller = server.caller().await;
            let letters = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await;
            let ids: Vec<Value> =
                letters["letters"].as_array().unwrap().iter().map(|letter| letter["id"].clone()).collect();
            assert_eq!(ids.len(), 3);
            caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [ids[0]] })).await;
            caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [ids[1]] })).await;
            for _ in 0..taken {
                let held = caller.lease_one("q").await;
                caller.complete("q", &[held]).await;
            }
            assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
        });
    }
}

#[test]
fn an_act_that_cannot_be_recorded_on_a_full_disk_is_not_done() {
    on_simulated_disk_with_target(async |disk, _server, mut caller, _target| {
        fill(&disk, &mut caller).await;
        let letters = caller.ok("/v1/letters.list", json!({ "queue_name": "dead" })).await["letters"].clone();
        let plan = |action: &str| json!({ "queue_name": "dead", "action": action, "all": "dead" });
        let archive = caller.ok("/v1/letters.plan", plan("archive")).await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let process = |action: &str| json!({ "queue_name": "dead", "action": action });
        for (path, body) in [
            ("/v1/letters.retry", json!({ "queue_name": "dead", "id": letters[0]["id"] })),
            ("/v1/letters.process", process("start")),
            ("/v1/letters.plan", plan("retry")),
        ] {
            assert_eq!(caller.rejection(path, body).await, (454, FULL.to_owned()), "{path}");
        }
        // A retry would wait for the answer of the target.
        let list = json!({ "queue_name": "dead" });
        assert_eq!(caller.ok("/v1/letters.list", list).await["letters"], letters, "no letter was tried");
        assert_eq!(caller.ok("/v1/letters.process", process("")).await["state"], "stopped");
        let archived = caller.carry_out(&archive).await;
        assert_eq!(archived["changed"], "3", "what frees space is done: {archived}");
    });
}

#[test]
fn r01_acknowledged_changes_survive_a_crash_of_the_machine() {
    on_simulated_disk(async |disk, mut server, mut caller| {
        caller.create("q", json!({})).await;
        caller.produce("q", &["a", "b", "c"]).await;
        let held = caller.lease("q", 2).await;
        caller.complete("q", &held[..1]).await;
        server.crash(|| disk.crash(Crash::LoseAll, 1)).await;
        let mut caller = server.caller().await;
        assert_eq!(caller.counts("q").await, [(2, 1, 0)]);
        caller.complete("q", &held[1..]).await;
        assert_eq!(contents(&caller.lease("q", 9).await), ["c"]);
    });
}

#[test]
fn r21_a_deleted_queue_leaves_nothing_behind() {
    on_each_store_with_caller(async |mut server, mut caller| {
        for force in [false, true] {
            caller.create_with_dead("q", json!({ "requested_partitions": 2 })).await;
            caller.produce("q", &["ready"]).await;
            caller.produce_items("q", json!([{ "enqueue_at": "2026-11-15T13:00:00Z" }])).await;
            caller.ok("/v1/storage/items.import", json!({ "queue_name": "q", "items": [{ "source_id": "s" }] })).await;
            caller.lease_one("q").await;
            caller.ok("/v1/queues.delete", json!({ "queue_name": "q", "force": force })).await;
            caller.create("q", json!({ "requested_partitions": 2 })).await;
            server.advance(Span::from_hours(30));
            assert_eq!(caller.counts("q").await, [(0, 0, 0); 2]);
            let item = json!({ "queue_name": "q", "items": [{ "source_id": "s" }] });
            let imported = caller.ok("/v1/storage/items.import", item).await;
            assert_eq!(imported["items"][0]["source_id"], "s", "a deleted queue frees its source ids");
            assert_eq!(caller.counts("dead").await, [(0, 0, 0)]);
            for queue in ["q", "dead"] {
                caller.ok("/v1/queues.delete", json!({ "queue_name": queue, "force": force })).await;
            }
        }
        if server.store_kind() == StoreKind::Journal {
            server.restart().await;
            assert_eq!(server.caller().await.ok("/v1/queues.list", json!({})).await, json!({}));
        }
    });
}

/// Runs a fixed history; returns everything that a caller can see of it, without ids.
async fn history(server: &TestServer) -> Vec<Value> {
    let mut caller = server.caller().await;
    caller.create_with_dead("q", json!({ "requested_partitions": 2, "max_attempts": 2 })).await;
    caller.produce("q", &["a", "b", "c"]).await;
    caller.produce_items("q", json!([{ "utf8": "later", "enqueue_at": "2026-11-15T12:00:30Z" }])).await;
    let source = json!({ "source_id": "s", "payload": "aQ==" });
    caller.ok("/v1/storage/items.import", json!({ "queue_name": "q", "partition": 1, "items": [source] })).await;
    let mut seen = vec![json!(caller.counts("q").await)];
    let held = caller.lease("q", 2).await;
    caller.retry("q", &held[0], json!({ "retry_at": "2026-11-15T12:05:00Z" })).await;
    for _ in 0..3 {
        server.advance(Span::from_secs(61));
        caller.lease("q", 1).await;
        seen.push(caller.stats("q").await);
    }
    caller.ok("/v1/queue.clear", json!({ "queue_name": "q", "queue": true })).await;
    server.advance(Span::from_mins(10));
    for queue in ["q", "dead"] {
        seen.push(caller.stats(queue).await);
        for partition in 0..caller.counts(queue).await.len() {
            let partition = i32::try_from(partition).unwrap();
            let all = [caller.items(queue, partition).await, caller.scheduled(queue, partition).await].concat();
            seen.extend(all.into_iter().map(|mut item| {
                for field in ["id", "source_id"] {
                    let is_id = item[field].as_str().is_some_and(|text| text.len() == 27);
                    if is_id {
                        item[field] = json!("an id");
                    }
                }
                item
            }));
        }
    }
    seen.push(caller.ok("/v1/queues.list", json!({ "limit": 1 })).await);
    seen
}

#[test]
fn r25_memory_and_journal_behave_the_same() {
    run(async {
        let memory = history(&TestServer::new(StoreKind::Memory).await).await;
        assert_eq!(memory, history(&TestServer::new(StoreKind::Journal).await).await);
        assert!(memory.len() > 6);
    });
}

#[test]
fn r26_export_and_import_keep_scheduled_items_and_set_expiry() {
    on_each_store_with_caller(async |server, mut caller| {
        for queue in ["from", "to"] {
            caller.create(queue, json!({ "expire_timeout": "2h" })).await;
        }
        caller.produce_items("from", json!([{ "utf8": "x", "enqueue_at": "2026-11-15T13:00:00Z" }])).await;
        let exported = caller.scheduled("from", 0).await;
        assert_eq!(exported[0]["enqueue_at"], "2026-11-15T13:00:00Z");
        let bare = json!({ "payload": "YQ==" });
        caller.ok("/v1/storage/items.import", json!({ "queue_name": "to", "items": [exported[0], bare] })).await;
        assert_eq!(caller.counts("to").await, [(1, 0, 1)]);
        assert_eq!(caller.items("to", 0).await[0]["expire_deadline"], "2026-11-15T14:00:00Z");
        assert_eq!(caller.scheduled("to", 0).await[0]["expire_deadline"], "2026-11-15T15:00:00Z");
        server.advance(Span::from_hours(1));
        assert_eq!(contents(&caller.lease("to", 5).await), ["a", "x"]);
    });
}

#[test]
fn r27_ids_increase_across_restarts_within_a_second_and_when_the_clock_steps_back() {
    on_store_with_queue(StoreKind::Journal, "q", async |mut server, _caller| {
        let mut all: Vec<String> = Vec::new();
        for round in 0..4 {
            let mut caller = server.caller().await;
            caller.produce_many("q", 3).await;
            all.extend(ids(&caller.lease("q", 10).await).into_iter().map(str::to_owned));
            if round % 2 == 0 {
                server.restart().await;
            } else {
                let back = server.clock_now().saturating_sub(Span::from_secs(3));
                server.clock.set(back);
            }
        }
        assert_eq!(all.len(), 12);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:#?}");
    });
}

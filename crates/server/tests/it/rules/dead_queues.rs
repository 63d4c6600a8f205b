//! R10 to R15: moving items to the dead queue.

use redrive_core::{QueueName, Span};
use redrive_journal::Crash;
use redrive_model::GetLetter;
use redrive_store::Store;
use serde_json::json;

use crate::harness::{on_each_store_with_caller, on_simulated_disk};

const INSTANT: Span = Span::from_micros(1);

#[test]
fn r10_a_dead_item_arrives_exactly_once_leased_or_not() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("q", json!({ "max_attempts": 1, "expire_timeout": "1h" })).await;
        caller.produce("q", &["expires", "is held"]).await;
        let first = caller.lease_one("q").await;
        caller.ok("/v1/storage/items.import", json!({ "queue_name": "q", "items": [{ "payload": "aQ==" }] })).await;
        server.advance(Span::from_mins(1).saturating_add(INSTANT));
        assert_eq!(caller.counts("dead").await, [(1, 0, 0)]);
        server.advance(Span::from_hours(1));
        for _ in 0..10 {
            caller.produce("q", &["traffic"]).await;
            let held = caller.lease("q", 10).await;
            caller.complete("q", &held).await;
            server.advance(Span::from_secs(5));
        }
        let mut there: Vec<String> = caller.lease("dead", 100).await.into_iter().map(|item| item.payload).collect();
        there.sort();
        assert_eq!(there, ["expires", "i", "is held"]);
        assert_eq!(caller.items("dead", 0).await[0]["source_id"], first.id.as_str());
    });
}

#[test]
fn r10_a_dead_item_arrives_exactly_once_across_a_crash() {
    for (changes, crash) in (0..6).flat_map(|changes| [(changes, Crash::LoseAll), (changes, Crash::Any)]) {
        on_simulated_disk(async |disk, mut server, mut caller| {
            caller.create_with_dead("q", json!({})).await;
            caller.produce("q", &["a"]).await;
            let held = caller.lease_one("q").await;
            disk.stop_after(changes);
            let retry = json!({ "queue_name": "q", "items": [{ "id": held.id, "dead": true }] });
            let answer = caller.json("/v1/queue.retry", retry).await.status;
            server.crash(|| disk.crash(crash, changes)).await;
            let mut caller = server.caller().await;
            let there = (caller.counts("q").await[0].0, caller.counts("dead").await[0].0);
            let expected: &[(u64, u64)] = if answer == 200 { &[(0, 1)] } else { &[(0, 1), (1, 0)] };
            assert!(expected.contains(&there), "{changes} changes, {crash:?}, {answer}: {there:?}");
        });
    }
}

#[test]
fn r11_dead_items_are_placed_on_the_partitions_of_the_dead_queue() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("dead", json!({ "requested_partitions": 3 })).await;
        caller.create("q", json!({ "dead_queue": "dead", "expire_timeout": "1m" })).await;
        for number in 0..6 {
            caller.produce("q", &[&number.to_string()]).await;
        }
        server.advance(Span::from_mins(2));
        assert_eq!(caller.counts("q").await, [(0, 0, 0)]);
        assert_eq!(caller.counts("dead").await, [(2, 0, 0); 3]);
        let mut all = Vec::new();
        for _ in 0..3 {
            all.extend(caller.lease("dead", 2).await);
        }
        assert_eq!(all.len(), 6, "all items can be leased");
        let source = caller.items("dead", 0).await[0]["source_id"].clone();
        let again = json!({ "queue_name": "dead", "partition": 2, "items": [{ "source_id": source }] });
        let imported = caller.ok("/v1/storage/items.import", again).await;
        assert_eq!(imported["items"][0].get("id"), None, "a source id is unique in the whole queue");
    });
}

#[test]
fn r12_an_item_whose_dead_queue_is_missing_stays_until_the_queue_exists() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("q", json!({ "expire_timeout": "1m" })).await;
        caller.produce("q", &["a"]).await;
        caller.ok("/v1/queues.delete", json!({ "queue_name": "dead", "force": true })).await;
        for _ in 0..20 {
            server.advance(Span::from_mins(1));
            assert_eq!(caller.counts("q").await[0].0, 1, "the item is not dropped");
        }
        caller.create("dead", json!({})).await;
        for _ in 0..20 {
            server.advance(Span::from_secs(5));
        }
        assert_eq!((caller.counts("q").await, caller.counts("dead").await), (vec![(0, 0, 0)], vec![(1, 0, 0)]));
    });
}

#[test]
fn r13_no_chains_and_no_cycles() {
    on_each_store_with_caller(async |_server, mut caller| {
        for queue in ["a", "b", "c"] {
            caller.create(queue, json!({})).await;
        }
        caller.update("a", json!({ "dead_queue": "b" })).await;
        let mut rejection = async |queue: &str, dead: &str| {
            caller.rejection("/v1/queues.update", json!({ "queue_name": queue, "dead_queue": dead })).await
        };
        let has_one = "dead_queue is invalid; 'a' already has its own dead_queue configured".to_owned();
        assert_eq!(rejection("b", "a").await, (400, has_one.clone()), "a cycle");
        assert_eq!(rejection("c", "a").await, (400, has_one), "a chain: the dead queue has a dead queue");
        let is_one = "dead_queue is invalid; 'b' is itself a dead queue".to_owned();
        assert_eq!(rejection("b", "c").await, (400, is_one), "a chain: the queue is a dead queue");
        caller.update("a", json!({})).await;
        caller.update("b", json!({ "dead_queue": "a" })).await;
        caller.update("b", json!({ "dead_queue": "c" })).await;
    });
}

#[test]
fn r14_a_queue_in_use_as_a_dead_queue_is_deleted_only_with_force() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create_with_dead("q", json!({})).await;
        let message = "queue is in use; 'dead' is the dead_queue of 'q'".to_owned();
        let delete = |force: bool| json!({ "queue_name": "dead", "force": force });
        assert_eq!(caller.rejection("/v1/queues.delete", delete(false)).await, (400, message));
        caller.ok("/v1/queues.delete", delete(true)).await;
        caller.create("dead", json!({})).await;
        caller.ok("/v1/queues.delete", json!({ "queue_name": "q" })).await;
        caller.ok("/v1/queues.delete", delete(false)).await;
    });
}

#[test]
fn r15_a_dead_item_keeps_its_history() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create_with_dead("q", json!({ "requested_partitions": 2 })).await;
        caller.produce("q", &["a"]).await;
        let held = caller.lease_one("q").await;
        server.advance(Span::from_secs(7));
        let attempt = json!({ "outcome": "failure", "error": "it broke", "error_type": "Broken" });
        let settle = json!({ "id": held.id, "attempt": attempt, "dead_letter": { "why": "permanent" } });
        let settled = caller.ok("/v1/queue.settle", json!({ "queue_name": "q", "items": [settle] })).await;
        assert_eq!(settled, json!({ "items": [{ "outcome": "moved", "moved_to": "dead" }] }));
        let claim = json!({ "queue_name": "dead", "batch_size": 1, "request_timeout": "1m" });
        let claimed = caller.ok("/v1/queue.claim", claim).await;
        let letter = claimed["items"][0]["letter_id"].as_str().unwrap().parse().unwrap();
        let get = GetLetter { queue: QueueName::new("dead").unwrap(), letter };
        let record = server.store().letter(get).await.unwrap();
        let death = record.context.as_ref().unwrap().death.clone().unwrap();
        assert_eq!((death.queue.as_str(), death.partition, death.attempts), ("q", 0, 1));
        assert_eq!(death.created_at.to_string(), "2026-11-15T12:00:00.000Z");
        assert!(format!("{record:?}").contains("it broke"));
    });
}

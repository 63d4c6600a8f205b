//! `queue.lease`.

use serde_json::json;

use crate::harness::{contents, ids, leased, on_each_store_with_queue};
use redrive_core::Span;

#[test]
fn items_are_leased_in_the_order_of_their_production() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        caller.produce("q", &["a", "b"]).await;
        caller.produce("q", &["c", "d"]).await;
        assert_eq!(contents(&caller.lease("q", 3).await), ["a", "b", "c"]);
        let rest = caller.lease("q", 3).await;
        assert_eq!(contents(&rest), ["d"], "a lease does not wait for a full batch");
        assert_eq!((rest[0].attempts, rest[0].deadline.as_str()), (1, "2026-11-15T12:01:00Z"));
    });
}

#[test]
fn ids_are_27_characters_and_increase() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for _ in 0..5 {
            caller.produce_many("q", 3).await;
        }
        let items = caller.lease("q", 100).await;
        let ids = ids(&items);
        assert!(ids.iter().all(|id| id.len() == 27 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())), "{ids:?}");
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    });
}

#[test]
fn a_waiting_lease_ends_at_its_request_timeout() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let waiting = server.spawn_lease("q", "c", 1).await;
        server.advance(Span::from_secs(59));
        assert_eq!(server.waiting_leases("q").await, 1);
        server.advance(Span::from_secs(1));
        let message = "request timeout; no items are in the queue, try again".to_owned();
        assert_eq!(waiting.await.unwrap().rejection(), (454, message));
        caller.produce("q", &["a"]).await;
        assert_eq!(caller.lease_one("q").await.attempts, 1, "the lease that timed out did not take the item");
    });
}

#[test]
fn a_waiting_lease_times_out_with_the_same_message_after_a_large_clock_jump() {
    on_each_store_with_queue("q", async |server, _caller| {
        for round in 0..20 {
            let waiting = server.spawn_lease("q", "c", 1).await;
            server.advance(Span::from_hours(1));
            let message = "request timeout; no items are in the queue, try again".to_owned();
            assert_eq!(waiting.await.unwrap().rejection(), (454, message), "round {round}");
        }
    });
}

#[test]
fn an_item_whose_lease_expires_returns_to_the_tail_with_a_new_id() {
    on_each_store_with_queue("q", async |server, mut caller| {
        caller.produce("q", &["a", "b"]).await;
        let held = caller.lease_one("q").await;
        server.advance(Span::from_mins(1));
        assert_eq!(caller.counts("q").await, [(2, 1, 0)], "a lease expires after its deadline, not at it");
        server.advance(Span::from_micros(1));
        assert_eq!(caller.counts("q").await, [(2, 0, 0)]);
        let items = caller.lease("q", 2).await;
        assert_eq!((contents(&items), items[1].attempts), (vec!["b", "a"], 2));
        assert!(items[1].id > held.id);
        let late = json!({ "queue_name": "q", "request_timeout": "1m", "ids": [held.id] });
        let message = format!("invalid storage id; '{}' does not exist", held.id);
        assert_eq!(caller.rejection("/v1/queue.complete", late).await, (400, message));
    });
}

#[test]
fn waiting_leases_share_new_items_in_turn() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let first = server.spawn_lease("q", "a", 10).await;
        let second = server.spawn_lease("q", "b", 1).await;
        let third = server.spawn_lease("q", "c", 10).await;
        caller.produce("q", &["1", "2", "3", "4", "5", "6"]).await;
        let mut got = Vec::new();
        for lease in [first, second, third] {
            got.push(leased(&lease.await.unwrap().value()).into_iter().map(|item| item.payload).collect::<Vec<_>>());
        }
        assert_eq!(got, [vec!["1", "4", "6"], vec!["2"], vec!["3", "5"]]);
    });
}

#[test]
fn more_than_100_held_requests_of_a_queue_are_rejected_as_overload() {
    on_each_store_with_queue("q", async |server, mut caller| {
        server.freeze("q").await;
        let produce = || json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] });
        let mut held = Vec::new();
        for count in 1..=100 {
            held.push(server.spawn_call("/v1/queue.produce", produce()).await);
            while caller.stats("q").await["produce_waiting"] != count {
                tokio::task::yield_now().await;
            }
        }
        let message = "queue is overloaded; try again later".to_owned();
        assert_eq!(caller.rejection("/v1/queue.produce", produce()).await, (454, message));
        assert_eq!(caller.stats("q").await["in_flight"], 100);
        server.unfreeze("q").await;
        for produce in held {
            assert_eq!(produce.await.unwrap().status, 200);
        }
        assert_eq!(caller.counts("q").await, [(100, 0, 0)]);
    });
}

#[test]
fn one_pass_executes_produces_then_leases_then_completes_then_retries() {
    on_each_store_with_queue("q", async |server, mut caller| {
        caller.produce("q", &["held", "back"]).await;
        let held = caller.lease("q", 2).await;
        server.freeze("q").await;
        let lease = server.spawn_lease("q", "c", 10).await;
        let retry = json!({ "queue_name": "q", "items": [{ "id": held[1].id }] });
        let retry = server.spawn_call("/v1/queue.retry", retry).await;
        let complete = json!({ "queue_name": "q", "request_timeout": "1m", "ids": [held[0].id] });
        let complete = server.spawn_call("/v1/queue.complete", complete).await;
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": "fresh" }] });
        let produce = server.spawn_call("/v1/queue.produce", produce).await;
        while caller.stats("q").await["in_flight"] != 4 {
            tokio::task::yield_now().await;
        }
        server.unfreeze("q").await;
        for call in [produce, complete, retry] {
            assert_eq!(call.await.unwrap().status, 200);
        }
        let items = leased(&lease.await.unwrap().value());
        assert_eq!(contents(&items), ["fresh"], "retries are executed after the leases of the same pass");
        assert_eq!(contents(&caller.lease("q", 10).await), ["back"]);
    });
}

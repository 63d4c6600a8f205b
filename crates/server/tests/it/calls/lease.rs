//! Items come out.

use serde_json::json;

use crate::bed::{contents, each, ids, leased};
use redrive_core::Span;

#[tokio::test]
async fn what_came_first_goes_first() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce("q", &["a", "b"]).await;
        caller.produce("q", &["c", "d"]).await;
        assert_eq!(contents(&caller.lease("q", 3).await), ["a", "b", "c"]);
        let rest = caller.lease("q", 3).await;
        assert_eq!(contents(&rest), ["d"], "a short batch does not wait to be filled");
        assert_eq!((rest[0].attempts, rest[0].deadline.as_str()), (1, "2026-11-15T12:01:00Z"));
    })
    .await;
}

#[tokio::test]
async fn ids_are_27_characters_and_increase() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        for _ in 0..5 {
            caller.produce_many("q", 3).await;
        }
        let items = caller.lease("q", 100).await;
        let ids = ids(&items);
        assert!(ids.iter().all(|id| id.len() == 27 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())), "{ids:?}");
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    })
    .await;
}

#[tokio::test]
async fn a_waiting_lease_ends_with_its_time() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let waiting = bed.leasing("q", "c", 1).await;
        bed.advance(Span::from_secs(59));
        assert_eq!(bed.waiting("q").await, 1);
        bed.advance(Span::from_secs(1));
        let message = "request timeout; no items are in the queue, try again".to_owned();
        assert_eq!(waiting.await.unwrap().refusal(), (454, message));
        caller.produce("q", &["a"]).await;
        assert_eq!(caller.lease_one("q").await.attempts, 1, "it was given to nobody else");
    })
    .await;
}

#[tokio::test]
async fn a_clock_that_jumps_far_ends_a_waiting_lease_in_the_same_words() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        for round in 0..20 {
            let waiting = bed.leasing("q", "c", 1).await;
            bed.advance(Span::from_hours(1));
            let message = "request timeout; no items are in the queue, try again".to_owned();
            assert_eq!(waiting.await.unwrap().refusal(), (454, message), "round {round}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_lease_that_runs_out_gives_its_item_back_at_the_tail() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce("q", &["a", "b"]).await;
        let held = caller.lease_one("q").await;
        bed.advance(Span::from_mins(1));
        assert_eq!(caller.counts("q").await, [(2, 1, 0)], "strictly after its deadline");
        bed.advance(Span::from_micros(1));
        assert_eq!(caller.counts("q").await, [(2, 0, 0)]);
        let items = caller.lease("q", 2).await;
        assert_eq!((contents(&items), items[1].attempts), (vec!["b", "a"], 2));
        assert!(items[1].id > held.id);
        let late = json!({ "queue_name": "q", "request_timeout": "1m", "ids": [held.id] });
        let message = format!("invalid storage id; '{}' does not exist", held.id);
        assert_eq!(caller.refused("/v1/queue.complete", late).await, (400, message));
    })
    .await;
}

#[tokio::test]
async fn whoever_waits_shares_in_turn() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let first = bed.leasing("q", "a", 10).await;
        let second = bed.leasing("q", "b", 1).await;
        let third = bed.leasing("q", "c", 10).await;
        caller.produce("q", &["1", "2", "3", "4", "5", "6"]).await;
        let mut got = Vec::new();
        for lease in [first, second, third] {
            got.push(leased(&lease.await.unwrap().value()).into_iter().map(|item| item.payload).collect::<Vec<_>>());
        }
        assert_eq!(got, [vec!["1", "4", "6"], vec!["2"], vec!["3", "5"]]);
    })
    .await;
}

#[tokio::test]
async fn requests_beyond_a_hundred_are_overload_and_not_done() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        bed.stand_still("q").await;
        let produce = || json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] });
        let mut held = Vec::new();
        for count in 1..=100 {
            held.push(bed.calling("/v1/queue.produce", produce()).await);
            while caller.stats("q").await["produce_waiting"] != count {
                tokio::task::yield_now().await;
            }
        }
        let message = "queue is overloaded; try again later".to_owned();
        assert_eq!(caller.refused("/v1/queue.produce", produce()).await, (454, message));
        assert_eq!(caller.stats("q").await["in_flight"], 100);
        bed.go_on("q").await;
        for produce in held {
            assert_eq!(produce.await.unwrap().status, 200);
        }
        assert_eq!(caller.counts("q").await, [(100, 0, 0)]);
    })
    .await;
}

#[tokio::test]
async fn of_one_pass_a_fresh_item_is_leased_and_the_order_is_produce_lease_complete_retry() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce("q", &["held", "back"]).await;
        let held = caller.lease("q", 2).await;
        bed.stand_still("q").await;
        let lease = bed.leasing("q", "c", 10).await;
        let retry = json!({ "queue_name": "q", "items": [{ "id": held[1].id }] });
        let retry = bed.calling("/v1/queue.retry", retry).await;
        let complete = json!({ "queue_name": "q", "request_timeout": "1m", "ids": [held[0].id] });
        let complete = bed.calling("/v1/queue.complete", complete).await;
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": "fresh" }] });
        let produce = bed.calling("/v1/queue.produce", produce).await;
        while caller.stats("q").await["in_flight"] != 4 {
            tokio::task::yield_now().await;
        }
        bed.go_on("q").await;
        for call in [produce, complete, retry] {
            assert_eq!(call.await.unwrap().status, 200);
        }
        let items = leased(&lease.await.unwrap().value());
        assert_eq!(contents(&items), ["fresh"], "what is given back in the same pass comes after the leases");
        assert_eq!(contents(&caller.lease("q", 10).await), ["back"]);
    })
    .await;
}

//! Numbers, totals and pages.

use redrive_core::Span;
use redrive_proto::Timestamp;
use serde_json::json;

use super::{capture, names, queue, queues, status};
use crate::harness::{StoreKind, on_each_store, on_each_store_with_target, on_store};

#[tokio::test]
async fn a_queue_has_the_numbers_of_its_items() {
    on_each_store(async |server| {
        let mut caller = server.caller().await;
        caller.create_with_dead("orders", json!({ "requested_partitions": 2 })).await;
        let produced = Timestamp::from(server.clock_now());
        caller.produce("orders", &["a", "b", "c"]).await;
        caller.produce_items("orders", json!([{ "enqueue_at": "2026-11-15T13:00:00Z" }])).await;
        let held = caller.lease("orders", 1).await;
        server.advance(Span::from_secs(30));
        let orders = queue(&mut caller, "orders").await;
        assert_eq!((orders.ready, orders.leased, orders.scheduled), (2, 1, 1));
        assert_eq!((orders.in_total, orders.out_total, orders.average_age_ms), (4, 0, 30_000));
        assert_eq!((orders.limit, orders.oldest_at), (None, Some(produced)));
        assert!(orders.in_per_minute > 0.0 && orders.out_per_minute == 0.0, "{orders:?}");
        assert_eq!((orders.namespace.as_str(), orders.dead_queue.as_str()), ("_system", "dead"));
        caller.complete("orders", &held).await;
        let orders = queue(&mut caller, "orders").await;
        assert!(orders.out_total == 1 && orders.out_per_minute > 0.0, "{orders:?}");
        let _waiting = server.spawn_lease("dead", "c", 1).await;
        assert_eq!(queue(&mut caller, "dead").await.waiting, 1);
    })
    .await;
}

#[tokio::test]
async fn a_queue_has_the_numbers_of_its_letters() {
    on_each_store(async |server| {
        let mut caller = server.caller().await;
        caller.create("dead", json!({})).await;
        let configure = json!({ "queue_name": "dead", "set": { "max_size": "100" } });
        caller.ok("/v1/letters.configure", configure).await;
        let captured = Timestamp::from(server.clock_now());
        capture(&mut caller, "dead", "a", json!({})).await;
        server.advance(Span::from_secs(10));
        capture(&mut caller, "dead", "b", json!({ "max_retries": 0 })).await;
        capture(&mut caller, "dead", "c", json!({})).await;
        let dead = queue(&mut caller, "dead").await;
        assert_eq!((dead.dead, dead.exhausted, dead.limit), (3, 1, Some(100)));
        assert_eq!((dead.in_total, dead.out_total, dead.oldest_at), (3, 0, Some(captured)));
        assert!(dead.in_per_minute > 0.0 && dead.out_per_minute == 0.0, "{dead:?}");
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": ["b"] })).await;
        let dead = queue(&mut caller, "dead").await;
        assert_eq!((dead.dead, dead.exhausted, dead.out_total), (2, 0, 1));
    })
    .await;
}

#[tokio::test]
async fn totals_cover_all_queues_and_the_page_does_not() {
    on_store(StoreKind::Memory, async |server| {
        let mut caller = server.caller().await;
        let all: Vec<String> = (0..7).map(|number| format!("q{number}")).collect();
        for name in &all {
            caller.create(name, json!({})).await;
            caller.produce(name, &["a", "b"]).await;
        }
        let mut listed = Vec::new();
        let mut pivot = String::new();
        loop {
            let page = status(&mut caller, json!({ "limit": 3, "pivot": pivot })).await;
            let totals = page.totals.unwrap();
            assert_eq!((totals.queues, totals.ready), (7, 14), "from '{pivot}'");
            listed.extend(page.queues.into_iter().map(|queue| queue.queue_name));
            if page.next.is_empty() {
                break;
            }
            pivot = page.next;
        }
        assert_eq!(listed, all);
        let last = status(&mut caller, json!({ "pivot": "q6" })).await;
        assert_eq!((names(&last.queues), last.next.as_str()), (vec!["q6"], ""));
        assert!(status(&mut caller, json!({ "pivot": "r" })).await.queues.is_empty());
    })
    .await;
}

#[tokio::test]
async fn more_queues_than_one_read_of_the_store_returns_are_counted_once() {
    on_store(StoreKind::Memory, async |server| {
        let mut caller = server.caller().await;
        for number in 0..1_003 {
            caller.create(&format!("q{number:04}"), json!({})).await;
        }
        let answer = status(&mut caller, json!({})).await;
        assert_eq!(answer.totals.unwrap().queues, 1_003);
        assert_eq!((answer.queues.len(), answer.next.as_str()), (100, "q0100"), "the default page");
        let all = queues(&mut caller, json!({ "limit": 2_000 })).await;
        assert_eq!((all.len(), all[1_002].queue_name.as_str()), (1_003, "q1002"));
        let page = queues(&mut caller, json!({ "pivot": "q1000" })).await;
        assert_eq!(names(&page), ["q1000", "q1001", "q1002"]);
    })
    .await;
}

#[tokio::test]
async fn an_invalid_page_is_rejected() {
    on_store(StoreKind::Memory, async |server| {
        let mut caller = server.caller().await;
        for path in ["/v1/status.get", "/v1/status.queues"] {
            let rejected = [
                (json!({ "limit": -1 }), "limit is invalid; limit cannot be negative"),
                (json!({ "limit": 65_537 }), "limit is invalid; cannot be greater than 65536"),
                (json!({ "pivot": "a~b" }), "pivot is invalid; 'a~b' cannot contain '~' character"),
            ];
            for (request, message) in rejected {
                assert_eq!(caller.rejection(path, request).await, (400, message.to_owned()), "{path}");
            }
        }
        let missing = (400, "queue does not exist; no such queue named 'q'".to_owned());
        assert_eq!(caller.rejection("/v1/status.queues", json!({ "queue_name": "q" })).await, missing);
    })
    .await;
}

#[tokio::test]
async fn an_empty_server_has_an_overview() {
    on_each_store(async |server| {
        let mut caller = server.caller().await;
        let answer = status(&mut caller, json!({})).await;
        assert_eq!((answer.attention_total, answer.totals.unwrap().queues), (0, 0));
        assert_eq!(answer.now, Some(Timestamp::from(server.clock_now())));
        let state = answer.server.unwrap();
        assert_eq!((state.store.as_str(), state.index.as_str()), ("ok", "off"));
        assert_eq!(state.version, env!("CARGO_PKG_VERSION"));
        let unknown = status(&mut caller, json!({ "namespace": "not a name" })).await;
        assert_eq!(unknown.totals.unwrap().queues, 0);
    })
    .await;
}

#[tokio::test]
async fn the_retries_of_a_queue_with_a_target_are_shown() {
    on_each_store_with_target(async |server, mut target| {
        let mut caller = server.caller().await;
        caller.create("dead", json!({})).await;
        caller.create("other", json!({})).await;
        let retries = status(&mut caller, json!({})).await.retries;
        let shown: Vec<_> = retries.iter().map(|one| (one.queue_name.as_str(), one.state.as_str())).collect();
        assert_eq!(shown, [("dead", "stopped")]);
        let process = |action: &str| json!({ "queue_name": "dead", "action": action });
        caller.ok("/v1/letters.process", process("start")).await;
        capture(&mut caller, "dead", "a", json!({ "retry_policy": "immediate" })).await;
        let attempt = target.next().await;
        let retries = status(&mut caller, json!({})).await.retries.remove(0);
        assert_eq!((retries.state.as_str(), retries.running, retries.open_breakers), ("running", 1, 0));
        attempt.fail();
        let failing = loop {
            let retries = status(&mut caller, json!({})).await.retries.remove(0);
            if retries.running == 0 {
                break retries;
            }
            tokio::task::yield_now().await;
        };
        let [destination] = &failing.destinations[..] else { panic!("{failing:?}") };
        assert_eq!((destination.breaker.as_str(), destination.next_probe_at), ("closed", None));
        assert!(!destination.last_error.is_empty() && destination.failing_since.is_some(), "{destination:?}");
        caller.ok("/v1/letters.process", process("pause")).await;
        assert_eq!(status(&mut caller, json!({})).await.retries[0].state, "paused");
    })
    .await;
}

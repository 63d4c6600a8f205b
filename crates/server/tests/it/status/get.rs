//! Numbers, totals and pages.

use redrive_core::{Evidence, Failure, Span};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::StatusGetResponse;
use redrive_run::Handled;
use serde_json::json;

use super::{capture, found, names, queue, queues, status};
use crate::harness::{
    Caller, StoreKind, TestServer, on_each_store_with_caller, on_each_store_with_queue, on_each_store_with_target,
    on_store_with_caller, run,
};

#[test]
fn a_queue_has_the_numbers_of_its_items() {
    on_each_store_with_caller(async |server, mut caller| {
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
    });
}

#[test]
fn a_queue_has_the_numbers_of_its_letters() {
    on_each_store_with_queue("dead", async |server, mut caller| {
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
    });
}

#[test]
fn totals_cover_all_queues_and_the_page_does_not() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
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
    });
}

#[test]
fn more_queues_than_one_read_of_the_store_returns_are_counted_once() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
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
    });
}

#[test]
fn an_invalid_page_is_rejected() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
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
    });
}

#[test]
fn an_empty_server_has_an_overview() {
    on_each_store_with_caller(async |server, mut caller| {
        let answer = status(&mut caller, json!({})).await;
        assert_eq!((answer.attention_total, answer.totals.unwrap().queues), (0, 0));
        assert_eq!(answer.now, Some(Timestamp::from(server.clock_now())));
        let state = answer.server.unwrap();
        assert_eq!((state.store.as_str(), state.index.as_str()), ("ok", "off"));
        assert_eq!(state.version, env!("CARGO_PKG_VERSION"));
        let unknown = status(&mut caller, json!({ "namespace": "not a name" })).await;
        assert_eq!(unknown.totals.unwrap().queues, 0);
    });
}

#[test]
fn the_retries_of_a_queue_with_a_target_are_shown() {
    on_each_store_with_target(async |_server, mut caller, mut target| {
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
    });
}

#[test]
fn an_open_breaker_is_shown_with_its_destination_until_a_probe_succeeds() {
    for store_kind in StoreKind::ALL {
        run(async {
            let (server, mut target) = TestServer::retrying_with_breaker(store_kind, 2).await;
            let mut caller = server.caller().await;
            caller.create("dead", json!({})).await;
            caller.ok("/v1/letters.process", json!({ "queue_name": "dead", "action": "start" })).await;
            let bank = json!({ "retry_policy": "immediate", "max_retries": 9, "destination": "bank" });
            let failed_at = server.clock_now();
            for source_id in ["a", "b"] {
                capture(&mut caller, "dead", source_id, bank.clone()).await;
                target.next().await.fail();
            }
            let opened = |status: &StatusGetResponse| status.retries[0].open_breakers == 1;
            let answer = until(&mut caller, opened).await;
            assert_eq!(found(&answer.attention), [("breaker_open", "dead", 1)]);
            let message = "the circuit breaker of 1 destination of 'dead' is not closed";
            assert_eq!(answer.attention[0].message, message);
            let [down] = &answer.retries[0].destinations[..] else { panic!("{:?}", answer.retries) };
            assert_eq!((down.destination.as_str(), down.breaker.as_str()), ("bank", "half_open"));
            assert_eq!((down.last_error.as_str(), down.failing_since), ("unavailable", Some(failed_at.into())));
            assert_eq!(down.next_probe_at, None, "it is probed as soon as a letter is due");
            assert_eq!(down.open_since, Some(failed_at.into()));
            let process = caller.ok("/v1/letters.process", json!({ "queue_name": "dead" })).await;
            let shown = &process["destinations"][0];
            assert_eq!((&shown["breaker"], &shown["last_error"]), (&json!("half_open"), &json!("unavailable")));

            // A probe that fails does not begin another time. The answer of a destination may quote the payload.
            server.advance(Span::from_mins(1));
            let quoted = "POST http://bank answered 503: no such order: the payload";
            let mut failure = Failure::new(quoted).with_evidence(Evidence::http(503));
            failure.answer_at = quoted.find(": no such");
            target.next().await.answer(Handled::failed(failure));
            let answer =
                until(&mut caller, |status| status.retries[0].destinations[0].last_error.starts_with("POST")).await;
            let [down] = &answer.retries[0].destinations[..] else { panic!("{:?}", answer.retries) };
            assert_eq!((down.breaker.as_str(), down.open_since), ("open", Some(failed_at.into())));
            assert_eq!(down.last_error, "POST http://bank answered 503");

            // The delay of "immediate" after a failed retry is an interval of the processor.
            server.advance(Span::from_mins(1));
            target.next().await.done();
            // There is no other letter that could probe.
            let opened = |status: &StatusGetResponse| status.retries[0].open_breakers == 1;
            let mut answer = until(&mut caller, |_| true).await;
            while opened(&answer) {
                server.advance(Span::from_millis(100));
                answer = until(&mut caller, |_| true).await;
            }
            assert_eq!(answer.attention, []);
            let [up] = &answer.retries[0].destinations[..] else { panic!("{:?}", answer.retries) };
            assert_eq!((up.breaker.as_str(), up.next_probe_at, up.failing_since), ("closed", None, None));
            assert_eq!(up.open_since, None);
            assert_eq!(up.last_error, "");
        });
    }
}

/// The first answer that meets a condition. A runner settles an attempt after the target has answered it.
async fn until(caller: &mut Caller, is_met: impl Fn(&StatusGetResponse) -> bool) -> StatusGetResponse {
    loop {
        let answer = status(caller, json!({})).await;
        if is_met(&answer) {
            return answer;
        }
        tokio::task::yield_now().await;
    }
}

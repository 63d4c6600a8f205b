//! What needs attention. The rules that need a broken disk, index or runner are tested beside their code.

use redrive_core::Span;
use redrive_journal::Disk;
use redrive_proto::redrive::v1::Attention;
use redrive_server::Settings;
use serde_json::json;

use super::{capture, found, status};
use crate::harness::{
    Caller, StoreKind, TestServer, local_settings, on_each_store_with_caller, on_each_store_with_queue,
    on_each_store_with_target, on_simulated_disk, on_store_with_caller, on_store_with_queue, run, with_settings,
};

#[test]
fn a_paused_queue_needs_attention_while_items_wait_in_it() {
    on_each_store_with_queue("orders", async |_server, mut caller| {
        caller.ok("/v1/queue.pause", json!({ "queue_name": "orders" })).await;
        assert_eq!(status(&mut caller, json!({})).await.attention, []);
        caller.produce("orders", &["a", "b"]).await;
        let answer = status(&mut caller, json!({})).await;
        assert_eq!(found(&answer.attention), [("paused", "orders", 2)]);
        assert_eq!(answer.attention[0].message, "'orders' is paused: 2 items waiting");
        caller.ok("/v1/queue.resume", json!({ "queue_name": "orders" })).await;
        assert_eq!(status(&mut caller, json!({})).await.attention, []);
    });
}

#[test]
fn pending_letters_without_a_target_and_exhausted_ones_need_attention() {
    on_each_store_with_queue("dead", async |_server, mut caller| {
        capture(&mut caller, "dead", "a", json!({})).await;
        capture(&mut caller, "dead", "b", json!({ "max_retries": 0 })).await;
        let answer = status(&mut caller, json!({})).await;
        assert_eq!(found(&answer.attention), [("no_target", "dead", 1), ("exhausted", "dead", 1)]);
        let messages: Vec<&str> = answer.attention.iter().map(|entry| entry.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "1 letter of 'dead' pending without a target for retries",
                "1 letter of 'dead' exhausted: no retries left"
            ]
        );
    });
}

#[test]
fn retries_that_are_due_for_long_need_attention() {
    run(async {
        let (server, mut target) = TestServer::retrying_with_breaker(StoreKind::Memory, 1).await;
        let mut caller = server.caller().await;
        caller.create("dead", json!({ "expire_timeout": "10000h" })).await;
        caller.ok("/v1/letters.process", json!({ "queue_name": "dead", "action": "start" })).await;
        for source_id in ["a", "b"] {
            capture(&mut caller, "dead", source_id, json!({ "destination": "bank" })).await;
        }
        server.advance(Span::from_secs(61));
        let (_first, _second) = (target.next().await, target.next().await);
        assert_eq!(status(&mut caller, json!({})).await.attention, [], "they are tried");
        capture(&mut caller, "dead", "c", json!({ "destination": "bank" })).await;
        // The attempts time out and open the breaker of the destination. One letter probes it; the others wait.
        server.advance(Span::from_secs(30));
        let kinds = async |caller: &mut Caller| -> Vec<String> {
            status(caller, json!({})).await.attention.into_iter().map(|entry| entry.kind).collect()
        };
        while kinds(&mut caller).await != ["breaker_open"] {
            tokio::task::yield_now().await;
        }
        server.advance(Span::from_mins(8));
        while kinds(&mut caller).await != ["breaker_open", "retries_late"] {
            tokio::task::yield_now().await;
        }
    });
}

#[test]
fn due_letters_of_a_paused_or_stopped_processor_need_attention_at_once() {
    on_each_store_with_target(async |server, mut caller, _target| {
        let act = |action: &str| json!({ "queue_name": "dead", "action": action });
        for action in ["start", "pause"] {
            caller.ok("/v1/letters.process", act(action)).await;
        }
        capture(&mut caller, "dead", "a", json!({})).await;
        assert_eq!(status(&mut caller, json!({})).await.attention, [], "nothing is due");
        server.advance(Span::from_secs(61));
        let answer = status(&mut caller, json!({})).await;
        assert_eq!(found(&answer.attention), [("retries_paused", "dead", 1)]);
        assert_eq!(answer.attention[0].message, "the retries of 'dead' are paused: 1 letter due");
        caller.ok("/v1/letters.process", act("stop")).await;
        server.advance(Span::from_mins(10));
        let answer = status(&mut caller, json!({})).await;
        assert_eq!(found(&answer.attention), [("retries_stopped", "dead", 1)], "not late as well");
    });
}

#[test]
fn a_bulk_run_that_waits_or_ended_early_needs_attention_until_it_is_continued_or_cancelled() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        caller.create_with_dead("orders", json!({})).await;
        caller.produce("orders", &["a", "b"]).await;
        for item in caller.lease("orders", 2).await {
            caller.retry("orders", &item, json!({ "dead": true })).await;
        }
        caller.ok("/v1/queue.pause", json!({ "queue_name": "orders" })).await;
        let plan = json!({ "queue_name": "dead", "action": "retry", "all": "dead" });
        let planned = caller.ok("/v1/letters.plan", plan).await;
        let of_runs = |attention: &[Attention]| -> Vec<Attention> {
            attention.iter().filter(|entry| entry.kind.starts_with("run_")).cloned().collect()
        };
        assert_eq!(of_runs(&status(&mut caller, json!({})).await.attention), [], "a plan");
        let confirm = json!({ "queue_name": "dead", "token": planned["token"], "give_up_after_seconds": 5 });
        caller.ok("/v1/letters.confirm", confirm).await;
        while caller.run_of(&planned, 0).await["state"] != "waiting" {}
        let waiting = of_runs(&status(&mut caller, json!({})).await.attention).remove(0);
        assert_eq!((waiting.kind.as_str(), waiting.queue_name.as_str(), waiting.count), ("run_waiting", "dead", 2));
        assert_eq!(waiting.message, "a bulk run on 'dead' waits: 2 letters left; the queue of origin is paused");
        assert_eq!(json!(waiting.run), planned["token"]);
        assert_eq!(of_runs(&status(&mut caller, json!({ "namespace": "shop" })).await.attention), []);

        server.advance(Span::from_secs(10));
        caller.run_of(&planned, 60).await;
        let ended = of_runs(&status(&mut caller, json!({ "namespace": "_system" })).await.attention).remove(0);
        assert_eq!((ended.kind.as_str(), ended.count), ("run_ended_early", 2));
        assert_eq!(
            ended.message,
            "a bulk run on 'dead' ended early: 2 letters not tried; the queue of origin is paused"
        );
        caller.ok("/v1/letters.cancel", json!({ "queue_name": "dead", "id": planned["token"] })).await;
        assert_eq!(of_runs(&status(&mut caller, json!({})).await.attention), []);
    });
}

#[test]
fn a_queue_at_its_limit_is_full_and_before_that_nearly_full() {
    on_store_with_queue(StoreKind::Memory, "dead", async |_server, mut caller| {
        let configure = json!({ "queue_name": "dead", "set": { "max_size": "100" } });
        caller.ok("/v1/letters.configure", configure).await;
        let mut count = 0;
        for (until, kind, severity) in [
            (79, "no_target", "notice"),
            (80, "nearly_full", "warning"),
            (99, "nearly_full", "warning"),
            (100, "queue_full", "critical"),
        ] {
            for number in count..until {
                capture(&mut caller, "dead", &number.to_string(), json!({})).await;
            }
            count = until;
            let attention = status(&mut caller, json!({})).await.attention;
            assert_eq!((found(&attention)[0], attention[0].severity.as_str()), ((kind, "dead", until), severity));
            assert_eq!(found(&attention).last(), Some(&("no_target", "dead", until)));
            assert!(attention.len() <= 2, "a full queue is not nearly full as well: {attention:?}");
        }
    });
}

#[test]
fn a_degraded_queue_needs_attention() {
    let settings = Settings { degraded_depth: Some(1), degraded_age: Some(Span::from_mins(1)), ..local_settings() };
    with_settings(settings, async |server, mut caller| {
        caller.create("dead", json!({})).await;
        for source_id in ["a", "b"] {
            capture(&mut caller, "dead", source_id, json!({})).await;
        }
        server.advance(Span::from_mins(2));
        let answer = status(&mut caller, json!({})).await;
        let expected = [("no_target", "dead", 2), ("too_many_letters", "dead", 2), ("old_letters", "dead", 0)];
        assert_eq!(found(&answer.attention), expected);
    });
}

#[test]
fn items_that_wait_for_a_missing_dead_queue_need_attention() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create_with_dead("orders", json!({})).await;
        caller.produce("orders", &["a"]).await;
        let held = caller.lease("orders", 1).await;
        caller.ok("/v1/queues.delete", json!({ "queue_name": "dead", "force": true })).await;
        caller.retry("orders", &held[0], json!({ "dead": true })).await;
        let answer = status(&mut caller, json!({})).await;
        assert_eq!(found(&answer.attention), [("stranded", "orders", 1)]);
        assert_eq!(answer.queues[0].ready, 0, "a stranded item cannot be leased");
    });
}

#[test]
fn damaged_records_need_attention() {
    on_simulated_disk(async |disk, _server, mut caller| {
        caller.create("orders", json!({})).await;
        caller.produce("orders", &["order one"]).await;
        for (path, len) in disk.files() {
            let mut bytes = vec![0; len];
            let read = disk.open(&path).and_then(|file| file.read_at(&mut bytes, 0)).unwrap_or(0);
            if let Some(at) = bytes[..read].windows(9).position(|part| part == b"order one") {
                disk.flip_bit(&path, at, 0);
            }
        }
        let claim = json!({ "queue_name": "orders", "batch_size": 1, "request_timeout": "1m" });
        // The only item is set aside instead of leased.
        assert_eq!(caller.json("/v1/queue.claim", claim).await.status, 454);
        let answer = status(&mut caller, json!({})).await;
        assert_eq!(found(&answer.attention), [("damaged", "orders", 1)]);
        assert_eq!((answer.totals.unwrap().damaged, answer.server.unwrap().damaged), (1, 1));
    });
}

#[test]
fn a_disk_with_little_space_needs_attention_before_it_is_full() {
    on_simulated_disk(async |disk, _server, mut caller| {
        let state = status(&mut caller, json!({})).await.server.unwrap();
        assert_eq!((state.disk_free_bytes, state.disk_total_bytes), (None, None), "a disk without a limit");
        let reserve = usize::try_from(state.reserve_bytes).unwrap();
        assert!(reserve > 0);
        for (free, expected) in [(20 * reserve, &[][..]), (reserve - 1, &[("disk_low", "", 0)])] {
            let total = disk.used() + free;
            disk.set_capacity(Some(total));
            let answer = status(&mut caller, json!({})).await;
            assert_eq!(found(&answer.attention), expected, "{free} bytes free");
            let state = answer.server.unwrap();
            let space = (state.disk_free_bytes, state.disk_total_bytes);
            assert_eq!(space, (Some(i64::try_from(free).unwrap()), Some(i64::try_from(total).unwrap())));
        }
    });
}

#[test]
fn the_list_is_bounded_and_has_the_most_severe_first() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        for number in 0..60 {
            let name = format!("q{number:02}");
            caller.create(&name, json!({})).await;
            capture(&mut caller, &name, "a", json!({ "max_retries": 0 })).await;
        }
        caller.create("zz", json!({})).await;
        caller.produce("zz", &["a"]).await;
        caller.ok("/v1/queue.pause", json!({ "queue_name": "zz" })).await;
        capture(&mut caller, "q33", "b", json!({ "max_retries": 0 })).await;
        let answer = status(&mut caller, json!({ "limit": 1 })).await;
        assert_eq!((answer.attention.len(), answer.attention_total), (50, 61));
        let first = [("paused", "zz", 1), ("exhausted", "q33", 2), ("exhausted", "q00", 1), ("exhausted", "q01", 1)];
        assert_eq!(found(&answer.attention)[..4], first);
    });
}

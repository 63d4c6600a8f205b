//! What needs attention. The rules that need a broken disk, index or runner are tested beside their code.

use redrive_core::Span;
use redrive_journal::Disk;
use redrive_server::Settings;
use serde_json::json;

use super::{capture, found, status};
use crate::harness::{
    StoreKind, local_settings, on_each_store_with_caller, on_each_store_with_queue, on_each_store_with_target,
    on_simulated_disk, on_store_with_caller, on_store_with_queue, with_settings,
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
    on_each_store_with_target(async |server, mut caller, _target| {
        capture(&mut caller, "dead", "a", json!({})).await;
        server.advance(Span::from_mins(5));
        assert_eq!(status(&mut caller, json!({})).await.attention, [], "due for four minutes");
        server.advance(Span::from_mins(2));
        assert_eq!(found(&status(&mut caller, json!({})).await.attention), [("retries_late", "dead", 1)]);
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

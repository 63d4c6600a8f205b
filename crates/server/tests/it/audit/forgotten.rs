//! Letters that are removed because their time is over leave a record.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use redrive_core::{QueueName, Span};
use redrive_embedded::EmbeddedStore;
use redrive_model::KeyWrite;
use redrive_server::{AuditRecord, Server, read_audit};
use redrive_store::{Reply, Request, Store, StoreError};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::AuditedBed;
use crate::bed::{Bed, Caller, Ground, each, on};

const DAY: Span = Span::from_days(1);

/// All records of removals, of all chains, each of which is verified.
async fn removals(bed: &Bed) -> Vec<AuditRecord> {
    let chains = read_audit(bed.store()).await.unwrap();
    let records = chains.into_iter().flat_map(|chain| chain.records);
    records.filter(|record| record.action == "letters.forget").collect()
}

/// Waits until there are so many; what each was about.
async fn until_removals(bed: &Bed, count: usize) -> Vec<Vec<String>> {
    loop {
        let removals = removals(bed).await;
        if removals.len() >= count {
            return removals.iter().map(about).collect();
        }
        tokio::task::yield_now().await;
    }
}

fn about(record: &AuditRecord) -> Vec<String> {
    record.targets.iter().map(|target| format!("{}={}", target.kind, target.name)).collect()
}

/// A dead queue, in which an archived letter is kept as long as a completed one.
async fn dead_queue(caller: &mut Caller) {
    caller.create("dead", json!({ "expire_timeout": "720h" })).await;
    let set = json!({ "completed_retention_seconds": "86400", "archive_retention_seconds": "86400" });
    caller.ok("/v1/letters.configure", json!({ "queue_name": "dead", "set": set })).await;
}

async fn capture(caller: &mut Caller, source_id: &str) -> Value {
    let fault = json!({ "error": "permission denied" });
    let letter = json!({ "source_id": source_id, "utf8": "secret", "retry_policy": "never", "fault": fault });
    let captured = caller.ok("/v1/letters.capture", json!({ "queue_name": "dead", "letters": [letter] })).await;
    captured["letters"][0]["id"].clone()
}

/// Makes letters and has the work of each be done.
async fn completed(caller: &mut Caller, source_ids: &[&str]) {
    for source_id in source_ids {
        capture(caller, source_id).await;
    }
    let lease = json!({ "queue_name": "dead", "batch_size": 10, "client_id": "c", "request_timeout": "1m" });
    let leased = caller.ok("/v1/queue.lease", lease).await;
    let ids: Vec<&Value> = leased["items"].as_array().unwrap().iter().map(|item| &item["id"]).collect();
    assert_eq!(ids.len(), source_ids.len());
    let complete = json!({ "queue_name": "dead", "partition": 0, "ids": ids, "request_timeout": "1m" });
    caller.ok("/v1/queue.complete", complete).await;
}

fn past(span: Span) -> Span {
    span.saturating_add(Span::from_secs(1))
}

#[tokio::test]
async fn letters_that_go_together_leave_one_record_of_how_many_and_what_they_were() {
    each(async |bed| {
        let caller = &mut bed.caller().await;
        dead_queue(caller).await;
        completed(caller, &["a", "b"]).await;
        let archived = capture(caller, "c").await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [archived] })).await;
        bed.advance(past(DAY));
        assert_eq!(until_removals(&bed, 1).await, [["queue=dead", "completed=2", "archived=1"]]);
        let removal = removals(&bed).await.remove(0);
        assert_eq!((removal.actor.user.as_str(), removal.result.code), ("_server", 200));
        assert_eq!(removal.reason.as_deref(), Some("their time was over"));
        assert_eq!(removal.time, bed.clock_now().into());
        assert!(removal.before.is_some() && removal.before != removal.after);
    })
    .await;
}

#[tokio::test]
async fn letters_that_expire_leave_a_record_and_items_none() {
    each(async |bed| {
        let caller = &mut bed.caller().await;
        dead_queue(caller).await;
        let expire = json!({ "queue_name": "dead", "set": { "letters_expire": "true" } });
        caller.ok("/v1/letters.configure", expire).await;
        caller.create("plain", json!({ "expire_timeout": "1h" })).await;
        caller.produce("plain", &["an item"]).await;
        caller.produce("dead", &["an item in a dead queue"]).await;
        capture(caller, "a").await;
        bed.advance(past(Span::from_days(30)));
        assert_eq!(until_removals(&bed, 1).await, [["queue=dead", "expired=1"]]);
    })
    .await;
}

#[tokio::test]
async fn each_removal_is_recorded_once() {
    on(Ground::Journal, async |mut bed| {
        let caller = &mut bed.caller().await;
        dead_queue(caller).await;
        completed(caller, &["a", "b"]).await;
        bed.advance(past(DAY));
        until_removals(&bed, 1).await;
        completed(caller, &["c"]).await;
        bed.advance(past(DAY));
        until_removals(&bed, 2).await;
        bed.restart().await;
        let caller = &mut bed.caller().await;
        completed(caller, &["d"]).await;
        bed.advance(past(DAY));
        let expected = [["queue=dead", "completed=2"], ["queue=dead", "completed=1"], ["queue=dead", "completed=1"]];
        assert_eq!(until_removals(&bed, 3).await, expected);
    })
    .await;
}

#[tokio::test]
async fn what_went_while_no_server_was_there_the_next_one_records() {
    on(Ground::Journal, async |mut bed| {
        let caller = &mut bed.caller().await;
        dead_queue(caller).await;
        completed(caller, &["a"]).await;
        bed.stop().await;
        bed.advance(past(DAY));
        bed.restart().await;
        assert_eq!(until_removals(&bed, 1).await, [["queue=dead", "completed=1"]]);
        assert_eq!(bed.last().await.0, "letters.forget", "in the chain of the server that found it");
    })
    .await;
}

#[tokio::test]
async fn letters_that_go_one_by_one_leave_a_record_an_hour() {
    each(async |bed| {
        let caller = &mut bed.caller().await;
        dead_queue(caller).await;
        for source_id in ["a", "b", "c"] {
            completed(caller, &[source_id]).await;
            bed.advance(Span::from_mins(10));
        }
        bed.advance(past(DAY).saturating_sub(Span::from_mins(30)));
        assert_eq!(until_removals(&bed, 1).await, [["queue=dead", "completed=1"]]);
        bed.advance(Span::from_mins(10));
        bed.advance(Span::from_mins(10));
        assert_eq!(
            caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await["lifetime_stats"]["purged"],
            3
        );
        bed.advance(Span::from_hours(1));
        let expected = [["queue=dead", "completed=1"], ["queue=dead", "completed=2"]];
        assert_eq!(until_removals(&bed, 2).await, expected);
    })
    .await;
}

#[tokio::test]
async fn a_queue_that_is_deleted_leaves_none_of_its_removals_unrecorded_and_the_next_of_its_name_begins_anew() {
    each(async |bed| {
        let caller = &mut bed.caller().await;
        for round in 1..=2 {
            dead_queue(caller).await;
            completed(caller, &["a", "b"]).await;
            bed.advance(past(DAY));
            // Of an hour in which there is a record already.
            until_removals(&bed, 2 * round - 1).await;
            completed(caller, &["c"]).await;
            let set = json!({ "completed_retention_seconds": "60" });
            caller.ok("/v1/letters.configure", json!({ "queue_name": "dead", "set": set })).await;
            completed(caller, &["d", "e", "f"]).await;
            bed.advance(past(Span::from_mins(1)));
            caller.ok("/v1/queues.delete", json!({ "queue_name": "dead" })).await;
            let expected = [["queue=dead", "completed=2"], ["queue=dead", "completed=3"]].repeat(round);
            assert_eq!(until_removals(&bed, 2 * round).await, expected);
        }
    })
    .await;
}

/// A store that has no room for records of removals, the first few times.
#[derive(Debug)]
struct Reluctant {
    store: EmbeddedStore,
    refused: AtomicU32,
}

const REFUSED: u32 = 2;

#[async_trait]
impl Store for Reluctant {
    async fn submit(&self, operation: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let is_removal = along.iter().any(|write| write.key.starts_with(b"forgotten\0"));
        if is_removal && self.refused.load(Ordering::SeqCst) < REFUSED {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::Full);
        }
        self.store.submit(operation, along).await
    }

    async fn retention_notices(&self) -> BTreeSet<QueueName> {
        self.store.retention_notices().await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}

#[tokio::test]
async fn a_removal_that_cannot_be_recorded_is_recorded_later() {
    each(async |mut bed| {
        dead_queue(&mut bed.caller().await).await;
        completed(&mut bed.caller().await, &["a"]).await;
        bed.stop().await;
        let store = Arc::new(Reluctant { store: bed.store().clone(), refused: AtomicU32::new(0) });
        let (settings, clock) = (bed.settings.clone(), Arc::new(bed.clock.clone()));
        let server = Server::bind(settings, Arc::<Reluctant>::clone(&store), clock).await.unwrap();
        let stop = CancellationToken::new();
        let serving = tokio::spawn(server.serve(stop.clone()));
        bed.advance(past(DAY));
        for refused in 1..=REFUSED {
            while store.refused.load(Ordering::SeqCst) < refused {
                tokio::task::yield_now().await;
            }
            assert!(removals(&bed).await.is_empty());
            bed.advance(past(Span::from_mins(1)));
        }
        assert_eq!(until_removals(&bed, 1).await, [["queue=dead", "completed=1"]]);
        stop.cancel();
        serving.await.unwrap();
    })
    .await;
}

//! Letters that are removed because their retention has ended leave a record.

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

use super::LastRecord;
use crate::harness::{Caller, StoreKind, TestServer, on_each_store, on_store};

const DAY: Span = Span::from_days(1);

/// The removal records of all chains; verifies each chain.
async fn removals(server: &TestServer) -> Vec<AuditRecord> {
    let chains = read_audit(server.store()).await.unwrap();
    let records = chains.into_iter().flat_map(|chain| chain.records);
    records.filter(|record| record.action == "letters.forget").collect()
}

/// Waits until there are at least `count` removal records; returns the targets of each.
async fn until_removals_recorded(server: &TestServer, count: usize) -> Vec<Vec<String>> {
    loop {
        let removals = removals(server).await;
        if removals.len() >= count {
            return removals.iter().map(targets).collect();
        }
        tokio::task::yield_now().await;
    }
}

fn targets(record: &AuditRecord) -> Vec<String> {
    record.targets.iter().map(|target| format!("{}={}", target.kind, target.name)).collect()
}

/// Creates a dead queue that keeps archived letters as long as completed ones.
async fn create_dead_queue(caller: &mut Caller) {
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

/// Captures letters, leases all of them and completes them.
async fn complete_letters(caller: &mut Caller, source_ids: &[&str]) {
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

fn just_after(span: Span) -> Span {
    span.saturating_add(Span::from_secs(1))
}

#[test]
fn letters_removed_together_leave_one_record_with_their_counts_by_status() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        create_dead_queue(caller).await;
        complete_letters(caller, &["a", "b"]).await;
        let archived = capture(caller, "c").await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [archived] })).await;
        server.advance(just_after(DAY));
        assert_eq!(until_removals_recorded(&server, 1).await, [["queue=dead", "completed=2", "archived=1"]]);
        let removal = removals(&server).await.remove(0);
        assert_eq!((removal.actor.user.as_str(), removal.result.code), ("_server", 200));
        assert_eq!(removal.reason.as_deref(), Some("their time was over"));
        assert_eq!(removal.time, server.clock_now().into());
        assert!(removal.before.is_some() && removal.before != removal.after);
    });
}

#[test]
fn expired_letters_are_recorded_and_expired_items_are_not() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        create_dead_queue(caller).await;
        let expire = json!({ "queue_name": "dead", "set": { "letters_expire": "true" } });
        caller.ok("/v1/letters.configure", expire).await;
        caller.create("plain", json!({ "expire_timeout": "1h" })).await;
        caller.produce("plain", &["an item"]).await;
        caller.produce("dead", &["an item in a dead queue"]).await;
        capture(caller, "a").await;
        server.advance(just_after(Span::from_days(30)));
        assert_eq!(until_removals_recorded(&server, 1).await, [["queue=dead", "expired=1"]]);
    });
}

#[test]
fn each_removal_is_recorded_once() {
    on_store(StoreKind::Journal, async |mut server| {
        let caller = &mut server.caller().await;
        create_dead_queue(caller).await;
        complete_letters(caller, &["a", "b"]).await;
        server.advance(just_after(DAY));
        until_removals_recorded(&server, 1).await;
        complete_letters(caller, &["c"]).await;
        server.advance(just_after(DAY));
        until_removals_recorded(&server, 2).await;
        server.restart().await;
        let caller = &mut server.caller().await;
        complete_letters(caller, &["d"]).await;
        server.advance(just_after(DAY));
        let expected = [["queue=dead", "completed=2"], ["queue=dead", "completed=1"], ["queue=dead", "completed=1"]];
        assert_eq!(until_removals_recorded(&server, 3).await, expected);
    });
}

#[test]
fn removals_while_no_server_runs_are_recorded_by_the_next_server() {
    on_store(StoreKind::Journal, async |mut server| {
        let caller = &mut server.caller().await;
        create_dead_queue(caller).await;
        complete_letters(caller, &["a"]).await;
        server.stop().await;
        server.advance(just_after(DAY));
        server.restart().await;
        assert_eq!(until_removals_recorded(&server, 1).await, [["queue=dead", "completed=1"]]);
        assert_eq!(
            server.last_record().await.0,
            "letters.forget",
            "in the chain of the server that removed the letter"
        );
    });
}

#[test]
fn letters_removed_one_by_one_leave_one_record_per_hour() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        create_dead_queue(caller).await;
        for source_id in ["a", "b", "c"] {
            complete_letters(caller, &[source_id]).await;
            server.advance(Span::from_mins(10));
        }
        server.advance(just_after(DAY).saturating_sub(Span::from_mins(30)));
        assert_eq!(until_removals_recorded(&server, 1).await, [["queue=dead", "completed=1"]]);
        server.advance(Span::from_mins(10));
        server.advance(Span::from_mins(10));
        assert_eq!(
            caller.ok("/v1/letters.stats", json!({ "queue_name": "dead" })).await["lifetime_stats"]["purged"],
            3
        );
        server.advance(Span::from_hours(1));
        let expected = [["queue=dead", "completed=1"], ["queue=dead", "completed=2"]];
        assert_eq!(until_removals_recorded(&server, 2).await, expected);
    });
}

#[test]
fn deleting_a_queue_records_its_pending_removals_and_a_new_queue_of_that_name_starts_at_zero() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        for round in 1..=2 {
            create_dead_queue(caller).await;
            complete_letters(caller, &["a", "b"]).await;
            server.advance(just_after(DAY));
            // The next removals fall into an hour that already has a record.
            until_removals_recorded(&server, 2 * round - 1).await;
            complete_letters(caller, &["c"]).await;
            let set = json!({ "completed_retention_seconds": "60" });
            caller.ok("/v1/letters.configure", json!({ "queue_name": "dead", "set": set })).await;
            complete_letters(caller, &["d", "e", "f"]).await;
            server.advance(just_after(Span::from_mins(1)));
            caller.ok("/v1/queues.delete", json!({ "queue_name": "dead" })).await;
            let expected = [["queue=dead", "completed=2"], ["queue=dead", "completed=3"]].repeat(round);
            assert_eq!(until_removals_recorded(&server, 2 * round).await, expected);
        }
    });
}

/// A store that rejects the first writes of removal records because the disk is full.
#[derive(Debug)]
struct FullStore {
    store: EmbeddedStore,
    /// The number of writes rejected so far.
    rejected: AtomicU32,
}

const REJECTED: u32 = 2;

#[async_trait]
impl Store for FullStore {
    async fn submit(&self, operation: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let is_removal = along.iter().any(|write| write.key.starts_with(b"forgotten\0"));
        if is_removal && self.rejected.load(Ordering::SeqCst) < REJECTED {
            self.rejected.fetch_add(1, Ordering::SeqCst);
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

#[test]
fn a_removal_that_cannot_be_recorded_is_recorded_later() {
    on_each_store(async |mut server| {
        create_dead_queue(&mut server.caller().await).await;
        complete_letters(&mut server.caller().await, &["a"]).await;
        server.stop().await;
        let store = Arc::new(FullStore { store: server.store().clone(), rejected: AtomicU32::new(0) });
        let (settings, clock) = (server.settings.clone(), Arc::new(server.clock.clone()));
        let second = Server::bind(settings, Arc::<FullStore>::clone(&store), clock).await.unwrap();
        let stop = CancellationToken::new();
        let serving = tokio::spawn(second.serve(stop.clone()));
        server.advance(just_after(DAY));
        for rejected in 1..=REJECTED {
            while store.rejected.load(Ordering::SeqCst) < rejected {
                tokio::task::yield_now().await;
            }
            assert!(removals(&server).await.is_empty());
            server.advance(just_after(Span::from_mins(1)));
        }
        assert_eq!(until_removals_recorded(&server, 1).await, [["queue=dead", "completed=1"]]);
        stop.cancel();
        serving.await.unwrap();
    });
}

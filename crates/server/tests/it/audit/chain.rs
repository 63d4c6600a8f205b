//! Audit records form a hash chain, so that a changed or missing record is detected.

use bytes::Bytes;
use redrive_model::{KeyCondition, KeyEntry, KeyWrite, ScanKeys, WriteKeys};
use redrive_server::{AuditError, AuditRecordId, Settings, read_audit};
use redrive_store::Store;
use serde_json::json;

use crate::harness::{Caller, StoreKind, TestServer, local_settings, on_each_store, on_each_store_with_caller};
use crate::tenancy::{namespace, second_server};

async fn entries(server: &TestServer) -> Vec<KeyEntry> {
    let prefix = Bytes::from_static(b"audit\0\x01");
    server.store().keys(ScanKeys { from: prefix.clone(), prefix, limit: 10_000 }).await.unwrap()
}

async fn write(server: &TestServer, key: &Bytes, value: Option<Bytes>) {
    let write = KeyWrite { key: key.clone(), value, condition: KeyCondition::Any };
    server.store().write_keys(WriteKeys { writes: vec![write] }).await.unwrap();
}

async fn fill(server: &TestServer) {
    let mut caller = server.caller().await;
    for number in 0..5 {
        namespace(&mut caller, &format!("n{number}")).await;
    }
}

async fn broken_at(server: &TestServer) -> u64 {
    match read_audit(server.store()).await {
        Err(AuditError::Broken(broken)) => broken.id.parse::<AuditRecordId>().unwrap().sequence,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_chain_begins_with_the_start_of_its_server() {
    on_each_store(async |server| {
        fill(&server).await;
        let chains = read_audit(server.store()).await.unwrap();
        assert_eq!(chains.len(), 1);
        let [chain] = &chains[..] else { panic!() };
        let actions: Vec<&str> = chain.records.iter().map(|record| record.action.as_str()).collect();
        assert_eq!(actions[..2], ["server.start", "server.bootstrap"]);
        assert_eq!(actions[2..], ["namespaces.create"; 5]);
        for (sequence, record) in chain.records.iter().enumerate() {
            assert_eq!(record.sequence, sequence as u64);
            assert_eq!(record.incarnation, chain.incarnation);
        }
        assert_eq!(chain.records[0].previous, "0".repeat(64));
        assert_eq!(chain.head.len(), 64);
    });
}

#[tokio::test]
async fn every_start_begins_a_new_chain() {
    let mut server = TestServer::new(StoreKind::Journal).await;
    fill(&server).await;
    let before = read_audit(server.store()).await.unwrap();
    server.advance(redrive_core::Span::from_secs(1));
    server.restart().await;
    let after = read_audit(server.store()).await.unwrap();
    assert_eq!(after[..1], before, "the old chain is unchanged");
    assert_eq!(after.len(), 2);
    assert_ne!(after[0].incarnation, after[1].incarnation);
}

#[test]
fn a_changed_record_is_detected() {
    on_each_store(async |server| {
        fill(&server).await;
        let third = entries(&server).await.swap_remove(3);
        let text = String::from_utf8(third.value.to_vec()).unwrap();
        write(&server, &third.key, Some(text.replace(r#""n1""#, r#""nx""#).into())).await;
        assert_eq!(broken_at(&server).await, 4, "the next record holds the hash of the original");
    });
}

#[test]
fn a_missing_record_is_detected() {
    on_each_store(async |server| {
        fill(&server).await;
        let third = entries(&server).await.swap_remove(3);
        write(&server, &third.key, None).await;
        assert_eq!(broken_at(&server).await, 4);
    });
}

#[test]
fn swapped_records_are_detected() {
    on_each_store(async |server| {
        fill(&server).await;
        let all = entries(&server).await;
        write(&server, &all[3].key, Some(all[4].value.clone())).await;
        write(&server, &all[4].key, Some(all[3].value.clone())).await;
        assert_eq!(broken_at(&server).await, 4);
    });
}

#[test]
fn a_first_record_with_a_predecessor_is_detected() {
    on_each_store(async |server| {
        let first = entries(&server).await.swap_remove(0);
        let text = String::from_utf8(first.value.to_vec()).unwrap();
        write(&server, &first.key, Some(text.replace(&"0".repeat(64), &"1".repeat(64)).into())).await;
        assert_eq!(broken_at(&server).await, 0);
    });
}

#[test]
fn a_truncated_chain_has_another_head() {
    on_each_store(async |server| {
        fill(&server).await;
        let before = read_audit(server.store()).await.unwrap().remove(0);
        let last = entries(&server).await.pop().unwrap();
        write(&server, &last.key, None).await;
        let after = read_audit(server.store()).await.unwrap().remove(0);
        assert_ne!(after.head, before.head);
        assert_eq!(after.head, before.records.last().unwrap().previous);
    });
}

/// This happens when an action was recorded after its caller had disconnected.
#[test]
fn a_server_appends_after_the_end_of_its_chain_in_the_store() {
    on_each_store_with_caller(async |server, caller| {
        drop(caller);
        let last = entries(&server).await.pop().unwrap();
        let mut record: serde_json::Value = serde_json::from_slice(&last.value).unwrap();
        record["sequence"] = json!(2);
        let hash = read_audit(server.store()).await.unwrap().remove(0).head;
        record["previous"] = json!(hash);
        let mut key = last.key.to_vec();
        let at = key.len() - 3;
        key[at] = b'2';
        write(&server, &key.into(), Some(record.to_string().into())).await;
        fill(&server).await;
        assert_eq!(read_audit(server.store()).await.unwrap().remove(0).records.len(), 3 + 5);
    });
}

#[test]
fn two_servers_write_two_chains() {
    on_each_store(async |server| {
        let other = second_server(&server).await;
        fill(&server).await;
        namespace(&mut Caller::connect(other).await, "other").await;
        let chains = read_audit(server.store()).await.unwrap();
        let mut counts: Vec<usize> = chains.iter().map(|chain| chain.records.len()).collect();
        counts.sort_unstable();
        assert_eq!(counts, [2, 7]);
    });
}

#[tokio::test]
async fn the_oldest_records_are_removed_beyond_the_maximum() {
    for store_kind in StoreKind::ALL {
        let server = TestServer::with(store_kind, Settings { audit_records_max: 4, ..local_settings() }).await;
        fill(&server).await;
        let chain = read_audit(server.store()).await.unwrap().remove(0);
        let sequences: Vec<u64> = chain.records.iter().map(|record| record.sequence).collect();
        assert_eq!(sequences, [3, 4, 5, 6]);
    }
}

#[tokio::test]
async fn a_lower_maximum_is_reached_gradually_and_removes_old_chains_first() {
    let mut server = TestServer::new(StoreKind::Journal).await;
    fill(&server).await;
    fill_again(&server, 40).await;
    server.advance(redrive_core::Span::from_secs(1));
    server.settings.audit_records_max = 3;
    server.restart().await;
    fill_again(&server, 10).await;
    let chains = read_audit(server.store()).await.unwrap();
    assert_eq!(chains.len(), 1);
    let sequences: Vec<u64> = chains[0].records.iter().map(|record| record.sequence).collect();
    assert_eq!(sequences, [8, 9, 10]);
}

async fn fill_again(server: &TestServer, times: usize) {
    let mut caller = server.caller().await;
    for _ in 0..times {
        caller.ok("/v1/namespaces.update", json!({ "name": "n0" })).await;
    }
}
